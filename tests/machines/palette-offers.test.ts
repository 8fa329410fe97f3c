import { describe, expect, it } from 'vitest';
import { type Offer, rankedOffers, withRecent } from '#machines/palette/offers.ts';
import { folded, inOtherLayout } from '#models/typed-text.ts';

const offer = (title: string, kind: Offer['kind'] = 'screen', words = ''): Offer => ({ kind, target: title, title, detail: null, words });
const ranked = (typed: string, own: readonly Offer[], recent: readonly string[] = [], rows: readonly Offer[] = []): string[] =>
  rankedOffers({ typed, own, rows, areFresh: true, recent }).map(({ title }) => title);

describe('what the palette offers', () => {
  it('stands exact first, then by beginning, by word, by part, and by all words wherever they are', () => {
    const own = ['Redoors', 'Side door', 'Doors', 'Door'].map((title) => offer(title));
    expect(ranked('door', own)).toEqual(['Door', 'Doors', 'Side door', 'Redoors']);
    expect(ranked('open gate', [offer('River gate', 'door', 'Open the door')])).toEqual(['River gate']);
    expect(ranked('gate open nothing', [offer('River gate', 'door', 'Open the door')])).toEqual([]);
  });

  it('puts what was used lately first among equals, not before what matches better', () => {
    const own = [offer('Users'), offer('Users report'), offer('Users list')];
    expect(ranked('users', own, ['screen:Users list'])).toEqual(['Users', 'Users list', 'Users report']);
  });

  it('finds with and without ё, in any case, and in the other layout', () => {
    expect(ranked('отчет', [offer('Отчёт о лицензиях')])).toEqual(['Отчёт о лицензиях']);
    expect(ranked('вщщк', [offer('Door')])).toEqual(['Door']);
    expect(ranked('ldthm', [offer('Дверь')])).toEqual(['Дверь']);
    expect([folded('  ПЁТР  Ли '), inOtherLayout('door'), inOtherLayout('12')]).toEqual(['петр ли', 'вщщк', null]);
  });

  it('shows a few of each kind, and rows that were found by something else last', () => {
    const many = Array.from({ length: 9 }, (_, at) => offer(`Door ${at}`, 'devices'));
    expect(ranked('door', [], [], many)).toHaveLength(6);
    expect(ranked('door', [], [], [offer('Anna', 'users'), offer('Door', 'devices')])).toEqual(['Door', 'Anna']);
  });

  it('remembers twenty, each once', () => {
    const recent = Array.from({ length: 25 }, (_, at) => `screen:${at}`).reduce<readonly string[]>((all, key) => withRecent(all, key), []);
    expect([recent.length, recent[0], withRecent(recent, 'screen:20')[0], withRecent(recent, 'screen:20').length]).toEqual([
      20,
      'screen:24',
      'screen:20',
      20,
    ]);
  });
});
