import { createActor, SimulatedClock } from 'xstate';
import { expect, it } from 'vitest';
import { alarmsMachine, openAlarmOf } from '#machines/alarms/alarms.machine.ts';
import { type AlarmsFact, inOrder, type OpenAlarms } from '#machines/alarms/alarms.setup.ts';
import { openAlarmMachine } from '#machines/alarms/open-alarm.machine.ts';
import type { DeviceAlarm } from '#models/device-alarms.ts';
import type { Profile } from '#models/profile.ts';
import { topics } from '#models/realtime.ts';
import { anna } from '#tests/support/people.ts';
import { held } from '#tests/support/ports.ts';
import { alarm, boris, claimedBy, deskAnna, processedBy } from '#tests/support/watch.ts';

function watch(profile: Profile = deskAnna) {
  const ports = {
    readAlarms: held<OpenAlarms>(),
    claimAlarm: held<DeviceAlarm, { id: string }>(),
    processAlarm: held<DeviceAlarm, { id: string; comment: string | null }>(),
  };
  const clock = new SimulatedClock();
  const openAlarm = openAlarmMachine.provide({ actors: { claimAlarm: ports.claimAlarm.actor, processAlarm: ports.processAlarm.actor } });
  const desk = createActor(alarmsMachine.provide({ actors: { openAlarm, readAlarms: ports.readAlarms.actor } }), { input: { profile }, clock });
  const facts: AlarmsFact[] = [];
  desk.on('*', (fact) => void facts.push(fact));
  desk.start();
  const rings = (): number => facts.filter(({ type }) => type === 'sound.play').length;
  const changed = () =>
    desk.send({
      type: 'realtime.events',
      events: [{ topic: topics.area('device-alarms'), name: 'RowsChanged', payload: { area: 'device-alarms', ids: [] } }],
    });
  const list = (...alarms: DeviceAlarm[]): OpenAlarms => ({ alarms, total: alarms.length });
  return { desk, clock, facts, rings, changed, list, ...ports, now: () => desk.getSnapshot() };
}

it('a second alarm rings at once, and the ringing goes on until the last was taken on', async () => {
  const { readAlarms, clock, rings, changed, list } = watch();
  await readAlarms.answer(list(alarm(1)));
  clock.increment(5_000);
  changed();
  await readAlarms.answer(list(alarm(2), alarm(1)));
  expect(rings()).toBe(2);
  clock.increment(20_000);
  expect(rings()).toBe(3);
  changed();
  await readAlarms.answer(list(claimedBy(boris, 2), alarm(1)));
  clock.increment(20_000);
  expect(rings()).toBe(4);
  changed();
  await readAlarms.answer(list(claimedBy(boris, 2), claimedBy(boris, 1)));
  clock.increment(120_000);
  expect(rings()).toBe(4);
});

it('an answer that was on its way does not undo what was heard meanwhile', async () => {
  const { desk, readAlarms, claimAlarm, processAlarm, changed, list, rings, now } = watch();
  await readAlarms.answer(list(alarm(1)));
  changed();
  openAlarmOf(now(), alarm(1).id)?.send({ type: 'alarm.claim' });
  await claimAlarm.answer(claimedBy(anna));
  await readAlarms.answer(list(alarm(1)));
  expect([now().hasTag('ringing'), now().context.alarms[0]?.claimed_by?.id, rings()]).toEqual([false, anna.id, 1]);
  changed();
  openAlarmOf(desk.getSnapshot(), alarm(1).id)?.send({ type: 'alarm.process', comment: null });
  await processAlarm.answer(processedBy(anna));
  await readAlarms.answer(list(claimedBy(anna)));
  expect([now().context.alarms, now().context.total, Object.keys(now().children)]).toEqual([[], 0, []]);
});

it('what changes while it is being read is read once more', async () => {
  const { readAlarms, changed, list } = watch();
  for (let round = 0; round < 50; round += 1) changed();
  expect(readAlarms.asked).toHaveLength(1);
  await readAlarms.answer(list());
  expect(readAlarms.asked).toHaveLength(2);
  await readAlarms.answer(list());
  expect(readAlarms.asked).toHaveLength(2);
});

it('out of reach, it is tried again every four seconds, and read after every gap', async () => {
  const { desk, readAlarms, clock, list, now } = watch();
  await readAlarms.refuse({ code: 'offline' });
  clock.increment(4_000);
  expect(readAlarms.asked).toHaveLength(2);
  await readAlarms.answer(list(alarm(1)));
  desk.send({ type: 'realtime.resynced', topics: [topics.area('device-alarms')] });
  await readAlarms.answer(list());
  expect([now().context.alarms, now().hasTag('ringing')]).toEqual([[], false]);
});

it('whoever may not see alarms is not asked for any; a change of role begins and ends it', async () => {
  const { desk, readAlarms, facts, list, now } = watch(anna);
  expect([readAlarms.asked.length, facts]).toEqual([0, []]);
  desk.send({ type: 'profile.changed', profile: deskAnna });
  await readAlarms.answer(list(alarm(1)));
  expect(now().hasTag('ringing')).toBe(true);
  desk.send({ type: 'profile.changed', profile: anna });
  expect([now().hasTag('ringing'), now().context.alarms]).toEqual([false, []]);
  expect(facts.filter(({ type }) => type === 'topics.want')).toEqual([
    { type: 'topics.want', owner: 'alarms', topics: [topics.area('device-alarms')] },
    { type: 'topics.want', owner: 'alarms', topics: [] },
  ]);
});

it('those nobody has taken on come first, then the newest', () => {
  const [old, middle, newest] = [alarm(1), claimedBy(boris, 2), alarm(3)];
  expect(inOrder([middle, old, newest]).map(({ id }) => id)).toEqual([newest.id, old.id, middle.id]);
});
