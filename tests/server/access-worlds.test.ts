import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { denialReasons } from '#models/device-events.ts';
import { holdsAt, type Interval, intervals, nextOpening } from '#models/schedule-times.ts';
import { decide, judge } from '#server/access/decide.ts';
import { sentChange, sentCopy, terseChange, terseCopy } from '#server/access/copy-wire.ts';
import { changeBetween, copyFor, type DeviceCopy, withChange, worldOfCopy } from '#server/access/device-copy.ts';
import { worldOf } from '#server/access/world.ts';
import { type SmallWorld, worldFrom } from '#tests/support/access-worlds.ts';
import { naivelyHolds, naiveDenial } from '#tests/support/naive-access.ts';
import { runs } from '#tests/support/runs.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const worlds = fc.uint8Array({ minLength: 90, maxLength: 110 }).map(worldFrom);
const lies = (times: readonly Interval[], at: number): boolean => times.some(({ from, to }) => from <= at && at < to);

const minutes = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / MINUTE)) }, (_, n) => from + n * MINUTE);

/** Where a question's device and one schedule are. */
function partsOf({ data, question }: SmallWorld) {
  const door = data.doors.find(({ id }) => id === question.deviceId);
  const [schedule] = data.schedules;
  if (!door || !schedule) throw new Error('the world lacks something');
  return { door, schedule };
}

describe('a decision', () => {
  const asked = runs(100_000);

  it(`is that of the naive reading in ${asked.numRuns} worlds, and every reason comes up`, () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(worlds, ({ data, question }) => {
        const { reason, isGranted } = judge(worldOf(data), question);
        expect(reason).toBe(naiveDenial(data, question));
        expect(isGranted).toBe(reason === null);
        seen.set(reason ?? 'granted', (seen.get(reason ?? 'granted') ?? 0) + 1);
      }),
      asked,
    );
    for (const outcome of ['granted', ...denialReasons]) expect([outcome, (seen.get(outcome) ?? 0) > asked.numRuns / 2_000]).toEqual([outcome, true]);
  });

  it('is the same by the value that is presented', () => {
    fc.assert(
      fc.property(worlds, ({ data, question }) => {
        const world = worldOf(data);
        const { type, value } = world.credentials.get(question.credential.id) ?? { type: 'card' as const, value: 'unheard of' };
        expect(judge(world, { ...question, credential: { type, value } })).toEqual(judge(world, question));
      }),
      runs(2_000),
    );
  });

  it(
    'says until when it stays granted and when it would be next, minute by minute for two days and then at the edges',
    () => {
      fc.assert(
        fc.property(worlds, ({ data, question }) => {
          const { isGranted, until, next } = decide(worldOf(data), question);
          const opens = (at: number): boolean => naiveDenial(data, { ...question, at }) === null;
          const turn = isGranted ? until : next;
          const { at } = question;
          const first = Math.ceil(at / MINUTE) * MINUTE;
          const last = Math.min(turn ?? Infinity, at + 2 * DAY);
          expect(minutes(first, last).find((minute) => opens(minute) !== isGranted)).toBeUndefined();
          expect(turn === null || (opens(turn - 1) === isGranted && opens(turn) !== isGranted)).toBe(true);
        }),
        runs(100),
      );
    },
    3 * MINUTE,
  );
});

describe('the times of a schedule', () => {
  it('are those that the clock on the wall shows, minute by minute for three days', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { door, schedule } = partsOf(world);
        const from = Date.parse(world.day) - DAY;
        const times = intervals(schedule, door.zone, door.holidays, from, from + 3 * DAY);
        const wrong = minutes(from, from + 3 * DAY).find((at) => lies(times, at) !== naivelyHolds(schedule, door, at));
        expect(wrong).toBeUndefined();
        expect(times.filter((time) => time.from >= time.to || time.from < from || time.to > from + 3 * DAY)).toEqual([]);
        expect(times.filter((time, index) => time.from <= (times[index - 1]?.to ?? -Infinity))).toEqual([]);
      }),
      runs(100),
    );
  });

  it(
    'hold at a moment as the naive reading says',
    () => {
      fc.assert(
        fc.property(worlds, (world) => {
          const { door, schedule } = partsOf(world);
          const { at } = world.question;
          expect(holdsAt(schedule, door.zone, door.holidays, at)).toBe(naivelyHolds(schedule, door, at));
        }),
        runs(20_000),
      );
    },
    3 * MINUTE,
  );

  it(
    'open next where the list of them begins',
    () => {
      fc.assert(
        fc.property(worlds, (world) => {
          const { door, schedule } = partsOf(world);
          const { at } = world.question;
          const [first] = intervals(schedule, door.zone, door.holidays, at, at + 400 * DAY);
          expect(nextOpening(schedule, door.zone, door.holidays, at)).toBe(first?.from ?? null);
        }),
        runs(2_000),
      );
    },
    3 * MINUTE,
  );
});

describe('the copy of a device', () => {
  it(
    'decides as the server does; whom it does not know the server lets in neither',
    () => {
      fc.assert(
        fc.property(worlds, ({ data, question }) => {
          const world = worldOf(data);
          const copy = copyFor(world, question.deviceId);
          const [server, device] = [decide(world, question), decide(worldOfCopy(copy, data.passages), question)];
          const { steps: _server, ...decided } = server;
          const unknown = { isGranted: false, reason: 'unknown_identifier' };
          const isKnown = copy.credentials.some(({ id }) => id === question.credential.id);
          expect(device).toMatchObject(isKnown ? decided : unknown);
          expect(server.isGranted && !isKnown).toBe(false);
        }),
        runs(10_000),
      );
    },
    3 * MINUTE,
  );

  it(
    'becomes that of another world by their difference, also when it was stored and read meanwhile',
    () => {
      fc.assert(
        fc.property(worlds, worlds, (one, other) => {
          const [before, after] = [copyFor(worldOf(one.data), 'd1'), copyFor(worldOf(other.data), 'd1')];
          const stored = sentCopy.parse(JSON.parse(JSON.stringify(terseCopy(before))));
          expect(stored).toEqual(before);
          const change = sentChange.parse(JSON.parse(JSON.stringify(terseChange(changeBetween(stored, after)))));
          expect(withChange(stored, change)).toEqual(after);
          const stranger = { ...before, version: 'another' };
          expect(withChange(stranger, change)).toBeNull();
        }),
        runs(5_000),
      );
    },
    3 * MINUTE,
  );

  it(
    'has the same version for the same contents and another for others',
    () => {
      fc.assert(
        fc.property(worlds, worlds, (one, other) => {
          const [before, after] = [copyFor(worldOf(one.data), 'd1'), copyFor(worldOf(other.data), 'd1')];
          expect(copyFor(worldOf(one.data), 'd1').version).toBe(before.version);
          const spent = (copy: DeviceCopy) =>
            copy.credentials.map(({ passes, ...rest }) => ({ ...rest, passes: passes && { max: passes.max, isSpent: passes.count >= passes.max } }));
          const contents = (copy: DeviceCopy) => ({ ...copy, version: null, credentials: spent(copy) });
          expect(before.version === after.version).toBe(isDeepStrictEqual(contents(before), contents(after)));
        }),
        runs(2_000),
      );
    },
    3 * MINUTE,
  );
});
