import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { minifySync, type Plugin, type Rolldown, runnerImport } from 'vite';
import { areaOf } from '#models/areas.ts';
import { locales } from '#models/constants.ts';
import { emptyQuery } from '#models/query.ts';
import type { FirstScreens } from '../server/http/first-screens.ts';
import { boot, type BootFacts } from '../src/app/boot.ts';
import type { resources } from '../src/resources/index.ts';
import { together } from './console-chunk.ts';

type Bundle = Rolldown.OutputBundle;
type Areas = typeof resources;

const inPage = `{location,get localStorage(){return localStorage},get sessionStorage(){return sessionStorage},
fetch:(path,init)=>fetch(path,init),now:()=>performance.now()}`;

/** Finds the files that modules of the source have become, with all that they import and their styles. */
function finder(bundle: Bundle, root: string): (...sources: string[]) => string[] {
  const holding = new Map(
    Object.values(bundle).flatMap((each) => (each.type === 'chunk' ? each.moduleIds.map((id): [string, string] => [id, each.fileName]) : [])),
  );
  return (...sources) => {
    const files = new Set<string>();
    const visit = (name: string): void => {
      const chunk = bundle[name];
      if (chunk?.type !== 'chunk' || files.has(name)) return;
      files.add(name);
      for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
      for (const imported of chunk.imports) visit(imported);
    };
    for (const source of sources) {
      const name = holding.get(resolve(root, source));
      if (name === undefined) throw new Error(`the build has no ${source}`);
      visit(name);
    }
    return [...files];
  };
}

/** Which files each first screen waits for, besides those that the page names itself. */
function firstScreens(bundle: Bundle, root: string, areas: Areas): FirstScreens {
  const filesOf = finder(bundle, root);
  const named = new Set(filesOf('src/main.tsx'));
  const inLanguage = (locale: string): FirstScreens[string] => {
    const words = (name: string): string => `locales/${locale}/${name}.json`;
    const besides = (known: Set<string>, ...sources: string[]): string[] => filesOf(...sources).filter((file) => !known.has(file));
    const entry = besides(named, words('interface'));
    const frame = besides(new Set([...named, ...entry]), ...together, words('list'));
    const known = new Set([...named, ...entry, ...frame]);
    const lists = areas
      .filter(({ home }) => !home)
      .map(({ area, path }) => [path, besides(known, `src/resources/${area}.resource.tsx`, words(`areas/${area}`))]);
    return { entry, frame, screens: Object.fromEntries([['/home', besides(known, 'src/views/home/home-page.tsx', words('home'))], ...lists]) };
  };
  return Object.fromEntries(locales.map((locale) => [locale, inLanguage(locale)]));
}

/**
 * Makes the one file that runs before all else: theme.js, and the script that asks the server early (src/app/boot.ts). And writes down which files
 * each first screen waits for: the server names them in the page (server/http/first-screens.ts).
 */
export function bootScript(): Plugin {
  let root = process.cwd();
  return {
    name: 'boot-script',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      root = config.root;
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('the build has no index.html');
        const { module } = await runnerImport<{ resources: Areas }>(resolve(root, 'src/resources/index.ts'));
        const areas = module.resources;
        const facts: BootFacts = {
          lists: Object.fromEntries(areas.filter(({ home }) => !home).map(({ area, path }) => [path, areaOf(area).path])),
          usual: { page: '1', size: String(emptyQuery.size), sort: '' },
        };
        const theme = readFileSync(resolve(root, 'src/public/theme.js'), 'utf8');
        const { code } = minifySync('boot.js', `${theme};globalThis.doorwardEarly=(${boot.toString()})(${JSON.stringify(facts)},${inPage})`);
        const file = this.getFileName(this.emitFile({ type: 'asset', name: 'boot.js', source: code }));
        page.source = String(page.source).replace('/theme.js', `/${file}`);
        const screens = JSON.stringify(firstScreens(bundle, root, areas));
        this.emitFile({ type: 'asset', fileName: '.vite/first-screens.json', source: screens });
      },
    },
  };
}
