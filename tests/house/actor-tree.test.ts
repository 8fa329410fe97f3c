import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { passwordChangeForm } from '#models/forms/password-change.ts';
import { actorTree } from '#tests/support/actor-tree.ts';
import { composedApp } from '#tests/support/composed-app.ts';
import { urgent } from '#tests/support/markers.ts';
import { withNumber } from '#tests/support/people.ts';
import { normalInvite } from '#tests/support/phone.ts';
import { alarm, deskAnna, inboxOf } from '#tests/support/watch.ts';

/** The app of somebody at the desk: an alarm and a call that ring, a list, a record opened from it, a picker on top, an export running, a message, a form. */
async function atWork(): Promise<string> {
  const { app, ports, fromPhone, the } = composedApp();
  await ports.restoreSession.answer({ ...deskAnna, profile: withNumber.profile });
  await ports.readInbox.answer(inboxOf());
  await ports.readAlarms.answer({ alarms: [alarm(1)], total: 1 });
  await ports.loadPhone.answer();
  fromPhone.tabs({ type: 'tabs.elected' });
  fromPhone.agent({ type: 'sip.registered' });
  fromPhone.agent({ type: 'sip.incoming', call: normalInvite(1) });
  const workspace = the('workspace');
  workspace.send({ type: 'page.shown', page: { path: '/users', kind: 'list', area: 'users' } });
  await ports.loadPage.answer({ rows: [], total: 0, asOf: '2026-01-01T00:00:00Z' });
  workspace.send({ type: 'page.shown', page: { path: '/users/add?pageId=p1', pageId: 'p1', kind: 'add', area: 'users' } });
  await ports.recallDraft.answer({ chain: 'chain', saved: null });
  workspace.send({
    type: 'job.start',
    request: { kind: 'export', area: 'users', format: 'csv', filters: { match: 'match_all', items: [] }, sort: [] },
  });
  workspace.send({ type: 'child.open', id: 'form:password-change:1', src: 'form', input: { form: passwordChangeForm.name } });
  workspace.send({ type: 'picker.open', area: 'markers', multiple: true, chosen: [], reply: 'editor:users:new:p1', path: ['markers'] });
  await ports.loadPage.answer({ rows: [urgent], total: 1, asOf: '2026-01-01T00:00:00Z' });
  the('alerts').send({ type: 'alert.show', alert: { kind: 'success', key: 'interface.done' } });
  return actorTree(app);
}

it('docs/actors.md shows the running actors', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/actors.md'), 'utf8');
  const block = /<!-- actor tree -->\s*```(?:text)?\n([\s\S]*?)\n?```\s*<!-- \/actor tree -->/.exec(page)?.[1];
  expect(block).toBe(await atWork());
});
