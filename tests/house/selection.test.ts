import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fullOnly, inShort, longest, notInShort } from '#tests/support/selection.ts';

describe('which tests a run has', () => {
  it.each(Object.entries({ fullOnly, inShort, longest, notInShort }))('every file of %s is there, once', (_, files) => {
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(files).toEqual([...new Set(files)]);
  });

  it('the short run names no file that only the full one has', () => {
    expect(fullOnly.filter((file) => inShort.includes(file))).toEqual([]);
  });
});
