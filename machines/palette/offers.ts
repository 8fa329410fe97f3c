import type { Found, SearchArea } from '#models/search.ts';
import { folded, inOtherLayout } from '#models/typed-text.ts';

/** What may be offered: a screen, something to do, a door to open, or a row of an area. */
export type OfferKind = 'act' | 'screen' | 'door' | SearchArea;
/** One line of the palette. `target`: a path, the name of an act, or the id of a device or row. */
export interface Offer {
  kind: OfferKind;
  target: string;
  title: string;
  detail: string | null;
  /** What else it is found by. */
  words: string;
}
/** A door that may be opened. */
export interface PaletteDoor {
  id: string;
  name: string;
  token: string;
}

/** What an offer is remembered by. */
export const keyOf = ({ kind, target }: Pick<Offer, 'kind' | 'target'>): string => `${kind}:${target}`;
const idOf = (key: string): string => key.slice(key.indexOf(':') + 1);
const isRow = (key: string): boolean => /^(?:users|groups|devices|sip-numbers):/.test(key);
/** The rows among what was used lately. */
export const recentRows = (recent: readonly string[]): readonly string[] => recent.filter(isRow).map(idOf);

const mostRemembered = 20;
/** What was used lately with one more in front. */
export const withRecent = (recent: readonly string[], key: string): readonly string[] =>
  [key, ...recent.filter((one) => one !== key)].slice(0, mostRemembered);

/** Rows as offers, in the order the server found them. */
export const offersOf = (rows: readonly Found[]): readonly Offer[] =>
  rows.map(({ area, id, name, detail }) => ({ kind: area, target: id, title: name, detail, words: '' }));
/** Doors as offers, found by the words of opening too. */
export const doorOffers = (doors: readonly PaletteDoor[], words: string): readonly Offer[] =>
  doors.map(({ id, name }) => ({ kind: 'door', target: id, title: name, detail: null, words }));

/** How well an offer matches: the whole title, its beginning, a word's beginning, any part, all words at their beginning, all words; null for not at all. */
function rankOf({ title, words }: Offer, typed: string): number | null {
  const name = folded(title);
  if (name === typed) return 0;
  if (name.startsWith(typed)) return 1;
  if (beginsWord(name, typed)) return 2;
  if (name.includes(typed)) return 3;
  const all = `${name} ${folded(words)}`;
  const asked = typed.split(' ');
  if (asked.every((one) => beginsWord(all, one))) return 4;
  return asked.every((one) => all.includes(one)) ? 5 : null;
}
function beginsWord(text: string, typed: string): boolean {
  for (let at = text.indexOf(typed); at >= 0; at = text.indexOf(typed, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  return false;
}

/** The server found these by something that is not in the title: an email address, a phone number, the other layout. */
const foundOtherwise = 6;
const most: Readonly<Partial<Record<OfferKind, number>>> = { act: 10, screen: 10 };
const mostRows = 6;
const kinds: readonly OfferKind[] = ['act', 'screen', 'door', 'users', 'groups', 'devices', 'sip-numbers'];

interface Ranked {
  offer: Offer;
  rank: number;
}
const matching = (offers: readonly Offer[], typed: string): Ranked[] =>
  offers.flatMap((offer) => {
    const rank = rankOf(offer, typed);
    return rank === null ? [] : [{ offer, rank }];
  });

/** Where nothing matches, the same keys may have been meant in the other layout. */
function ownMatches(own: readonly Offer[], typed: string): Ranked[] {
  const found = matching(own, typed);
  const other = found.length > 0 ? null : inOtherLayout(typed);
  return other ? matching(own, folded(other)) : found;
}

/** Rows in hand for what is typed: those just found for it, or of those found before the ones that still match. */
function rowMatches(rows: readonly Offer[], typed: string, areFresh: boolean): Ranked[] {
  return areFresh ? rows.map((offer) => ({ offer, rank: rankOf(offer, typed) ?? foundOtherwise })) : matching(rows, typed);
}

interface Asked {
  typed: string;
  own: readonly Offer[];
  rows: readonly Offer[];
  /** Whether the rows were found for what is typed now. */
  areFresh: boolean;
  recent: readonly string[];
}

/** Nothing typed: what was used lately, then where one can go and what one can do. Doors are found by name. */
function untyped({ own, rows, recent }: Asked): readonly Offer[] {
  const all = [...own, ...rows];
  const lately = recent.flatMap((key) => all.find((offer) => keyOf(offer) === key) ?? []);
  const further = (kind: OfferKind): readonly Offer[] => own.filter((offer) => offer.kind === kind && !lately.includes(offer));
  return [...lately, ...further('screen'), ...further('act')];
}

/** The lines of the palette, best first; among equals what was used lately, then by kind. A few of each kind. */
export function rankedOffers(asked: Asked): readonly Offer[] {
  const typed = folded(asked.typed);
  if (typed === '') return untyped(asked);
  const lately = (offer: Offer): number => {
    const at = asked.recent.indexOf(keyOf(offer));
    return at < 0 ? asked.recent.length : at;
  };
  const sorted = [...ownMatches(asked.own, typed), ...rowMatches(asked.rows, typed, asked.areFresh)].toSorted(
    (one, other) =>
      one.rank - other.rank || lately(one.offer) - lately(other.offer) || kinds.indexOf(one.offer.kind) - kinds.indexOf(other.offer.kind),
  );
  const count = new Map<OfferKind, number>();
  return sorted.flatMap(({ offer }) => {
    const before = count.get(offer.kind) ?? 0;
    count.set(offer.kind, before + 1);
    return before < (most[offer.kind] ?? mostRows) ? [offer] : [];
  });
}
