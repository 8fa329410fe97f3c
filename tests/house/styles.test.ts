import { expect, it } from 'vitest';
import { findAll, sourcesIn } from './sources.ts';

// The guest's page is a document of its own and never meets the console's sheets.
const sheets = sourcesIn(['src'], /\.css$/).filter(({ path }) => !path.startsWith('src/guest/'));

it('a bare class is styled by one sheet: sheets come with their pages and stay, so a second one would change the pages seen after it', () => {
  const found = findAll(sheets, /^\.([\w-]+)(?=,$| \{$)/gm);
  const owners = new Map<string, Set<string>>();
  for (const { found: name, path } of found) owners.set(name, (owners.get(name) ?? new Set()).add(path));
  expect(owners.size).toBeGreaterThan(100);
  expect([...owners].filter(([, paths]) => paths.size > 1)).toEqual([]);
});

it('the colours of a tone are given once, in base.css: other sheets draw with --tone and --tone-ground', () => {
  const given = findAll(sheets, /\[data-tone='\w+'\][^{}]*\{[^}]*var\(--(good|warn|bad|info)\b/g).map(({ found, path }) => `${path}: ${found}`);
  expect(given).toEqual(['info', 'good', 'warn', 'bad'].map((tone) => `src/styles/base.css: ${tone}`));
});
