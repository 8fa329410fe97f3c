import { describe, expect, it } from 'vitest';
import { importsOf, type Source, sourcesIn } from './sources.ts';

interface Layer {
  /** Folder whose files the layer is made of; the longest that fits decides. */
  folder: string;
  /** Folders it may import besides itself. */
  may: readonly string[];
  /** Packages it may import; undefined: any that the fences do not name. */
  packages?: readonly string[];
  never?: readonly RegExp[];
}

const web = /^(?:react|react-dom|primereact|primeicons|react-i18next|react-router-dom)(?:\/|$)/;
const adapterKit = /^(?:ky|jssip|rxjs)(?:\/|$)/;
/** Of JsSIP the server takes what reads messages, nothing that talks. */
const browserKit = /^(?:ky|rxjs)(?:\/|$)|^jssip(?!\/lib\/(?:Parser|Grammar)\.js$)/;
const node = /^node:/;
const serverKit = /^(?:fastify|@fastify\/|drizzle-orm|pg$|@electric-sql\/|@node-rs\/|pino|prom-client)/;

/** Who may import whom, and what never (house.md, section 2). */
const layers: readonly Layer[] = [
  { folder: 'models', may: [], packages: ['zod'] },
  { folder: 'machines/lifecycles', may: ['models'], packages: ['xstate'] },
  { folder: 'machines', may: ['models', 'machines/lifecycles'], packages: ['xstate'] },
  { folder: 'src/adapters', may: ['models', 'machines'], never: [web, node, serverKit] },
  { folder: 'src/components', may: ['models'], never: [adapterKit, node, serverKit, /^@?xstate/] },
  { folder: 'src/views', may: ['models', 'machines', 'src/components'], never: [adapterKit, node, serverKit] },
  { folder: 'src/resources', may: ['models', 'src/components', 'src/views'], never: [adapterKit, node, serverKit, /^xstate/] },
  {
    folder: 'src/app',
    may: ['models', 'machines', 'src/adapters', 'src/components', 'src/views', 'src/resources', 'locales'],
    never: [node, serverKit],
  },
  {
    folder: 'src',
    may: ['models', 'machines', 'src/app', 'src/adapters', 'src/components', 'src/views', 'src/resources', 'src/styles'],
    never: [node, serverKit],
  },
  { folder: 'server', may: ['models', 'machines/lifecycles'], never: [web, browserKit] },
];

const folders = [...new Set(layers.map(({ folder }) => folder.split('/')[0] ?? ''))];
const sources = sourcesIn(folders);
const layerOf = (path: string): Layer | undefined =>
  layers.filter(({ folder }) => path.startsWith(`${folder}/`)).toSorted((a, b) => b.folder.length - a.folder.length)[0];

/** Where an import leads, as a path of the house, or the package's name. */
function leadsTo(from: string, specifier: string): { path: string } | { package: string } {
  if (specifier.startsWith('#')) return { path: specifier.slice(1) };
  if (!specifier.startsWith('.')) return { package: specifier };
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return { path: parts.join('/') };
}

function strayImports({ path, text }: Source): string[] {
  const layer = layerOf(path);
  if (!layer) return [`${path} belongs to no layer`];
  return importsOf({ path, text }).flatMap((specifier) => {
    const to = leadsTo(path, specifier);
    if ('package' in to) {
      const strange = layer.packages ? !layer.packages.includes(to.package) : (layer.never ?? []).some((fence) => fence.test(to.package));
      return strange ? [`${path} imports ${specifier}`] : [];
    }
    const target = layerOf(to.path)?.folder ?? to.path.split('/')[0] ?? '';
    const allowed =
      target === layer.folder ||
      layer.may.some((folder) => to.path.startsWith(`${folder}/`)) ||
      (layer.folder === 'src' && to.path.startsWith('src/'));
    return allowed ? [] : [`${path} imports ${specifier}`];
  });
}

