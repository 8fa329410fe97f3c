import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Case, concerns } from '#server/access/case.ts';
import { effectOf, type Place, type Plan } from '#server/access/effect.ts';
import { grantedTimes } from '#server/access/granted-times.ts';
import { worldOf } from '#server/access/world.ts';
import { type SmallWorld, worldFrom } from '#tests/support/access-worlds.ts';
import { runs } from '#tests/support/runs.ts';
import { credentialOf } from '#tests/support/credential.ts';

const DAY = 24 * 60 * 60_000;
const worlds = fc.uint8Array({ minLength: 90, maxLength: 110 }).map(worldFrom);
const subset = (all: readonly string[]) => fc.subarray([...all]).map((ids) => new Set(ids));
const ruleIds = ['r1', 'r2', 'r3'];
const card = credentialOf({ id: 'card' });

/** One door and others that differ from it by their holidays or their clock alone; of lifts each floor. */
function placesOf({ data, day }: SmallWorld): Place[] {
  const [first] = data.doors;
  if (!first) throw new Error('the world has no door');
  const door = { ...first, antiPassback: null };
  const doors = [door, { ...door, id: 'd2', holidays: [day] }, { ...door, id: 'd3', zone: { zoneHours: 3, zoneName: null } }];
  return doors.flatMap((each): Place[] =>
    each.isLift ? [1, 2].map((floor) => ({ id: `${each.id} ${floor}`, door: each, floor })) : [{ id: each.id, door: each, floor: null }],
  );
}
const planOf = ({ data: { rules, schedules } }: SmallWorld, rights: ReadonlySet<string>): Plan => ({
  rules: rules.map((rule) => ({ ...rule, devices: new Set(['d1', 'd2', 'd3']) })),
  schedules,
  rights,
});

/** When somebody whom these rules reach may pass a place, reckoned for it alone. */
function timesAt({ rules, schedules, rights }: Plan, { door, floor }: Place, reaching: ReadonlySet<string>, at: number): unknown[] {
  const world = worldOf({ rules, schedules, doors: [door], credentials: [], people: [], parents: [], passages: [], licences: [] });
  const mine = rules.filter((rule) => reaching.has(rule.id) && rule.devices.has(door.id) && concerns(rule, door, floor ?? undefined));
  const permitting = mine.filter(({ isProhibition }) => !isProhibition);
  const prohibiting = mine.filter(({ isProhibition }) => isProhibition && !mine.some((one) => rights.has(one.id)));
  const asked: Case = { world, door, at, credential: card, owner: undefined, permitting, prohibiting };
  return grantedTimes(asked, { from: at, to: at + 400 * DAY });
}

it('what a change does to people at a place is what it does there alone, whatever other places and people there are', () => {
  const classes = fc.array(fc.record({ before: subset(ruleIds), after: subset(ruleIds) }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(worlds, worlds, classes, subset(ruleIds), (one, other, people, rights) => {
      const [before, after] = [planOf(one, rights), planOf(other, rights)];
      const [places, { at }] = [placesOf(one), one.question];
      const found = effectOf(before, after, places, people, at);
      const wanted = places.map((place) => ({
        placeId: place.id,
        classes: people.flatMap((each, index) => {
          const [old, next] = [timesAt(before, place, each.before, at), timesAt(after, place, each.after, at)];
          if (JSON.stringify(old) === JSON.stringify(next)) return [];
          return [{ at: index, kind: old.length === 0 ? 'opens' : next.length === 0 ? 'closes' : 'hours' }];
        }),
      }));
      expect(found).toEqual(wanted);
    }),
    runs(500),
  );
});
