import { describe, expect, it } from 'vitest';
import { presentDialog } from '#machines/alerts/alerts.machine.ts';
import { alarmsMachine, openAlarmOf } from '#machines/alarms/alarms.machine.ts';
import { consoleMachine } from '#machines/console/console.machine.ts';
import { licenceMachine } from '#machines/licence/licence.machine.ts';
import { notificationsMachine } from '#machines/notifications/notifications.machine.ts';
import type { PageShown } from '#machines/workspace/pages.ts';
import { phoneMachine } from '#machines/phone/phone.machine.ts';
import { realtimeMachine } from '#machines/realtime/realtime.machine.ts';
import { soundsMachine } from '#machines/sounds.machine.ts';
import { restartPause, type Supervised, supervised } from '#machines/console/supervision.ts';
import { singleton } from '#machines/system.ts';
import { editorOf, jobAt, workspaceMachine } from '#machines/workspace/workspace.machine.ts';
import type { Job } from '#models/job.ts';
import type { Profile } from '#models/profile.ts';
import { type ServerWord, topics } from '#models/realtime.ts';
import { nodesOf } from '#tests/support/actor-tree.ts';
import { composedApp } from '#tests/support/composed-app.ts';
import { valuesOf } from '#tests/support/fragile.ts';
import { urgent } from '#tests/support/markers.ts';
import { anna, withNumber } from '#tests/support/people.ts';
import { normalInvite, speech } from '#tests/support/phone.ts';
import { alarm, deskAnna, inboxOf, notice } from '#tests/support/watch.ts';

const at = '2026-01-01T00:00:00Z';
const firstPause = restartPause(1);

async function signedIn(profile: Profile, begins: Parameters<typeof composedApp>[1] = {}) {
  const desk = composedApp([], begins);
  await desk.ports.restoreSession.answer(profile);
  const { app, clock, the } = desk;
  const isThere = (child: Supervised): boolean => singleton(app, child) !== undefined;
  const messages = (): string[] =>
    the('alerts')
      .getSnapshot()
      .context.shown.map(({ says }) => String((JSON.parse(says) as unknown[])[1]));
  const restart = (): void => clock.increment(firstPause);
  const hear = (...words: ServerWord[]): void => desk.fromSocket({ type: 'socket.heard', words, at });
  return { ...desk, isThere, messages, restart, hear };
}
type Desk = Awaited<ReturnType<typeof signedIn>>;

describe('a part of the console that fails', () => {
  it.each(supervised)('takes no other along: %s', async (child) => {
    const desk = await signedIn(withNumber);
    await desk.ports.loadPhone.answer();
    desk.fail(child);
    expect(supervised.filter((one) => !desk.isThere(one))).toEqual([child]);
    desk.restart();
    if (child === 'phone') await desk.ports.loadPhone.answer();
    expect(supervised.filter((one) => !desk.isThere(one))).toEqual([]);
  });

  it.each(supervised)('comes back whatever state it was in: %s', async (child) => {
    const machines = { workspace: workspaceMachine, realtime: realtimeMachine, sounds: soundsMachine, notifications: notificationsMachine };
    const all = { ...machines, alarms: alarmsMachine, licence: licenceMachine, phone: phoneMachine };
    const values = valuesOf(all[child].root);
    expect(values.length).toBeGreaterThan(1);
    for (const value of values) {
      const desk = await signedIn(withNumber, { [child]: value });
      await desk.ports.loadPhone.answer();
      expect(desk.the(child).getSnapshot().value).toEqual(value);
      desk.fail(child);
      expect([desk.isThere(child), desk.messages()]).toEqual([false, [`interface.faults.restarting.${child}`]]);
      desk.restart();
      if (child === 'phone') await desk.ports.loadPhone.answer();
      expect(desk.the(child).getSnapshot().status).toBe('active');
      desk.app.stop();
    }
  });

  it('is every part of the console of which there is one', () => {
    const parts = nodesOf(consoleMachine.root).flatMap((node) => node.invoke.flatMap(({ systemId }) => systemId ?? []));
    expect(parts.toSorted()).toEqual(supervised.toSorted());
  });

  it('leaves nothing of it running: sockets and loudspeakers are given back before others are opened', async () => {
    const desk = await signedIn(anna);
    expect(desk.open().toSorted()).toEqual(['socket', 'speaker']);
    desk.fail('realtime');
    desk.fail('sounds');
    expect(desk.open()).toEqual([]);
    desk.restart();
    expect(desk.open().toSorted()).toEqual(['socket', 'speaker']);
  });

  it('all of them at once come back', async () => {
    const desk = await signedIn(anna);
    const all = supervised.filter((child) => child !== 'phone');
    for (const child of all) desk.fail(child);
    expect(all.filter(desk.isThere)).toEqual([]);
    expect(desk.messages().toSorted()).toEqual(all.map((child) => `interface.faults.restarting.${child}`).toSorted());
    expect(desk.reported).toEqual(all);
    desk.restart();
    expect(all.filter(desk.isThere)).toEqual(all);
  });

  it('signing out meanwhile ends it: nothing is started again, and its message goes', async () => {
    const desk = await signedIn(anna);
    desk.fail('alarms');
    desk.the('session').send({ type: 'session.signOut' });
    await desk.ports.endSession.answer();
    desk.clock.increment(60_000);
    expect([desk.isThere('alarms'), desk.messages()]).toEqual([false, []]);
  });

  it('another profile meanwhile is the one it starts with', async () => {
    const desk = await signedIn(anna);
    desk.fail('alarms');
    desk.the('session').send({ type: 'profile.stale' });
    await desk.ports.loadProfile.answer({ ...deskAnna, version: '2' });
    desk.restart();
    expect(desk.the('alarms').getSnapshot().context.sees).toBe(true);
  });
});

