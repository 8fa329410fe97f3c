import { describe, expect, it } from 'vitest';
import { findAll, sourcesIn } from './sources.ts';
import { fileNames, has, texts } from './texts.ts';

const spaces = [...new Set(fileNames.en.map((name) => name.split('.')[0] ?? ''))];
/** Comments name keys too, with holes of their own. */
const bare = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
const sources = sourcesIn(['src', 'machines', 'models', 'server/import', 'server/bulk']).map(({ path, text }) => ({ path, text: bare(text) }));
const start = `(?:${spaces.join('|')})\\.`;

/** Events have names like keys; no key is the type of anything. */
const events = new Set(findAll(sources, /\btype:\s*'([\w.]+)'/g).map(({ found }) => found));
/** Literal keys, wherever they are handed on as text: in `t('…')`, in an alert of a machine, in a list of choices. */
const literal = findAll(sources, new RegExp(`(?<![\\w/#.-])'(${start}[\\w.-]+)'`, 'g')).filter(
  ({ found }) => !/\.(?:ts|tsx|json|css)$/.test(found) && !events.has(found),
);
/** Keys with holes, each hole as `*`. */
const holed = findAll(sources, new RegExp(`\`(${start}[^\`]+)\``, 'g')).map(({ found, path }) => ({
  path,
  found: found.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '*'),
}));

const keys = [...new Set([...texts.en.keys()].flatMap((key) => [key, key.replace(/_(?:zero|one|two|few|many|other)$/, '')]))];
/** What stands in the last hole of patterns that would take in too much. */
const closed: Record<string, string> = { 'areas.*.*': '(?:title|one|add|edit|view)' };
const matching = (pattern: string): string[] => {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?()[\]\\^$|{}]/g, '\\$&'));
  const last = closed[pattern];
  const shape = new RegExp(`^${last ? parts.slice(0, -1).join('[^.]+') + last : parts.join(pattern.startsWith('areas.') ? '[^.]+' : '.+')}$`);
  return keys.filter((key) => shape.test(key));
};
/** Names of fields have dots of their own. */
const isDerived = (pattern: string): boolean => /\.(?:fields|hints|options)\./.test(pattern);
/** The beginning of an area's words, to which the rest is put later: `${key}.delete`. */
const isBeginning = (pattern: string): boolean => pattern === 'areas.*';
const endings = findAll(sources, /`\$\{\w+\}\.([a-z_.]+)`/g).map(({ found }) => `areas.*.${found}`);
/** A key may also name a whole block of words. */
const blockOf = (key: string): string[] => keys.filter((one) => one.startsWith(`${key}.`));

describe('the keys that sources name', () => {
  it('are found', () => {
    expect(literal.length).toBeGreaterThan(50);
    expect(holed.length).toBeGreaterThan(5);
  });
  it('have words in both languages', () => {
    const silent = literal
      .filter(({ found }) => (!has('en', found) || !has('ru', found)) && blockOf(found).length === 0)
      .map(({ found, path }) => `${found} (${path})`);
    expect([...new Set(silent)].toSorted()).toEqual([]);
  });
  it('with holes fit some words', () => {
    expect(
      [
        ...new Set(
          holed
            .filter(({ found }) => !isBeginning(found) && !isDerived(found) && matching(found).length === 0)
            .map(({ found, path }) => `${found} (${path})`),
        ),
      ].toSorted(),
    ).toEqual([]);
  });
});

describe('the words', () => {
  /** Looked up by code, area, permission or clause of the contract; told of one by one in the other house tests. */
  const derived = /^(?:errors\.(?:http|local)|validation|permissions|areas\.[\w-]+\.(?:fields|hints|options|sections|actions|views))\./;
  it('are all used', () => {
    const named = new Set(literal.flatMap(({ found }) => [found, ...blockOf(found)]));
    const shapes = new Set([...holed.map(({ found }) => found), ...endings].flatMap(matching));
    const idle = [...texts.en.keys()]
      .filter((key) => !derived.test(key))
      .map((key) => key.replace(/_(?:zero|one|two|few|many|other)$/, (suffix) => (texts.en.has(key.replace(/_[a-z]+$/, '_other')) ? '' : suffix)))
      .filter((key) => !named.has(key) && !shapes.has(key));
    expect([...new Set(idle)].toSorted()).toEqual([]);
  });
});
