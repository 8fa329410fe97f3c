import { createActor, fromCallback, SimulatedClock } from 'xstate';
import { expect, it } from 'vitest';
import { notificationsMachine } from '#machines/notifications/notifications.machine.ts';
import type { Mark, NotificationsFact, OutsideCommand } from '#machines/notifications/notifications.setup.ts';
import type { UnreadNotifications } from '#models/notifications.ts';
import { topics } from '#models/realtime.ts';
import { anna, uuid } from '#tests/support/people.ts';
import { held } from '#tests/support/ports.ts';
import { inboxOf, notice } from '#tests/support/watch.ts';

async function inbox(first: UnreadNotifications = inboxOf()) {
  const ports = { readInbox: held<UnreadNotifications>(), markRead: held<{ at: string }, Mark>() };
  const clock = new SimulatedClock();
  const outside: string[] = [];
  const machine = notificationsMachine.provide({
    actors: {
      readInbox: ports.readInbox.actor,
      markRead: ports.markRead.actor,
      outside: fromCallback<OutsideCommand, { person: string }>(({ receive }) =>
        receive(({ news }) => void outside.push(...news.map(({ id }) => id))),
      ),
    },
  });
  const actor = createActor(machine, { input: { person: anna.id, inbox: null }, clock });
  const facts: NotificationsFact[] = [];
  actor.on('*', (fact) => void (fact.type !== 'inbox.read' && facts.push(fact)));
  actor.start();
  await ports.readInbox.answer(first);
  const received = () =>
    actor.send({ type: 'realtime.events', events: [{ topic: topics.user(anna.id), name: 'NotificationReceived', payload: { id: uuid(1) } }] });
  const keys = () => facts.flatMap((fact) => (fact.type === 'alert.show' ? [fact.alert.key] : []));
  const sounds = () => facts.flatMap((fact) => (fact.type === 'sound.play' ? [fact.sound] : []));
  return { actor, clock, facts, outside, received, keys, sounds, ...ports, now: () => actor.getSnapshot().context };
}

it('R7: a hundred notifications in two seconds are fetched three times at most, the last of them after the last', async () => {
  const { clock, received, readInbox } = await inbox();
  for (let at = 0; at < 100; at += 1) {
    received();
    clock.increment(20);
    if (readInbox.waiting() > 0) await readInbox.answer(inboxOf(notice(at % 60)));
  }
  clock.increment(1_000);
  if (readInbox.waiting() > 0) await readInbox.answer(inboxOf());
  expect(readInbox.asked.length - 1).toBeLessThanOrEqual(3);
  expect(readInbox.asked.length - 1).toBeGreaterThanOrEqual(2);
  clock.increment(60_000);
  expect(readInbox.waiting()).toBe(0);
});

it('a notification is fetched one second after it came in', async () => {
  const { clock, received, readInbox } = await inbox();
  received();
  clock.increment(999);
  expect(readInbox.asked).toHaveLength(1);
  clock.increment(1);
  expect(readInbox.asked).toHaveLength(2);
});

it('what comes in while it is being fetched is fetched once more', async () => {
  const { clock, received, readInbox } = await inbox();
  received();
  clock.increment(1_000);
  received();
  await readInbox.answer(inboxOf(notice(1)));
  clock.increment(1_000);
  expect(readInbox.asked).toHaveLength(3);
});

it('after a gap it is fetched at once', async () => {
  const { actor, readInbox } = await inbox();
  actor.send({ type: 'realtime.resynced', topics: [topics.user(anna.id)] });
  expect(readInbox.asked).toHaveLength(2);
});

it('what waited at first makes no noise; what is new shows itself, sounds once, and the important only in the stack', async () => {
  const { clock, received, readInbox, facts, keys, sounds, outside } = await inbox(inboxOf(notice(1)));
  expect(facts).toEqual([]);
  received();
  clock.increment(1_000);
  await readInbox.answer(inboxOf(notice(4, 'user_used_revoked_identifier'), notice(3, 'conversation_received'), notice(2), notice(1)));
  expect(keys()).toEqual(['notifications.sentences.conversation_received', 'notifications.sentences.announce_received']);
  expect(sounds()).toEqual(['warning']);
  expect(outside).toEqual([notice(4).id]);
});

it('what the reader switched off stays quiet', async () => {
  const { clock, received, readInbox, facts, outside } = await inbox(inboxOf(notice(1)));
  received();
  clock.increment(1_000);
  await readInbox.answer(inboxOf(notice(2, 'announce_received', { popup: false, sound: null, desktop: false }), notice(1)));
  expect([facts, outside]).toEqual([[], []]);
});

