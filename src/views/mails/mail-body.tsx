const address = /(https?:\/\/[^\s<>"]+)/;

/** The path of an address of this very console; null for one that leads elsewhere. */
function ownPath(text: string, origin: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.origin === origin ? url.pathname + url.search : null;
}

/** A mail's text as written; addresses of this console are links, all others stay text. */
export function MailBody({ text }: { text: string }) {
  // Split by a pattern with one group, every second part is what the pattern found.
  return text.split(address).map((part, at) => {
    const path = at % 2 === 1 ? ownPath(part, window.location.origin) : null;
    if (path === null) return part;
    return (
      <a key={part} href={path} target="_blank" rel="noopener noreferrer">
        {part}
      </a>
    );
  });
}