describe('the fences', () => {
  it('see every layer', () => {
    const seen = new Set(sources.map(({ path }) => layerOf(path)?.folder));
    expect(layers.map(({ folder }) => folder).filter((folder) => folder !== 'machines/lifecycles' && !seen.has(folder))).toEqual([]);
  });
  it('stand where somebody leaps', () => {
    const leap = (path: string, specifier: string) => strayImports({ path, text: `import { x } from '${specifier}';` });
    expect(leap('models/x.ts', '#machines/x.ts')).not.toEqual([]);
    expect(leap('machines/x.ts', 'react')).not.toEqual([]);
    expect(leap('src/views/x.tsx', '#src/adapters/http.ts')).not.toEqual([]);
    expect(leap('src/components/x.tsx', '../views/x.tsx')).not.toEqual([]);
    expect(leap('server/x.ts', '#src/x.ts')).not.toEqual([]);
    expect(leap('server/x.ts', '#machines/editor.machine.ts')).not.toEqual([]);
    expect(leap('server/x.ts', 'jssip')).not.toEqual([]);
    expect(leap('src/views/x.tsx', 'jssip/lib/Parser.js')).not.toEqual([]);
    expect(leap('src/views/x.tsx', 'ky')).not.toEqual([]);
    expect(leap('src/views/x.tsx', '#src/components/text.ts')).toEqual([]);
    expect(leap('models/x.ts', './rules.ts')).toEqual([]);
  });
  it('are leapt by nobody', () => expect(sources.flatMap(strayImports)).toEqual([]));
});

/** Files whose tests, tools and words live by the same habits. */
const everything = [...sources, ...sourcesIn(['tests', 'scripts', 'lint'], /\.(?:[cm]?js|tsx?)$/)];
const own = 'tests/house/layers.test.ts';

describe('the habits', () => {
  it('keep a file to one thing', () => {
    const long = sources
      .filter(({ path }) => !path.startsWith('server/db/demo/') && !path.startsWith('server/db/migrations/'))
      .map(({ path, text }) => ({ path, lines: text.split('\n').filter((line) => line.trim() && !/^\s*(?:\/\/|\/?\*)/.test(line)).length }));
    expect(long.filter(({ lines }) => lines > 300)).toEqual([]);
  });
  it.each<[string, RegExp]>([
    ['work left for later', /\b(?:TODO|FIXME|XXX|HACK)\b|coming soon|not implemented/i],
    ['test that is left out or stands alone', /\b(?:it|describe|test)\.(?:skip|only|todo|fails)\b|\bx(?:it|describe)\(/],
    ['path of somebody’s machine', /["'`](?:\/work\/|\/home\/\w|\/Users\/|C:\\\\)/],
    ['way round the compiler', /@ts-(?:ignore|expect-error|nocheck)|\bas any\b|: any\b/],
    ['enum', /^\s*(?:export )?(?:const )?enum /m],
  ])('hold no %s', (_what, pattern) => {
    expect(everything.filter(({ path, text }) => path !== own && pattern.test(text)).map(({ path }) => path)).toEqual([]);
  });
  it('name files in small letters with dashes, and by what they hold', () => {
    const names = sources.map(({ path }) => path.split('/').at(-1) ?? '');
    expect(names.filter((name) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*\.tsx?$/.test(name))).toEqual([]);
    expect(names.filter((name) => /^(?:utils?|helpers?|misc|common)\.tsx?$/.test(name))).toEqual([]);
  });
  it('keep no barrels but the indexes of areas, machines and tables', () => {
    const barrels = sources.filter(({ text }) => /^export \* from|^export \{[^}]*\} from/m.test(text)).map(({ path }) => path);
    expect(barrels.filter((path) => path !== 'server/db/schema/index.ts')).toEqual([]);
  });
  it('end machines in .machine.ts, with an id of their own', () => {
    const machines = sources.filter(({ path }) => path.startsWith('machines/') && path.endsWith('.machine.ts'));
    expect(machines.length).toBeGreaterThan(5);
    const named = machines.map(({ path, text }) => ({
      path,
      id: /createMachine\(\s*\{\s*(?:\/\*[\s\S]*?\*\/\s*)?id:\s*'([a-zA-Z]+)'/.exec(text)?.[1],
    }));
    expect(
      named.filter(
        ({ path, id }) =>
          id !==
          path
            .split('/')
            .at(-1)
            ?.replace('.machine.ts', '')
            .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      ),
    ).toEqual([]);
  });
});