it('of many there is one message', async () => {
  const { clock, received, readInbox, facts } = await inbox(inboxOf());
  received();
  clock.increment(1_000);
  await readInbox.answer(inboxOf(...[9, 8, 7, 6, 5].map((at) => notice(at))));
  expect(facts.filter(({ type }) => type === 'alert.show')).toEqual([
    { type: 'alert.show', alert: { kind: 'info', key: 'notifications.many', params: { count: 5 } } },
  ]);
});

it('one that speaks of an alarm is told on inside the app, and leaves the ringing to the alarms', async () => {
  const { clock, received, readInbox, facts, sounds, outside } = await inbox(inboxOf());
  received();
  clock.increment(1_000);
  await readInbox.answer(inboxOf(notice(2, 'alarm_enabled', { data: { alarm: { id: uuid(101), sensor: 'smoke' } } })));
  expect(facts).toEqual([{ type: 'alarm.notified' }]);
  expect([sounds(), outside]).toEqual([[], [notice(2).id]]);
});

it('what the menu shows is marked one second after it opened, once', async () => {
  const { actor, clock, markRead, now } = await inbox(inboxOf(notice(2), notice(1, 'announce_received', { read_at: '2026-01-01T00:00:09.000Z' })));
  actor.send({ type: 'menu.open' });
  clock.increment(999);
  expect(markRead.asked).toEqual([]);
  clock.increment(1);
  expect(markRead.asked).toEqual([{ items: [notice(2).id] }]);
  await markRead.answer({ at: '2026-01-01T00:01:00.000Z' });
  expect([now().inbox?.unread, now().inbox?.latest[0]?.read_at]).toEqual([0, '2026-01-01T00:01:00.000Z']);
  clock.increment(60_000);
  expect(markRead.asked).toHaveLength(1);
});

it('a menu that was closed before has shown nothing', async () => {
  const { actor, clock, markRead } = await inbox(inboxOf(notice(2)));
  actor.send({ type: 'menu.open' });
  clock.increment(900);
  actor.send({ type: 'menu.close' });
  clock.increment(60_000);
  expect(markRead.asked).toEqual([]);
});

it('what comes in while the menu is open is marked too', async () => {
  const { actor, clock, received, readInbox, markRead } = await inbox(inboxOf());
  actor.send({ type: 'menu.open' });
  received();
  clock.increment(1_000);
  await readInbox.answer(inboxOf(notice(3)));
  clock.increment(1_000);
  expect(markRead.asked).toEqual([{ items: [notice(3).id] }]);
});

it('told of its own mark before that was answered, it marks nothing a second time', async () => {
  const { actor, clock, received, markRead, facts } = await inbox(inboxOf(notice(2)));
  actor.send({ type: 'menu.open' });
  clock.increment(1_000);
  received();
  await markRead.answer({ at: '2026-01-01T00:01:00.000Z' });
  clock.increment(60_000);
  expect([markRead.asked, facts]).toEqual([[{ items: [notice(2).id] }], []]);
});

it('a mark that failed is said, and not sent over and over', async () => {
  const { actor, clock, markRead, facts, now } = await inbox(inboxOf(notice(2)));
  actor.send({ type: 'menu.open' });
  clock.increment(1_000);
  await markRead.refuse({ code: 'offline' });
  clock.increment(60_000);
  expect(markRead.asked).toHaveLength(1);
  expect(facts).toEqual([{ type: 'alert.show', alert: { kind: 'error', problem: { code: 'offline' } } }]);
  expect(now().inbox?.unread).toBe(1);
});

it('marks go one after the other, and the stack empties at once', async () => {
  const important = [5, 4, 3].map((at) => notice(at, 'user_used_revoked_identifier'));
  const { actor, markRead, now } = await inbox(inboxOf(...important));
  actor.send({ type: 'notices.mark', mark: { items: [notice(5).id] } });
  actor.send({ type: 'notices.mark', mark: { all: true, type: 'important' } });
  expect(markRead.asked).toHaveLength(1);
  await markRead.answer({ at: '2026-01-01T00:01:00.000Z' });
  expect([now().inbox?.important.length, now().inbox?.important_unread, now().inbox?.unread]).toEqual([2, 2, 2]);
  await markRead.answer({ at: '2026-01-01T00:01:00.000Z' });
  expect([markRead.asked.length, now().inbox?.important, now().inbox?.unread]).toEqual([2, [], 0]);
});
