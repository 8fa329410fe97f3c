import { createActor, SimulatedClock } from 'xstate';
import { expect, it } from 'vitest';
import { type LicenceFact, licenceMachine, type LicenceStatusRead } from '#machines/licence/licence.machine.ts';
import type { LicenceStatusReport, LicenceReminder } from '#models/licences.ts';
import { held } from '#tests/support/ports.ts';

const day = 86_400;
/** Half past nine in the evening, UTC: half past eleven where the person lives. */
const at = Date.UTC(2026, 2, 2, 21, 30) / 1_000;
const ends = Date.UTC(2026, 2, 11, 9) / 1_000;
const reminder: LicenceReminder = { group: null, status: 'will_expire', ends_at: ends, features_end_at: ends + 7 * day, mode: 'everyday' };
const topic = `licence project will_expire ${ends}`;

/** The warning of somebody two hours east of UTC; the server answers when the test says so. */
function watch() {
  const readLicenceStatus = held<LicenceStatusRead>();
  const clock = new SimulatedClock();
  const stored: { topic: string; at: number }[] = [];
  const facts: LicenceFact[] = [];
  const machine = licenceMachine.provide({
    actors: { readLicenceStatus: readLicenceStatus.actor },
    actions: { saveClosed: (_, closed: { topic: string; at: number }) => void stored.push(closed) },
  });
  const actor = createActor(machine, { input: { zone: { zoneHours: 2, zoneName: null } }, clock });
  for (const type of ['alert.show', 'alert.withdraw', 'profile.stale'] as const) actor.on(type, (fact) => facts.push(fact));
  actor.start();
  const answer = (given: Partial<LicenceStatusReport>, closed: Record<string, number> = {}) => {
    const reminders = given.reminders ?? [];
    return readLicenceStatus.answer({
      licenceStatus: { at, status: reminders[0]?.status ?? 'normal', reminders, changes_at: null, ...given },
      closed,
    });
  };
  const messages = () =>
    facts.splice(0).map((fact) => {
      if (fact.type !== 'alert.show') return fact.type === 'alert.withdraw' ? `withdraw ${fact.topic}` : fact.type;
      const { key, problem, params, duration } = fact.alert;
      return [problem?.code ?? key, { ...params, ...(problem?.data as object) }, duration];
    });
  return { actor, readLicenceStatus, clock, stored, answer, messages, warning: () => actor.getSnapshot().value.warning };
}

it('reads at once; a licence that ends is said until it is closed, in days as the person counts them', async () => {
  const { answer, messages, warning } = watch();
  expect(warning()).toBe('normal');
  await answer({ reminders: [reminder] });
  expect([warning(), messages()]).toEqual(['will_expire', [['licence_expires_in_days', { days: 9 }, 0]]]);
});

it('counts anew at the person’s midnight, and puts the new number in the place of the old', async () => {
  const { answer, clock, messages, readLicenceStatus } = watch();
  await answer({ reminders: [reminder] });
  messages();
  clock.increment(30 * 60 * 1_000);
  expect(readLicenceStatus.waiting()).toBe(0);
  clock.increment(100);
  expect(readLicenceStatus.waiting()).toBe(1);
  await answer({ at: at + 30 * 60 + 1, reminders: [reminder] });
  expect(messages()).toEqual([['licence_expires_in_days', { days: 8 }, 0]]);
});

it('says nothing twice while nothing has changed', async () => {
  const { actor, answer, messages } = watch();
  await answer({ reminders: [reminder] });
  messages();
  actor.send({ type: 'licence.reread' });
  await answer({ reminders: [reminder] });
  expect(messages()).toEqual([]);
});

it.each([
  ['will_expire', ends - 3_600, 'licence_expires_today', {}],
  ['will_expire', ends - 30 * 3_600, 'licence_expires_in_days', { days: 1 }],
  ['already_expired', ends + 3_600, 'features_off_in_days', { days: 7 }],
  ['already_expired', ends + 7 * day - 3_600, 'features_off_today', {}],
  ['already_expired', ends + 7 * day, 'interface.licences.features_off', {}],
] as const)('%s: the words of the catalogue (%i)', async (status, moment, code, data) => {
  const { answer, messages, warning } = watch();
  await answer({ at: moment, reminders: [{ ...reminder, status }] });
  expect([warning(), messages()]).toEqual([status, [[code, data, 0]]]);
});

