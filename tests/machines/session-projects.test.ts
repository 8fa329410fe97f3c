import { expect, it } from 'vitest';
import { standingAlerts } from '#machines/alerts/alerts.machine.ts';
import { composedApp } from '#tests/support/composed-app.ts';
import { anna, harbour, riverside } from '#tests/support/people.ts';

const there = { ...anna, id: '00000000-0000-4000-8000-0000000000aa', project: { ...anna.project, ...harbour } };

it('changing the project ends the console of the one and starts that of the other afresh', async () => {
  const { the, ports, app, commands } = composedApp();
  await ports.restoreSession.answer(anna);
  const former = the('workspace');
  former.send({ type: 'page.shown', page: { path: '/home', kind: 'other' } });
  the('session').send({ type: 'session.switchProject', projectId: harbour.id });
  expect(ports.switchProject.asked).toEqual([{ projectId: harbour.id }]);
  expect(app.getSnapshot().matches('signedIn')).toBe(true);
  await ports.switchProject.answer();
  expect([app.getSnapshot().value, former.getSnapshot().status]).toEqual(['signedOut', 'stopped']);
  expect(the('session').getSnapshot().context).toMatchObject({ profile: null, notice: 'switched' });
  expect(commands.map(({ type }) => type)).toContain('tabs.notifySwitched');
  await ports.restoreSession.answer(there);
  expect(the('session').getSnapshot().context).toMatchObject({ profile: { project: { id: harbour.id } }, notice: null });
  expect(the('workspace')).not.toBe(former);
  expect(the('workspace').getSnapshot().context.pages).toEqual([]);
});

it('a project that does not open leaves the person where they are, and says why', async () => {
  const { the, ports, app } = composedApp();
  await ports.restoreSession.answer(anna);
  the('session').send({ type: 'session.switchProject', projectId: harbour.id });
  await ports.switchProject.refuse({ code: 'offline' });
  expect(app.getSnapshot().matches('signedIn')).toBe(true);
  expect(standingAlerts(the('alerts').getSnapshot()).map((alert) => alert.getSnapshot().context.alert.problem?.code)).toEqual(['offline']);
});

it('another tab follows into the project', async () => {
  const { the, ports, app, fromOtherTab } = composedApp();
  await ports.restoreSession.answer(anna);
  fromOtherTab({ type: 'tab.switched' });
  expect(app.getSnapshot().value).toBe('signedOut');
  await ports.restoreSession.answer(there);
  expect(the('session').getSnapshot().context.profile?.project.id).toBe(harbour.id);
});

it('a choice of project outlives a reload', async () => {
  const { the, ports } = composedApp();
  await ports.restoreSession.answer({ projects: [riverside, harbour], rememberUser: true });
  expect(the('session').getSnapshot().matches('choosingProject')).toBe(true);
  the('session').send({ type: 'session.chooseProject', projectId: harbour.id });
  expect(ports.adoptProject.asked).toEqual([{ projectId: harbour.id, rememberUser: true }]);
});
