import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { type AreaName, isArea } from '#models/index.ts';
import { locales } from '#models/constants.ts';
import { areaWords } from '#src/app/area-words.ts';

/** Files of a build by number: what every screen of somebody signed in needs, and what each address needs besides; words by language. */
export interface Needed {
  files: readonly string[];
  always: Wanted;
  paths: Readonly<Record<string, Wanted>>;
}
type Wanted = Readonly<Record<string, readonly number[]>>;
interface Chunk {
  type: 'chunk';
  fileName: string;
  imports: readonly string[];
  moduleIds: readonly string[];
  viteMetadata?: { importedCss: ReadonlySet<string> };
}
type Bundle = Readonly<Record<string, Chunk | { type: 'asset' }>>;

const entries = ['src/app/compose-console.ts', 'src/views/shell/signed-in.tsx', 'src/app/area-words.ts'];
const alwaysSpoken = ['interface', 'errors', 'notifications', 'areas/device-alarms'];
const listPage = 'src/views/area/area-list-page.tsx';
const home = { path: '/home', modules: ['src/views/home/home-page.tsx'], words: ['home', 'areas/device-events'] };

/** Address and code of each area, as `src/resources/index.ts` has them. */
function areasIn(source: string): { area: AreaName; path: string; module: string }[] {
  const line = /area: '([\w-]+)',\s+path: '([/\w-]+)',[^}]*?import\('\.\/([\w.-]+)'\)/g;
  return [...source.matchAll(line)].flatMap(([, area = '', path = '', file]) =>
    isArea(area) ? [{ area, path, module: `src/resources/${file}` }] : [],
  );
}

/** What of a build is fetched ahead. @throws Error where a file that is named here is not in the build */
export function neededOf(bundle: Bundle, source: string, root: string): Needed {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
  const files: string[] = [];
  const numberOf = (file: string): number => (files.includes(file) ? files.indexOf(file) : files.push(file) - 1);
  const withImports = (module: string): number[] => {
    const found = new Set(chunks.filter(({ moduleIds }) => moduleIds.includes(resolve(root, module))));
    // An area that is still to come has no words.
    if (found.size === 0 && !module.startsWith('locales/')) throw new Error(`${module} is not in the build`);
    for (const { imports } of found) for (const name of imports) for (const each of chunks) if (each.fileName === name) found.add(each);
    return [...found].flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])]).map(numberOf);
  };
  const wanted = (modules: readonly string[], words: readonly string[], known: Wanted = {}): Wanted => {
    const without = (key: string, numbers: readonly number[]) => [...new Set(numbers)].filter((each) => !known[key]?.includes(each));
    const spoken = locales.map(
      (locale) =>
        [
          locale,
          without(
            locale,
            words.flatMap((name) => withImports(`locales/${locale}/${name}.json`)),
          ),
        ] as const,
    );
    return { code: without('code', modules.flatMap(withImports)), ...Object.fromEntries(spoken) };
  };
  const always = wanted(entries, alwaysSpoken);
  const screens = [home, ...areasIn(source).map(({ area, path, module }) => ({ path, modules: [module, listPage], words: areaWords(area) }))];
  return { files, always, paths: Object.fromEntries(screens.map(({ path, modules, words }) => [path, wanted(modules, words, always)])) };
}

/** Runs in the head of the page, before anything is fetched: whoever is signed in gets the console's files at once, not one after the other. */
function fetchAhead({ files, always, paths }: Needed): void {
  const read = (area: Storage, key: string): unknown => JSON.parse(area.getItem(key) ?? 'null');
  try {
    if (!read(sessionStorage, 'doorward.session') && !read(localStorage, 'doorward.session')) return;
    const { pathname } = location;
    const under = Object.keys(paths).filter((path) => pathname === path || pathname.startsWith(`${path}/`));
    const screen = paths[under.toSorted((one, other) => other.length - one.length)[0] ?? ''] ?? {};
    const wished = [read(localStorage, 'userLocale'), ...navigator.languages.map((language) => language.slice(0, 2).toLowerCase()), 'en'];
    const locale = String(wished.find((each) => typeof each === 'string' && each !== 'code' && each in always));
    for (const at of ['code', locale].flatMap((key) => [...(always[key] ?? []), ...(screen[key] ?? [])])) {
      const file = files[at] ?? '';
      const link = document.createElement('link');
      link.href = `/${file}`;
      if (file.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style' });
      else link.rel = 'modulepreload';
      document.head.append(link);
    }
  } catch {
    // Storage may be barred: things are fetched when they are asked for.
  }
}

/** Puts what must run first into one file of the build, kept for a year like all others: the theme, and what is fetched ahead. */
export function bootScript(root = process.cwd()): Plugin {
  return {
    name: 'boot-script',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') return;
        const needed = neededOf(bundle as unknown as Bundle, readFileSync(resolve(root, 'src/resources/index.ts'), 'utf8'), root);
        const theme = readFileSync(resolve(root, 'src/public/theme.js'), 'utf8');
        const source = `${theme}(${fetchAhead.toString()})(${JSON.stringify(needed)});\n`;
        const fileName = `assets/boot-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.js`;
        this.emitFile({ type: 'asset', fileName, source });
        page.source = String(page.source).replace('src="/theme.js"', `src="/${fileName}"`);
      },
    },
  };
}
