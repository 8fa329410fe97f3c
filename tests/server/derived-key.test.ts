import { describe, expect, it } from 'vitest';
import { loadConfig } from '#server/config.ts';
import { derivedKey } from '#server/derived-key.ts';

const config = { ...loadConfig({}), secret: 'a secret of the installation' };

describe('a key derived from the secret of the installation', () => {
  it.each([
    ['device secrets', '8e6194470b893e31978d2419884eda46de3ce20203582141cf91f2e0b8e8c20f'],
    ['exchanged tokens', 'f6823be20968c1ab43d5a8c963dc80b364d0d1b109aea3e3558ee8a5b4ff7186'],
    ['picture links', 'ebdc1c29e02cb3a8a82d188ed57866da9c2cfff02305a1dc221b2f96b3d3cfb5'],
    ['sip sessions', '2683236782e76538aefbd71cc4a400453a0bef54e675e5796cbfa4b3bde5e76c'],
  ] as const)('for %s stays what it is from version to version, since what was sealed with it lies in databases', (purpose, key) => {
    expect(derivedKey({ config }, purpose).toString('hex')).toBe(key);
  });

  it('is none where the installation has no secret', () => {
    expect(() => derivedKey({ config: { ...config, secret: null } }, 'device secrets')).toThrow('has no secret');
  });
});
