import { locales } from '#models/constants.ts';

/** Which files of the build the first screen at an address waits for, by language; written by the build (scripts/boot-script.ts). */
export type FirstScreens = Readonly<
  Record<
    string,
    {
      /** The sign-in page. */
      entry: readonly string[];
      /** What stands around every page of somebody who is signed in. */
      frame: readonly string[];
      /** Lists and the home page, by their addresses. */
      screens: Readonly<Record<string, readonly string[]>>;
    }
  >
>;

/** The first language a browser asks for that the console has. */
const languageOf = (accepted: string): string =>
  accepted
    .split(',')
    .map((each) => each.trim().slice(0, 2).toLowerCase())
    .find((each) => locales.some((locale) => locale === each)) ?? locales[0];

const linkTo = (file: string): string =>
  file.endsWith('.css') ? `<link rel="preload" as="style" crossorigin href="/${file}">` : `<link rel="modulepreload" crossorigin href="/${file}">`;

/** The page with links to what its first screen waits for: the browser fetches it beside the console's own code, not after it. */
export function withFirstScreen(page: string, screens: FirstScreens, pathname: string, accepted = ''): string {
  const found = screens[languageOf(accepted)];
  if (!found) return page;
  const [, top = ''] = pathname.split('/');
  const isFramed = Object.keys(found.screens).some((path) => path === `/${top}` || path.startsWith(`/${top}/`));
  const files = [...found.entry, ...(isFramed ? found.frame : []), ...(found.screens[pathname] ?? [])];
  return page.replace('</head>', () => `${files.map(linkTo).join('')}</head>`);
}
