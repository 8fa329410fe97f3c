/** Pictures in formatted text, as the server writes them: `<img src="…/files/<id>">`, signed when it is read. */
const SOURCE = /(<img\b[^>]*?\ssrc=")(\/(?:\w+\/)*files\/([\da-f-]{36}))(?:\?[^"]*)?(?=")/g;
/** The address of one's own picture, signed or not. */
const OWN = /^(\/(?:\w+\/)*files\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\?until=\d+&signature=[\w-]+)?$/;

/** The address of an own picture without its signature; null of any other address. */
export const ownSource = (address: string | undefined): string | null => OWN.exec(address ?? '')?.[1] ?? null;

/** The text with another address for each of its pictures. */
export const withSources = (html: string, change: (address: string, id: string) => string): string =>
  html.replaceAll(SOURCE, (_, before: string, address: string, id: string) => before + change(address, id));

/** The text as it is stored and compared: signatures differ from one reading to the next. */
export const withoutSignatures = (html: string): string => withSources(html, (address) => address);

/** The ids of the pictures in a text, each once. */
export const picturesIn = (html: string): string[] => [...new Set([...html.matchAll(SOURCE)].map(([, , , id]) => String(id)))];