describe('alarms that fail', () => {
  const rings = ({ heard }: Desk): number => heard.filter((command) => command.type === 'sound.play' && command.sound === 'alarm').length;

  it.each(['while they are read', 'once they were read', 'while one is taken on'])(
    'an alarm raised meanwhile is found and rings: %s',
    async (when) => {
      const desk = await signedIn(deskAnna);
      if (when !== 'while they are read') await desk.ports.readAlarms.answer({ alarms: [alarm(1)], total: 1 });
      if (when === 'while one is taken on') openAlarmOf(desk.the('alarms').getSnapshot(), alarm(1).id)?.send({ type: 'alarm.claim' });
      const before = rings(desk);
      desk.fail('alarms');
      desk.fromSocket({ type: 'socket.opened', at });
      desk.hear({ topic: topics.area('device-alarms'), name: 'RowsChanged', payload: { area: 'device-alarms', ids: [alarm(2).id] } });
      desk.restart();
      await desk.ports.readAlarms.answer({ alarms: [alarm(2)], total: 1 });
      const snapshot = desk.the('alarms').getSnapshot();
      expect(snapshot.context.alarms.map(({ id }) => id)).toEqual([alarm(2).id]);
      expect([snapshot.hasTag('ringing'), rings(desk)]).toEqual([true, before + 1]);
    },
  );
});

describe('sounds that fail', () => {
  it('an alarm that rang meanwhile is heard first thing, though a message came after it', async () => {
    const desk = await signedIn(deskAnna);
    desk.fail('sounds');
    await desk.ports.readAlarms.answer({ alarms: [alarm(1)], total: 1 });
    await desk.ports.readInbox.answer(inboxOf());
    desk.restart();
    expect(desk.heard).toEqual([{ type: 'sound.play', sound: 'alarm' }]);
  });

  it('keep quiet still while a call rings', async () => {
    const desk = await signedIn(withNumber);
    await desk.ports.loadPhone.answer();
    desk.fromPhone.tabs({ type: 'tabs.elected' });
    desk.fromPhone.agent({ type: 'sip.registered' });
    desk.fromPhone.agent({ type: 'sip.incoming', call: normalInvite(1) });
    desk.fail('sounds');
    desk.restart();
    expect(desk.the('sounds').getSnapshot().context.isHushed).toBe(true);
  });
});

describe('notifications that fail', () => {
  it('find what came meanwhile as news', async () => {
    const desk = await signedIn(anna);
    await desk.ports.readInbox.answer(inboxOf(notice(1)));
    desk.fail('notifications');
    desk.restart();
    expect(desk.the('notifications').getSnapshot().context.inbox?.latest.length).toBe(1);
    const before = desk.messages().length;
    await desk.ports.readInbox.answer(inboxOf(notice(2), notice(1)));
    expect(desk.messages().length).toBe(before + 1);
  });
});

describe('a realtime channel that fails', () => {
  const users = topics.area('users');
  const subscribedTo = ({ said }: Desk): string[] =>
    said.flatMap((command) => command.frames.flatMap((frame) => (frame.command === 'subscribe' ? [frame.topic] : [])));

  it.each(['connecting', 'connected'])('subscribes anew to all that is wanted, also since, and has it read anew: %s', async (state) => {
    const desk = await signedIn(anna);
    desk.the('workspace').send({ type: 'page.shown', page: { path: '/users', kind: 'list', area: 'users' } });
    await desk.ports.loadPage.answer({ rows: [], total: 0, asOf: at });
    if (state === 'connected') {
      desk.fromSocket({ type: 'socket.opened', at });
      desk.hear({ topic: users, name: 'Subscribed', payload: {} });
    }
    desk.fail('realtime');
    const before = subscribedTo(desk).length;
    desk.the('workspace').send({ type: 'page.shown', page: { path: '/markers?pageId=m', pageId: 'm', kind: 'list', area: 'markers' } });
    await desk.ports.loadPage.answer({ rows: [urgent], total: 1, asOf: at });
    desk.restart();
    desk.fromSocket({ type: 'socket.opened', at });
    expect(new Set(subscribedTo(desk).slice(before))).toEqual(new Set([topics.appChanges, topics.user(anna.id), users, topics.area('markers')]));
    const asked = desk.ports.loadPage.asked.length;
    desk.hear({ topic: topics.area('markers'), name: 'Subscribed', payload: {} });
    desk.clock.increment(1_000);
    expect(desk.ports.loadPage.asked.length).toBe(asked + 1);
  });
});

