import { contrast } from '#models/contrast.ts';
import { pictureLinkSeconds } from '#models/define-model.ts';
import type { Services } from '../context.ts';
import { fileAddress } from '../files.ts';
import { labelAt, type Label } from '../settings/label.ts';
import { signLink } from './picture-links.ts';

/** For so many ms a page waits for its look: it opens as well while the database does not answer. */
const timeout = 500;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);
const HEX = /^#[\da-f]{6}$/i;

/** The colours that a pressed or hovered button has: further from its text, so that it reads no worse. */
const strong = (ground: string, text: string): string =>
  `color-mix(in srgb,${ground} 86%,${contrast(text, '#000000') > contrast(text, '#ffffff') ? '#000' : '#fff'})`;

/** Mark and sign-in button alone: of these colours only that they can be read on each other is known. */
function styleOf({ ground, text }: Label, logo: string | null): string {
  const colors = HEX.test(ground) && HEX.test(text) ? `--accent:${ground};--on-accent:${text};--accent-strong:${strong(ground, text)}` : '';
  const picture = logo === null ? '' : `.app-mark{background:url("${logo}") center/contain no-repeat}.app-mark>*{display:none}`;
  return `.app-mark,.session-card [type=submit]{${colors}}.session-card [type=submit]:focus-visible{outline-color:var(--text)}${picture}`;
}

/** The console's page in the look of the project whose address it was asked at. */
export function labelled(page: string, label: Label | null, signer: Pick<Services, 'config' | 'now'>): string {
  if (!label) return page;
  const name = escaped(label.name);
  const address = fileAddress(label.logoFile);
  const style = styleOf(label, address && signLink(signer, address, pictureLinkSeconds.portrait));
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${name}</title>`)
    .replace(/(<meta name="application-name" content=")[^"]*/, (_, start: string) => start + name)
    .replace('</head>', () => `<style nonce="__CSP_NONCE__">${style}</style></head>`);
}

/** Reads the look of an address; what was last known of it stands in where the database does not answer in time. */
export function labelReader(services: Services): (host: string | undefined) => Promise<Label | null> {
  let known: Label | null = null;
  return async (host) => {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), timeout);
    });
    const read = labelAt(services.db, host).then(
      (label) => ({ label }),
      (error: unknown) => {
        services.log.warn({ err: error }, 'the look of the sign-in page could not be read');
        return null;
      },
    );
    const found = await Promise.race([read, tooLong]);
    clearTimeout(timer);
    if (found) known = found.label;
    return found ? found.label : known;
  };
}
