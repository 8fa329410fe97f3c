import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { neededOf } from '#scripts/boot-script.ts';
import { resources } from '#src/resources/index.ts';

const root = process.cwd();
const source = readFileSync(resolve(root, 'src/resources/index.ts'), 'utf8');
const chunk = (fileName: string, modules: readonly string[], imports: readonly string[] = [], css: readonly string[] = []) =>
  ({
    type: 'chunk',
    fileName,
    imports,
    moduleIds: modules.map((each) => resolve(root, each)),
    viteMetadata: { importedCss: new Set(css) },
  }) as const;
const chunks = [
  chunk(
    'console.js',
    ['src/app/compose-console.ts', 'src/views/shell/signed-in.tsx', 'src/views/area/area-list-page.tsx'],
    ['vendor.js'],
    ['console.css'],
  ),
  chunk('area-words.js', ['src/app/area-words.ts']),
  chunk('vendor.js', []),
  chunk('home.js', ['src/views/home/home-page.tsx'], ['vendor.js']),
  chunk('rows.js', []),
  ...resources.map(({ area }) => chunk(`${area}.js`, [`src/resources/${area}.resource.tsx`], ['rows.js', 'console.js'])),
  chunk(
    'words-en.js',
    ['interface', 'errors', 'notifications', 'areas/device-alarms'].map((name) => `locales/en/${name}.json`),
  ),
  chunk(
    'words-ru.js',
    ['interface', 'errors', 'notifications', 'areas/device-alarms'].map((name) => `locales/ru/${name}.json`),
  ),
  chunk('roles-en.js', ['locales/en/areas/roles.json']),
  chunk('roles-ru.js', ['locales/ru/areas/roles.json']),
];
const bundle = Object.fromEntries(chunks.map((each) => [each.fileName, each]));

describe('what is fetched ahead of the console', () => {
  const { files, always, paths } = neededOf(bundle, source, root);
  const named = (numbers: readonly number[] = []) => numbers.map((at) => files[at] ?? '').toSorted((one, other) => (one < other ? -1 : 1));

  it('knows every area that has screens, and home', () => {
    expect(Object.keys(paths).toSorted()).toEqual(['/home', ...resources.map(({ path }) => path)].toSorted());
  });
  it('is what every screen needs, with what that imports and its styles, and words in one language', () => {
    expect(named(always['code'])).toEqual(['area-words.js', 'console.css', 'console.js', 'vendor.js']);
    expect(named(always['ru'])).toEqual(['words-ru.js']);
  });
  it('and what the screen of the address needs besides', () => {
    expect(named(paths['/roles']?.['code'])).toEqual(['roles.js', 'rows.js']);
    expect(named(paths['/roles']?.['en'])).toEqual(['roles-en.js']);
  });
  it('fails the build where a file of the code is missing', () => {
    const { 'home.js': gone, ...rest } = bundle;
    expect(() => neededOf(rest, source, root)).toThrow(String(gone?.moduleIds[0]?.slice(root.length + 1)));
  });
});
