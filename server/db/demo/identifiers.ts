import type { IdentifierType } from '#models/device-events.ts';
import { lengthOf } from '#models/time.ts';
import type { identifiers } from '../schema/index.ts';
import { demoId, dice } from './chance.ts';
import type { DemoPerson } from './people.ts';

export type DemoIdentifier = typeof identifiers.$inferInsert & { id: string; userId: string };

const day = lengthOf(1, 'day');
const digits = (length: number, below: (limit: number) => number): string => Array.from({ length }, () => String(below(10))).join('');
const letters = 'A B C E H K L M P R S T X'.split(' ');

type Dice = ReturnType<typeof dice>;

/** Values as devices read them, each once in a project. */
function valuesBy({ below, pick }: Dice): (type: IdentifierType) => string {
  const taken = new Set<string>();
  const makers: Partial<Record<IdentifierType, () => string>> = {
    card: () => Array.from({ length: 8 }, () => '0123456789ABCDEF'[below(16)]).join(''),
    ukey: () => Array.from({ length: 12 }, () => '0123456789ABCDEF'[below(16)]).join(''),
    access_code: () => digits(6, below),
    license_plate: () => `B${pick(letters)}${pick(letters)}${100 + below(9_899)}`,
    qr: () => Array.from({ length: 20 }, () => '0123456789abcdefghjkmnpqrstvwxyz'[below(32)]).join(''),
  };
  return (type) => {
    const make = makers[type] ?? (() => digits(8, below));
    for (;;) {
      const value = make();
      const key = `${type} ${value}`;
      if (taken.has(key)) continue;
      taken.add(key);
      return value;
    }
  };
}

/** A card, code or plate that lets its owner in without limits. */
const unlimited = {
  isActive: true,
  revokedAt: null,
  lostAt: null,
  ownerType: 'owner',
  guestType: null,
  keyMessage: null,
  keyToken: null,
  periodRestrictActive: false,
  periodRestrictFrom: null,
  periodRestrictTo: null,
  passesRestrictActive: false,
  passesMaxCount: null,
  passesCount: 0,
} as const satisfies Partial<DemoIdentifier>;

/** A key as the server makes them: 128 bits. */
const keyToken = ({ below }: Dice): string => Buffer.from(Uint8Array.from({ length: 16 }, () => below(256))).toString('base64url');

/** What guests are called on their passes, and what they come for. */
const visits = [
  { guestType: 'guest', name: 'Visit to', keyMessage: 'Take the elevator on the left. See you soon!' },
  { guestType: 'courier', name: 'Parcel for', keyMessage: 'Please leave the parcel with the concierge.' },
  { guestType: 'temporary', name: 'Stay with', keyMessage: 'The Wi-Fi password is on the kitchen table.' },
  { guestType: 'staff', name: 'Cleaning for', keyMessage: null },
] as const;

/** A pass for a guest: some days, a few times. */
const guestPass = (at: Date, { below }: Dice, visit: (typeof visits)[number], token: string): Partial<DemoIdentifier> => ({
  ownerType: 'guest',
  guestType: visit.guestType,
  keyMessage: visit.keyMessage,
  keyToken: token,
  periodRestrictActive: true,
  periodRestrictFrom: new Date(at.getTime() - 2 * day),
  periodRestrictTo: new Date(at.getTime() + below(10) * day),
  passesRestrictActive: true,
  passesMaxCount: 10,
  passesCount: below(10),
});

/** What people open doors with: cards and key fobs, a code, the plate of a car; some lost, some for guests. */
export function demoIdentifiers(projectId: string, people: readonly DemoPerson[], at: Date, seed: number): DemoIdentifier[] {
  const thrown = dice(seed);
  const { below, chance, pick } = thrown;
  // Of their own: what is thrown for keys changes nothing of what the rest gets.
  const tokens = dice(seed + 1);
  const fresh = valuesBy(thrown);
  const make = ({ id: userId }: DemoPerson['user'], type: IdentifierType, name: string, more: Partial<DemoIdentifier> = {}): DemoIdentifier => {
    const value = fresh(type);
    const madeAt = new Date(at.getTime() - (1 + below(90)) * day);
    const id = demoId(`${projectId} identifier ${type} ${value}`);
    return { id, projectId, userId, name, type, value, ...unlimited, createdAt: madeAt, updatedAt: madeAt, ...more };
  };
  return people.flatMap(({ user }) => {
    const gone = chance(0.05);
    const since = new Date(at.getTime() - below(30) * day);
    const visit = pick(visits);
    const guest = guestPass(at, thrown, visit, keyToken(tokens));
    return [
      make(user, 'card', `Card of ${user.name}`, gone ? { lostAt: since, ...(chance(0.5) && { revokedAt: since }) } : {}),
      ...(gone ? [make(user, 'card', `Second card of ${user.name}`)] : []),
      ...(chance(0.42) ? [make(user, 'ukey', `Key of ${user.name}`)] : []),
      ...(chance(0.34) ? [make(user, 'access_code', `Code of ${user.name}`)] : []),
      ...(chance(0.2) ? [make(user, 'license_plate', `Car of ${user.name}`)] : []),
      ...(chance(0.06) ? [make(user, 'qr', `${visit.name} ${user.name}`, guest)] : []),
    ];
  });
}
