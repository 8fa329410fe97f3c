import { describe, expect, it } from 'vitest';
import { announces } from '#models/announces.ts';
import { ownSource, picturesIn, withoutSignatures, withSources } from '#models/picture-sources.ts';
import { uuid } from '#tests/support/people.ts';

const [one, two] = [`/api/v0/files/${uuid(1)}`, `/api/v0/files/${uuid(2)}`];
const html = `<p>a</p><img src="${one}?until=1&amp;signature=b" alt="src=&quot;${two}&quot;"><img alt="" src="${two}">`;

describe('pictures in formatted text', () => {
  it('are found by their tags, each once', () => {
    expect(picturesIn(html + html)).toEqual([uuid(1), uuid(2)]);
    expect(picturesIn(`<p>img src="${one}"</p>`)).toEqual([]);
  });

  it('are compared without their signatures', () => {
    expect(withoutSignatures(html)).toBe(`<p>a</p><img src="${one}" alt="src=&quot;${two}&quot;"><img alt="" src="${two}">`);
    const signed = { ...announces.initial, body: html };
    expect(announces.toWire(signed)['body']).toBe(withoutSignatures(html));
    expect(announces.changes({ ...signed, body: html.replace('until=1', 'until=2') }, signed)).toEqual({});
  });

  it('are given another address each', () => {
    expect(withSources(html, (_address, id) => `cid:${id}`)).toContain(`<img alt="" src="cid:${uuid(2)}">`);
  });

  it('are of this server: no other address is one', () => {
    expect([ownSource(one), ownSource(`${one}?until=1&signature=a_-`)]).toEqual([one, one]);
    for (const other of [
      undefined,
      '',
      'https://e.example/a.png',
      `https://e.example${one}`,
      `//e.example${one}`,
      `//host/files/${uuid(1)}`,
      `${one}/..`,
      `${one}?next=1`,
      'data:image/png;base64,AA',
      'javascript:1',
    ])
      expect(ownSource(other), other).toBeNull();
  });
});
