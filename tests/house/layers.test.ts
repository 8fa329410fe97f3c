import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layerOf, layers, mayImport } from '#scripts/lint/layers.js';
import { importsOf, type Source, sourcesIn } from './sources.ts';

const root = join(import.meta.dirname, '../..');
const folders = [...new Set(layers.map(({ folder }) => folder.split('/')[0] ?? ''))];
const sources = sourcesIn(folders);
const strayImports = (source: Source): string[] =>
  importsOf(source).flatMap((specifier) => (mayImport(source.path, specifier) ? [] : [`${source.path} imports ${specifier}`]));

/** Second ways to reckon with dates, one a line. */
const seconds = [
  "export const a = new Intl.DateTimeFormat('en');",
  "export const b = new Intl.RelativeTimeFormat('en');",
  'export const c = new Date(0).toLocaleDateString();',
  'export const d = new Date(0).getTimezoneOffset();',
  'export const e = new Date(0).setHours(0);',
  'export const f = new Date(0).getUTCFullYear();',
  'export const g = Date.UTC(2026, 1);',
  'export const h = new Date(2026, 1, 1);',
  'export const i = 7 * 86_400_000;',
];

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
    expect(leap('server/x.ts', '#machines/editor/editor.machine.ts')).not.toEqual([]);
    expect(leap('server/x.ts', 'jssip')).not.toEqual([]);
    expect(leap('src/views/x.tsx', 'jssip/lib/Parser.js')).not.toEqual([]);
    expect(leap('src/views/x.tsx', 'ky')).not.toEqual([]);
    expect(leap('server/x.ts', 'dayjs')).not.toEqual([]);
    expect(leap('models/zone.ts', 'dayjs/plugin/utc.js')).not.toEqual([]);
    expect(leap('models/time.ts', 'dayjs')).toEqual([]);
    expect(leap('src/views/x.tsx', '#src/components/text.ts')).toEqual([]);
    expect(leap('models/x.ts', './rules.ts')).toEqual([]);
  });
  it('are leapt by nobody', () => {
    expect(sources.filter(({ path }) => !layerOf(path)).map(({ path }) => path)).toEqual([]);
    expect(sources.flatMap(strayImports)).toEqual([]);
  });
  it('are seen by the linter too, wherever the checkout lies', () => {
    const folder = mkdtempSync(join(tmpdir(), 'doorward-lint-'));
    const checkout = join(folder, 'tests', 'scripts', 'checkout');
    const write = (path: string, text: string) => {
      mkdirSync(join(checkout, path, '..'), { recursive: true });
      writeFileSync(join(checkout, path), text);
    };
    try {
      cpSync(join(root, 'scripts/lint'), join(checkout, 'scripts/lint'), { recursive: true });
      write('package.json', '{ "type": "module" }');
      write('.oxlintrc.json', '{ "jsPlugins": ["./scripts/lint/house.js"], "rules": { "house/layers": "error", "house/time": "error" } }');
      write('models/leaps.ts', "export { x } from '#machines/x.ts';\n");
      write('models/stays.ts', "export { x } from './y.ts';\n");
      write('server/reckons.ts', seconds.join('\n'));
      write('models/time.ts', seconds.join('\n'));
      write('models/numbers.ts', "export const x = new Intl.NumberFormat('en').format(new Date(0).getTime());\n");
      write('tests/reads.ts', "export { x } from '#server/x.ts';\n");
      const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format=unix'], { cwd: checkout, encoding: 'utf8' });
      expect(stdout).toContain('models/leaps.ts may not import #machines/x.ts');
      expect(stdout).not.toMatch(/stays|reads|numbers|models\/time\.ts:/);
      expect(stdout.match(/server\/reckons\.ts:\d+/g)).toEqual(seconds.map((_, line) => `server/reckons.ts:${line + 1}`));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Files whose tests, tools and words live by the same habits. */
const everything = [...sources, ...sourcesIn(['tests', 'scripts'], /\.(?:[cm]?js|tsx?)$/)];
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
  it('start no actor but the roots of console and guest page: views, components and areas follow those of the workspace', () => {
    const starts = /\b(?:createActor|useActor|useActorRef|useMachine|interpret)\b/;
    const drawn = sources.filter(({ path }) => /^src\/(?:views|components|resources)\//.test(path));
    expect(drawn.length).toBeGreaterThan(100);
    expect(drawn.filter(({ text }) => starts.test(text)).map(({ path }) => path)).toEqual([]);
    expect(sources.filter(({ path, text }) => path.startsWith('src/') && starts.test(text)).map(({ path }) => path)).toEqual([
      'src/app/compose.ts',
      'src/guest/main.ts',
    ]);
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
