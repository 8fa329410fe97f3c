import { describe, expect, it } from 'vitest';
import { sourcesIn } from './sources.ts';

/** The boundaries of a formatted source with more than one child, by line. */
function crowded(path: string, text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const indent = /^( *)<Suspense\b.*(?<!\/)>$/.exec(line)?.[1];
    if (indent === undefined) return [];
    const end = lines.indexOf(`${indent}</Suspense>`, at);
    const children = lines
      .slice(at + 1, end)
      .filter((inner) => inner.startsWith(`${indent}  `) && /^(?:<[A-Za-z>]|\{)/.test(inner.slice(indent.length + 2)));
    return children.length > 1 ? [`${path}:${at + 1}`] : [];
  });
}

describe('what waits for its code', () => {
  it('hides nothing that stands already: each Suspense holds one child', () => {
    const views = sourcesIn(['src']).filter(({ path }) => path.endsWith('.tsx'));
    expect(views.filter(({ text }) => text.includes('<Suspense')).length).toBeGreaterThan(10);
    expect(views.flatMap(({ path, text }) => crowded(path, text))).toEqual([]);
  });

  it('is told from neighbours that share one by this test itself', () => {
    expect(crowded('a.tsx', '  <Suspense>\n    <A />\n    {b && <B />}\n  </Suspense>')).toEqual(['a.tsx:1']);
    expect(crowded('a.tsx', '  <Suspense key={1}>\n    <A\n      b={1}\n    />\n  </Suspense>')).toEqual([]);
  });
});

it('is fetched by `lazyPart`, without which the page stands: React’s own `lazy` takes it down', () => {
  const own = sourcesIn(['src']).filter(({ path, text }) => !path.endsWith('lazy-part.ts') && /(?<![\w.])lazy\(/.test(text));
  expect(own.map(({ path }) => path)).toEqual([]);
});
