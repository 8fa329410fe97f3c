import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { inTime } from '#tests/support/in-time.ts';
import { make, named, read, type StoredRow } from './support/records.ts';
import { signedIn } from './support/person.ts';
import { api, tokenOf } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const unique = (name: string): string => `${name} ${Math.random().toString(36).slice(2, 8)}`;
/** A token of its own: restoring ends all sessions of the project. */
const desk = async () => ({ server: stage.server, token: await tokenOf(stage.server, 'admin') });

it('a tower that was deleted comes back with a backup, its people and all ids included; everybody is signed out and told why', async () => {
  const before = await desk();
  const [riverside] = await named<StoredRow>(before, 'groups', 'Riverside');
  const [towerB] = await named<StoredRow & { domain_type_id: { id: string } }>(before, 'groups', 'Tower B');
  const name = unique('Tower');
  const tower = await make(before, 'groups', { name, parent_id: riverside?.id, domain_type_id: towerB?.domain_type_id.id ?? null });
  const marker = await make(before, 'markers', { name: unique('Marker').slice(0, 31), color: '#2b5bd7' });
  const stored = await read<StoredRow>(before, 'groups', tower);

  const admin = await signedIn(stage, 'admin');
  await admin.open('Backups');
  await admin.press('Create backup');
  const title = unique('Before the demolition');
  await admin.fill('Name', title);
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Create backup' }).click();
  const line = admin.page.locator('.backup-line', { hasText: title });
  await line.getByText('Everything').waitFor();
  await line.getByText('SHA-256').waitFor();

  await api(stage.server, 'DELETE', `/groups/${tower}`, { token: before.token });
  await api(stage.server, 'DELETE', `/markers/${marker}`, { token: before.token });
  expect((await api(stage.server, 'GET', `/groups/${tower}`, { token: before.token })).status).toBe(404);

  const downloading = admin.page.waitForEvent('download');
  await line.getByRole('button', { name: `Download “${title}”` }).click();
  await admin.sees('password hashes');
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Download', exact: true }).click();
  const file = await (await downloading).path();

  await line.getByRole('button', { name: `Restore “${title}”` }).click();
  await admin.sees('Everyone in this project is signed out');
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  // A whole project is written anew, by a database that nothing has optimized.
  await admin.showsNotice('The project was restored from a backup', inTime(30_000));

  const after = await desk();
  expect(await read<StoredRow>(after, 'groups', tower)).toEqual(stored);
  expect((await read<StoredRow>(after, 'markers', marker)).id).toBe(marker);
  expect((await api(stage.server, 'GET', '/profile', { token: before.token })).status).toBe(401);

  const again = await signedIn(stage, 'admin');
  await again.open('Backups');
  await again.sees(title);
  const damaged = await readFile(file);
  damaged[Math.floor(damaged.length / 2)] = (damaged[Math.floor(damaged.length / 2)] ?? 0) ^ 0xff;
  const upload = async (buffer: Buffer) => {
    await again.page.getByLabel('Restore from file').first().setInputFiles({ name: 'backup.zip', mimeType: 'application/zip', buffer });
    await again.page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  };
  await upload(damaged);
  await again.sees('The backup is damaged', inTime(30_000));
  await upload(Buffer.from('no archive'));
  await again.sees('This file is not a Doorward backup');
  await again.open('Audit log');
  await again.sees('Restored');
  await again.close();
  await admin.context.close();
});