describe('a workspace that fails', () => {
  const add: PageShown = { path: '/markers/add?pageId=a', pageId: 'a', kind: 'add', area: 'markers' };

  it('keeps what was typed to the last letter, and has it again in the page that is opened anew', async () => {
    const desk = await signedIn(anna);
    desk.the('workspace').send({ type: 'page.shown', page: add });
    await desk.ports.recallDraft.answer({ chain: 'chain', saved: null });
    editorOf(desk.the('workspace').getSnapshot(), 'a')?.send({ type: 'draft.change', path: ['name'], value: 'Night shift' });
    desk.fail('workspace');
    const saved = desk.saved.at(-1)?.saved;
    expect(saved?.draft['name']).toBe('Night shift');
    desk.restart();
    desk.the('workspace').send({ type: 'page.shown', page: add });
    await desk.ports.recallDraft.answer({ chain: 'chain', saved: saved ?? null });
    const editor = editorOf(desk.the('workspace').getSnapshot(), 'a')?.getSnapshot();
    expect([editor?.context.draft['name'], editor?.hasTag('unsaved')]).toEqual(['Night shift', true]);
  });

  it('takes back the questions of editors that are gone', async () => {
    const desk = await signedIn(anna);
    desk.the('workspace').send({ type: 'page.shown', page: add });
    await desk.ports.recallDraft.answer({ chain: 'chain', saved: null });
    const editor = editorOf(desk.the('workspace').getSnapshot(), 'a');
    editor?.send({ type: 'draft.change', path: ['name'], value: 'Night shift' });
    desk.the('workspace').send({ type: 'page.leave', page: { path: '/home', kind: 'other' } });
    expect(presentDialog(desk.the('alerts').getSnapshot())?.dialog.about).toBe('leave');
    desk.fail('workspace');
    expect(presentDialog(desk.the('alerts').getSnapshot())).toBeUndefined();
    expect(desk.saved.at(-1)?.saved.draft['name']).toBe('Night shift');
  });

  it('goes on with the work it followed; once more, if that was not what it failed of', async () => {
    const desk = await signedIn(anna);
    const job = { id: 'job-1', state: 'running', progress: 10 } as unknown as Job;
    desk.the('workspace').send({
      type: 'job.start',
      request: { kind: 'export', area: 'users', format: 'csv', filters: { match: 'match_all', items: [] }, sort: [] },
    });
    await desk.ports.startJob.answer(job);
    desk.fail('workspace');
    desk.restart();
    const followed = () =>
      desk
        .the('workspace')
        .getSnapshot()
        .context.jobs.map((id) => jobAt(desk.the('workspace').getSnapshot(), id)?.getSnapshot().context.job?.id);
    expect(followed()).toEqual(['job-1']);
    expect(desk.ports.startJob.asked.length).toBe(1);
    desk.fail('workspace');
    desk.clock.increment(restartPause(2));
    expect(followed()).toEqual([]);
  });
});

describe('a phone that fails', () => {
  it('with somebody on the line ends the call, is there again, and takes the next', async () => {
    const desk = await signedIn(withNumber);
    await desk.ports.loadPhone.answer();
    const ring = (number: number): void => {
      desk.fromPhone.tabs({ type: 'tabs.elected' });
      desk.fromPhone.agent({ type: 'sip.registered' });
      desk.fromPhone.agent({ type: 'sip.incoming', call: normalInvite(number) });
    };
    ring(1);
    desk.the('phone').send({ type: 'call.accept', speechId: speech(1), video: false });
    desk.fail('phone');
    expect(desk.the('sounds').getSnapshot().context.isHushed).toBe(false);
    desk.restart();
    await desk.ports.loadPhone.answer();
    ring(2);
    expect(
      desk
        .the('phone')
        .getSnapshot()
        .context.mirror.calls.map(({ speechId }) => speechId),
    ).toEqual([speech(2)]);
  });

  it('whose person may have none any more is not started again, and its message goes', async () => {
    const desk = await signedIn(withNumber);
    await desk.ports.loadPhone.answer();
    desk.fail('phone');
    desk.the('session').send({ type: 'profile.stale' });
    await desk.ports.loadProfile.answer({ ...anna, version: '2' });
    desk.restart();
    expect([desk.isThere('phone'), desk.messages()]).toEqual([false, []]);
  });
});
