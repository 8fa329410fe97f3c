import { describe, expect, it } from 'vitest';
import { findAll, sourcesIn } from './sources.ts';

const list = 'src/styles/stacking.css';
const styles = sourcesIn(['src'], /\.css$/);
const code = sourcesIn(['src']);
const layers = findAll(
  styles.filter(({ path }) => path === list),
  /^\s*(--layer-[a-z-]+: \d+);/gm,
).map(({ found }) => {
  const [name = '', height] = found.split(': ');
  return { name, height: Number(height) };
});

describe('what lies above what', () => {
  it('is one list, from the lowest to the highest, with the calls above all', () => {
    expect(layers.length).toBeGreaterThan(10);
    expect(layers).toEqual(layers.toSorted((a, b) => a.height - b.height));
    expect(new Set(layers.map(({ height }) => height)).size).toBe(layers.length);
    expect(layers.at(-1)?.name).toBe('--layer-calls');
  });

  it('is named nowhere else, and every layer of the list is used', () => {
    expect(findAll(styles, /(--layer-[a-z-]+)\s*:/g).filter(({ path }) => path !== list)).toEqual([]);
    const used = findAll(styles, /z-index:\s*([^;]+);/g);
    const known = new Set(layers.map(({ name }) => `var(${name})`));
    expect(used.filter(({ found }) => !known.has(found))).toEqual([]);
    expect([...known].filter((layer) => !used.some(({ found }) => found === layer))).toEqual([]);
  });

  it('has nothing that lies above the list: no height of its own in code, nothing in the top layer of the browser but the calls with a picture in full', () => {
    const above = findAll(code, /\b(zIndex|showModal|showPopover|popover=|requestFullscreen)\b/g);
    expect(above).toEqual([{ found: 'requestFullscreen', path: 'src/views/phone/picture.tsx' }]);
  });
});
