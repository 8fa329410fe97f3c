import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that carry no mark of their content in their names. */
const unmarked = ['icon.svg', 'manifest.webmanifest'];
/** Browsers with service workers take the smallest of the formats of a font. */
const wanted = /^(?!guest-).*\.(?:js|css|woff2)$/;

/** What of the built console a browser keeps, to start without the server; `revision` where the name does not tell one content from another. */
export function precached(folder: string): { url: string; revision: string | null }[] {
  const mark = (file: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex')
      .slice(0, 16);
  const assets = readdirSync(join(folder, 'assets')).filter((name) => wanted.test(name));
  return [
    { url: '/', revision: mark('index.html') },
    ...unmarked.map((file) => ({ url: `/${file}`, revision: mark(file) })),
    ...assets.map((name) => ({ url: `/assets/${name}`, revision: null })),
  ];
}