it('speaks of a group by its name', async () => {
  const { answer, messages } = watch();
  const group = { id: '1', name: 'Tower B' };
  await answer({ reminders: [{ ...reminder, group, features_end_at: ends }] });
  expect(messages()).toEqual([['interface.licences.group_expires_in_days', { group: 'Tower B', count: 9 }, 0]]);
});

it.each([
  ['once', 400, false],
  ['everyday', 0, false],
  ['everyday', 1, true],
  ['every_week', 6, false],
  ['every_week', 7, true],
  ['every_30_days', 29, false],
  ['every_30_days', 30, true],
] as const)('what was closed comes back %s: after %i days %s', async (mode, days, again) => {
  const { actor, answer, messages, stored } = watch();
  const far = { ...reminder, mode, ends_at: at + 1_000 * day, features_end_at: at + 1_000 * day };
  await answer({ reminders: [far] });
  messages();
  const closed = `licence project will_expire ${far.ends_at}`;
  actor.send({ type: 'alert.closed', topic: closed });
  expect(stored).toEqual([{ topic: closed, at }]);
  actor.send({ type: 'licence.reread' });
  await answer({ at: at + days * day, reminders: [far] }, { [closed]: at });
  expect(messages().length > 0).toBe(again);
});

it('what was closed on this device before stays closed today', async () => {
  const { answer, messages, warning } = watch();
  await answer({ reminders: [reminder] }, { [topic]: at - 3_600 });
  expect([warning(), messages()]).toEqual(['will_expire', []]);
});

it('says that there is no licence, once a day, until there is one', async () => {
  const { actor, answer, messages, warning } = watch();
  await answer({ status: 'no_license' });
  expect([warning(), messages()]).toEqual(['no_license', [['interface.licences.none', {}, 0]]]);
  actor.send({ type: 'alert.closed', topic: 'licence project none' });
  actor.send({ type: 'licence.reread' });
  await answer({ status: 'no_license', at: at + 600 }, { 'licence project none': at });
  expect(messages()).toEqual([]);
  actor.send({ type: 'licence.reread' });
  await answer({ status: 'no_license', at: at + 86_400 }, { 'licence project none': at });
  expect(messages()).toEqual([['interface.licences.none', {}, 0]]);
  actor.send({ type: 'licence.reread' });
  await answer({});
  expect([warning(), messages()]).toEqual(['normal', ['withdraw licence project none']]);
});

it('takes its words back when the licence was renewed', async () => {
  const { actor, answer, messages, warning } = watch();
  await answer({ reminders: [reminder] });
  messages();
  actor.send({ type: 'realtime.events', events: [{ topic: 'private-app-changes', name: 'LicenceChanged', payload: {} }] });
  await answer({});
  expect([warning(), messages()]).toEqual(['normal', [`withdraw ${topic}`]]);
});

it('looks when something begins or ends by itself, and then has the profile read anew', async () => {
  const { answer, clock, messages, readLicenceStatus } = watch();
  await answer({ changes_at: at + 600 });
  clock.increment(600_000);
  expect(readLicenceStatus.waiting()).toBe(0);
  clock.increment(100);
  expect(messages()).toEqual([]);
  await answer({ at: at + 601, status: 'no_license' });
  expect(messages()).toEqual(['profile.stale', ['interface.licences.none', {}, 0]]);
});

it('reads again after a gap, also while it reads, and a minute after a failure', async () => {
  const { actor, answer, clock, readLicenceStatus, warning } = watch();
  await readLicenceStatus.refuse({ code: 'offline' });
  clock.increment(59_999);
  expect(readLicenceStatus.waiting()).toBe(0);
  clock.increment(1);
  expect(readLicenceStatus.waiting()).toBe(1);
  actor.send({ type: 'realtime.resynced', topics: ['private-app-changes'] });
  expect(readLicenceStatus.asked).toHaveLength(3);
  expect(readLicenceStatus.waiting()).toBe(1);
  await answer({ status: 'no_license' });
  expect(warning()).toBe('no_license');
});
