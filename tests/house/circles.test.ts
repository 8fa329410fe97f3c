import { describe, expect, it } from 'vitest';
import { leadsTo } from '#scripts/lint/layers.js';
import { importsOf, type Source, sourcesIn } from './sources.ts';

/** Which files a file imports, types and lazy imports too. */
type Imports = ReadonlyMap<string, readonly string[]>;

function importsAmong(sources: readonly Source[]): Imports {
  const paths = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map((source) => {
      const targets = importsOf(source).map((specifier) => leadsTo(source.path, specifier));
      return [source.path, targets.flatMap((to) => ('path' in to && paths.has(to.path) ? [to.path] : []))];
    }),
  );
}

/** The files that are left when those that import nothing of the rest are taken away, again and again: circles, and what leads to them. */
function circular(imports: Imports): string[] {
  const left = new Map(imports);
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const [path, targets] of left) if (!targets.some((target) => left.has(target))) left.delete(path);
  }
  const isImported = (path: string): boolean => [...left.values()].some((targets) => targets.includes(path));
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const path of left.keys()) if (!isImported(path)) left.delete(path);
  }
  return [...left.keys()].toSorted();
}

describe('import circles', () => {
  const imports = importsAmong(sourcesIn(['models', 'machines', 'src', 'server', 'scripts', 'tests']));

  it('are found, through types too', () => {
    const source = (path: string, to: string) => ({ path, text: `import type { X } from '${to}';` });
    const sources = [
      source('server/a.ts', './b.ts'),
      source('server/b.ts', '#server/c.ts'),
      source('server/c.ts', './a.ts'),
      source('server/d.ts', './a.ts'),
    ];
    expect(circular(importsAmong(sources))).toEqual(['server/a.ts', 'server/b.ts', 'server/c.ts']);
    expect(circular(importsAmong(sources.slice(1)))).toEqual([]);
  });
  it('are not there', () => expect(circular(imports)).toEqual([]));
});
