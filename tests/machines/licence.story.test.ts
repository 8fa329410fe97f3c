import { createActor, SimulatedClock } from 'xstate';
import { describe } from 'vitest';
import { licenceMachine, type LicenceStatusRead } from '#machines/licence/licence.machine.ts';
import type { LicenceStatusReport } from '#models/licences.ts';
import { held } from '#tests/support/ports.ts';
import { licenceStory } from '#tests/support/stories/licence.ts';
import { type Driver, runStory } from '#tests/support/story.ts';

const day = 86_400;
const minute = 60_000;
const morning = Date.UTC(2026, 2, 2, 9) / 1_000;
type Published = Pick<LicenceStatusReport, 'status' | 'reminders'>;
const nothing = (status: 'normal' | 'no_license'): Published => ({ status, reminders: [] });
const ending = (status: 'will_expire' | 'already_expired', ends: number): Published => ({
  status,
  reminders: [{ group: null, status, ends_at: ends, features_end_at: ends + 100 * day, mode: 'everyday' }],
});

/** What the person sees of it: the server's word, and whether a message stands or was put aside. */
const seen = {
  normal: { standing: 'quiet', gone: 'quiet' },
  no_license: { standing: 'without', gone: 'withoutPutAside' },
  will_expire: { standing: 'warned', gone: 'putAside' },
  already_expired: { standing: 'late', gone: 'latePutAside' },
} as const;

async function driver(): Promise<Driver> {
  const clock = new SimulatedClock();
  const readLicenceStatus = held<LicenceStatusRead>();
  const closed: Record<string, number> = {};
  const machine = licenceMachine.provide({
    actors: { readLicenceStatus: readLicenceStatus.actor },
    actions: {
      saveClosed: (_, { topic, at }: { topic: string; at: number }) => {
        closed[topic] = at;
      },
    },
  });
  const actor = createActor(machine, { input: { zone: { zoneHours: 0, zoneName: null } }, clock }).start();
  let at = morning;
  let published = nothing('normal');
  const answer = (given = published): Promise<void> => {
    published = given;
    return readLicenceStatus.answer({ licenceStatus: { at, changes_at: null, ...published }, closed: { ...closed } });
  };
  const changed = (): void =>
    actor.send({ type: 'realtime.events', events: [{ topic: 'private-app-changes', name: 'LicenceChanged', payload: {} }] });
  const hears = (given?: Published) => async (): Promise<void> => {
    changed();
    await answer(given);
  };
  const standing = (): string[] => Object.keys(actor.getSnapshot().context.said);
  await answer();
  return {
    where: () => {
      const { warning } = actor.getSnapshot().value;
      return seen[warning][standing().length > 0 ? 'standing' : 'gone'];
    },
    words: {
      allIsWell: hears(),
      nothingNew: hears(),
      endsSoon: hears(ending('will_expire', morning + 9 * day)),
      hasRunOut: hears(ending('already_expired', morning - day)),
      isRenewed: hears(nothing('normal')),
      isTakenAway: hears(nothing('no_license')),
      noAnswer: async () => {
        changed();
        await readLicenceStatus.refuse({ code: 'offline' });
        clock.increment(minute);
        await answer();
      },
      nextDay: async () => {
        at += day;
        clock.increment(day * 1_000);
        await answer();
      },
      close: () => {
        for (const topic of standing()) actor.send({ type: 'alert.closed', topic });
      },
    },
    buttons: [{ name: 'close', words: ['close'], isThere: () => standing().length > 0 }],
  };
}

describe('the licence, as told', () => {
  runStory(licenceStory, driver);
});
