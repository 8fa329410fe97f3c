import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { laraCss, onTokens, parse, plainComponents } from '#scripts/lara-on-tokens.ts';

const theme = readFileSync('node_modules/primereact/resources/themes/lara-light-blue/theme.css', 'utf8');
const tokens = readFileSync('src/styles/tokens.css', 'utf8');

/** Each token that differs by theme: its light and its dark colour. */
const pairs = new Map(
  [...tokens.matchAll(/--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/g)].map(([, name = '', light = '', dark = '']) => [
    name,
    { light, dark },
  ]),
);
const channel = (hex: string, at: number): number => {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};
const luminance = (hex: string): number => 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5);
/** How far two colours stand apart (WCAG 2.2): 4.5 for text, 3 for the edges of controls. */
function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const texts: [text: string, grounds: string[]][] = [
  ['text', ['ground', 'surface', 'raised', 'hover', 'accent-ground', 'good-ground', 'warn-ground', 'bad-ground']],
  ['quiet', ['ground', 'surface', 'raised', 'hover', 'accent-ground']],
  ['faint', ['ground', 'surface', 'raised']],
  ['accent', ['ground', 'surface', 'raised', 'accent-ground', 'hover']],
  ['good', ['surface', 'raised', 'good-ground']],
  ['warn', ['surface', 'raised', 'warn-ground']],
  ['bad', ['surface', 'raised', 'bad-ground', 'ground']],
  ['on-accent', ['accent', 'accent-strong', 'good']],
  ['on-bad', ['bad', 'bad-strong']],
];

describe('the tokens can be read', () => {
  const cases = texts.flatMap(([text, grounds]) =>
    grounds.flatMap((ground) => (['light', 'dark'] as const).map((side) => [text, ground, side] as const)),
  );
  it.each(cases)('%s on %s, %s', (text, ground, side) => {
    expect(contrast(pairs.get(text)?.[side] ?? '', pairs.get(ground)?.[side] ?? '')).toBeGreaterThanOrEqual(4.5);
  });
  it.each(['light', 'dark'] as const)('the edge of a box to tick stands out, %s', (side) => {
    expect(contrast(pairs.get('edge')?.[side] ?? '', pairs.get('surface')?.[side] ?? '')).toBeGreaterThanOrEqual(3);
  });
});

describe('the Lara theme on our tokens', () => {
  let css = '';
  beforeAll(async () => {
    css = laraCss(theme, await plainComponents(process.cwd()));
  });

  it('names no colour of its own', () => expect(css.match(/#[\da-f]{3,8}\b|rgba?\(/gi)).toBeNull());
  it('names only tokens that there are, or that it defines itself', () => {
    const known = new Set([...tokens.matchAll(/--([\w-]+):/g), ...css.matchAll(/--([\w-]+):/g)].map(([, name]) => name));
    const named = [...css.matchAll(/var\(--([\w-]+)/g)].map(([, name = '']) => name);
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  });
  it('holds the components that are used and what these use, and leaves out all others', async () => {
    expect(await plainComponents(process.cwd())).toContain('inputtext');
    expect(css).toMatch(/\.p-button\b/);
    expect(css).not.toMatch(/\.p-(datatable|galleria|organizationchart|editor)\b/);
    expect(css.length).toBeLessThan(theme.length / 2);
  });
  it('keeps of a rule with several selectors those of used components', () => {
    const rest = laraCss('.p-button, .p-galleria .p-button { color: #ffffff; }', ['button']);
    expect(rest.endsWith('.p-button{color:var(--on-accent)}')).toBe(true);
  });
  it('refuses a colour that nobody gave a token', () => expect(() => onTokens('color: #123456')).toThrow('has no token'));
  it('reads nested blocks', () => {
    expect(parse('@layer a { .x { b: c } } .y { d: e }')).toEqual([
      { head: '@layer a', body: [{ head: '.x', body: ' b: c ' }] },
      { head: '.y', body: ' d: e ' },
    ]);
  });
  it('turns rings and shadows into the ones of the house', () => {
    expect(onTokens('box-shadow: 0 0 0 0.2rem #bfdbfe')).toBe('box-shadow:var(--focus)');
    expect(onTokens('box-shadow: 0 2px 12px 0 rgba(0, 0, 0, 0.1)')).toBe('box-shadow:var(--shadow)');
    expect(onTokens('background: rgba(59, 130, 246, 0.04)')).toBe('background:color-mix(in srgb, var(--accent) 4%, transparent)');
  });
});
