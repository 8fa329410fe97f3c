/** Hands a file to the person under its name. */
export type SaveFile = (content: Blob, name: string) => void;

/** Lets the browser keep a file, as if a link to it had been followed. */
export const saveInBrowser: SaveFile = (content, name) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser reads the content a moment after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

/** The file's name as the answer says it (RFC 6266, with RFC 5987's extended form first). */
export function fileNameOf(disposition: string | null): string | null {
  const extended = /filename\*=(?:UTF-8'')([^;]+)/i.exec(disposition ?? '')?.[1];
  if (extended) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // Fall back to the plain form.
    }
  }
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1] ?? null;
}
