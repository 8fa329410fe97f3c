import { createActor, SimulatedClock } from 'xstate';
import { describe, expect } from 'vitest';
import { alarmsMachine, openAlarmOf } from '#machines/alarms/alarms.machine.ts';
import type { AlarmsFact, OpenAlarms } from '#machines/alarms/alarms.setup.ts';
import { openAlarmMachine } from '#machines/alarms/open-alarm.machine.ts';
import type { DeviceAlarm } from '#models/device-alarms.ts';
import { topics } from '#models/realtime.ts';
import { anna } from '#tests/support/people.ts';
import { held, settled } from '#tests/support/ports.ts';
import { alarmsStory } from '#tests/support/stories/alarms.ts';
import { type Driver, runStory } from '#tests/support/story.ts';
import { alarm, boris, claimedBy, deskAnna, processedBy } from '#tests/support/watch.ts';

async function driver(): Promise<Driver> {
  const ports = {
    readAlarms: held<OpenAlarms>(),
    claimAlarm: held<DeviceAlarm, { id: string }>(),
    processAlarm: held<DeviceAlarm, { id: string; comment: string | null }>(),
  };
  const clock = new SimulatedClock();
  const openAlarm = openAlarmMachine.provide({ actors: { claimAlarm: ports.claimAlarm.actor, processAlarm: ports.processAlarm.actor } });
  const desk = createActor(alarmsMachine.provide({ actors: { openAlarm, readAlarms: ports.readAlarms.actor } }), {
    input: { profile: deskAnna },
    clock,
  });
  const facts: AlarmsFact[] = [];
  desk.on('*', (fact) => void facts.push(fact));
  desk.start();
  const actorOf = () => openAlarmOf(desk.getSnapshot(), alarm(1).id);
  const rings = (): number => facts.filter(({ type }) => type === 'sound.play').length;
  const problems = (): string[] => facts.flatMap((fact) => (fact.type === 'alert.show' && fact.alert.problem ? [fact.alert.problem.code] : []));

  let stored: DeviceAlarm | null = null;
  let over = false;
  const answerRead = (): Promise<void> =>
    ports.readAlarms.answer(stored && stored.state !== 'processed' ? { alarms: [stored], total: 1 } : { alarms: [], total: 0 });
  /** The server changes the alarm and says so; the desk reads. */
  const changes = async (next: DeviceAlarm): Promise<void> => {
    stored = next;
    over = next.state === 'processed';
    desk.send({
      type: 'realtime.events',
      events: [{ topic: topics.area('device-alarms'), name: 'RowsChanged', payload: { area: 'device-alarms', ids: [next.id] } }],
    });
    await answerRead();
  };
  await answerRead();

  const where = (): string => {
    const actor = actorOf();
    if (!actor || actor.getSnapshot().status !== 'active') return over ? 'over' : 'quiet';
    const snapshot = actor.getSnapshot();
    const ringing = desk.getSnapshot().hasTag('ringing');
    expect(ringing).toBe(snapshot.context.alarm.claimed_by === null);
    if (snapshot.hasTag('claiming')) return 'takingOn';
    const mine = snapshot.context.alarm.claimed_by?.id === anna.id;
    if (snapshot.hasTag('processing')) return mine ? 'processing' : 'processingTheirs';
    if (snapshot.hasTag('hidden')) return 'hidden';
    if (ringing) return 'ringing';
    return mine ? 'mine' : 'theirs';
  };
  const press = (type: 'alarm.claim' | 'alarm.hide') => () => actorOf()?.send({ type });
  return {
    where,
    words: {
      smokeTrips: async () => {
        await changes(alarm(1));
        expect(rings()).toBe(1);
      },
      timePasses: () => {
        const before = rings();
        clock.increment(19_999);
        expect(rings()).toBe(before);
        clock.increment(1);
        expect(rings()).toBe(before + 1);
      },
      smokeClears: () => changes({ ...(stored ?? alarm(1)), version: (stored?.version ?? 1) + 1, state: 'disabled' }),
      takeOn: press('alarm.claim'),
      isMine: async () => {
        stored = claimedBy(anna);
        await ports.claimAlarm.answer(stored);
        const before = rings();
        clock.increment(60_000);
        expect(rings()).toBe(before);
      },
      colleagueWasFirst: async () => {
        stored = claimedBy(boris);
        await ports.claimAlarm.refuse({ code: 'alarm_claimed', data: { name: boris.name } });
        expect(problems()).toEqual(['alarm_claimed']);
        await answerRead();
      },
      noAnswer: async () => {
        clock.increment(45_000);
        expect(problems()).toEqual(['timeout']);
        await answerRead();
      },
      colleagueTakesItOn: () => changes(claimedBy(boris)),
      colleagueProcesses: () => changes({ ...processedBy(boris), version: 9 }),
      hide: press('alarm.hide'),
      process: () => actorOf()?.send({ type: 'alarm.process', comment: 'Toast' }),
      isProcessed: async () => {
        expect(ports.processAlarm.asked).toEqual([{ id: alarm(1).id, comment: 'Toast' }]);
        over = true;
        stored = processedBy(anna);
        await ports.processAlarm.answer(stored);
        await settled();
      },
      colleagueProcessedIt: async () => {
        over = true;
        stored = processedBy(boris);
        await ports.processAlarm.refuse({ code: 'alarm_processed' });
        expect(problems()).toEqual(['alarm_processed']);
        await answerRead();
      },
      noAnswerYet: async () => {
        clock.increment(45_000);
        expect(actorOf()?.getSnapshot().context.problem?.code).toBe('timeout');
        stored ??= claimedBy(anna);
        await answerRead();
      },
    },
    buttons: [
      { name: 'take on', words: ['takeOn'], isThere: () => actorOf()?.getSnapshot().can({ type: 'alarm.claim' }) ?? false },
      {
        name: 'process',
        words: ['process'],
        isThere: () => where() !== 'hidden' && (actorOf()?.getSnapshot().can({ type: 'alarm.process', comment: null }) ?? false),
      },
      { name: 'hide', words: ['hide'], isThere: () => actorOf()?.getSnapshot().can({ type: 'alarm.hide' }) ?? false },
    ],
  };
}

describe('an alarm tells its story', () => {
  runStory(alarmsStory, driver);
});
