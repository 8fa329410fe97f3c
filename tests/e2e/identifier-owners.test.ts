import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { unzipSync } from 'fflate';
import { barriers } from './support/barriers.ts';
import { simulated } from './support/alarms.ts';
import { passAuthority, passCertificate } from '#tests/support/certificates.ts';
import { atWork, type Person } from './support/person.ts';
import { make, named, read, type StoredRow } from './support/records.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const dialog = ({ page }: Person) => page.getByRole('dialog').last();
const rowOf = ({ page }: Person, text: string) => page.locator('tbody tr', { hasText: text }).first();

/** Opens what can be done with the identifier of this name, from its list. */
async function menuOf(person: Person, name: string, isElsewhere = true): Promise<void> {
  if (isElsewhere) await person.page.goto('/identifiers');
  await person.page.getByRole('searchbox').first().fill(name);
  await rowOf(person, name)
    .getByRole('button', { name: new RegExp(name) })
    .click();
}
async function personNamed(name: string): Promise<string> {
  const [found] = await named(stage, 'users', name);
  if (!found) throw new Error(`${name} is not in the demo`);
  return found.id;
}
const ownerOf = async (id: string): Promise<string | undefined> =>
  (await read<StoredRow & { owner: { name: string } | null }>(stage, 'identifiers', id)).owner?.name;

it('a wallet pass is refused with a reason until the project has a certificate; then a signed pass is saved', async () => {
  const id = await make(stage, 'identifiers', { name: 'Pool pass', type: 'qr', owner: await personNamed('Boris Hale') });
  await make(stage, 'identifiers', { name: 'Pool card', type: 'card', value: '0ABBA001', owner: await personNamed('Boris Hale') });
  const admin = await atWork(stage);
  const { page } = admin;
  await menuOf(admin, 'Pool card');
  await page.getByRole('menuitem', { name: 'Revoke' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Wallet pass' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await menuOf(admin, 'Pool pass', false);
  await page.getByRole('menuitem', { name: 'Wallet pass' }).click();
  await dialog(admin).getByRole('button', { name: 'Download pass' }).click();
  await dialog(admin)
    .getByText(/no certificate for wallet passes yet/)
    .waitFor();
  expect(await barriers(page)).toEqual([]);

  await page.goto('/general-settings/wallet');
  const authority = await passAuthority();
  const certificate = await passCertificate(authority);
  const pem = page.getByLabel('Upload PEM file', { exact: true });
  await pem.first().setInputFiles({
    name: 'pass.pem',
    mimeType: 'application/x-pem-file',
    buffer: Buffer.from(certificate.cert + certificate.key + authority.cert),
  });
  await page.getByText('pass.org.example.door').waitFor();
  await menuOf(admin, 'Pool pass');
  await page.getByRole('menuitem', { name: 'Wallet pass' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), dialog(admin).getByRole('button', { name: 'Download pass' }).click()]);
  expect(download.suggestedFilename()).toBe('Pool pass.pkpass');
  const files = unzipSync(await readFile(await download.path()));
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['pass.json', 'manifest.json', 'signature']));
  expect(files['signature']?.length).toBeGreaterThan(500);
  expect(JSON.parse(Buffer.from(files['pass.json'] ?? []).toString())).toMatchObject({
    serialNumber: id,
    passTypeIdentifier: 'pass.org.example.door',
  });
  await admin.close();
});

it('a file with a card that is there already: what becomes of it is asked, and its record follows', async () => {
  await make(stage, 'identifiers', { name: 'Named before', type: 'card', value: '0ABBA002', owner: await personNamed('Boris Hale') });
  const admin = await atWork(stage);
  const { page } = admin;
  const list = Buffer.from(`Type;Number;Name\r\ncard;${Number.parseInt('0ABBA002', 16)};Named by file\r\n`);
  await admin.open('Identifiers');
  await admin.press('Import');
  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'cards.csv', mimeType: 'text/csv', buffer: list });
  await admin.press('Check the file');
  const asked = page.getByRole('group', { name: '1 record already exists with other details' });
  expect(await asked.getByRole('radio', { name: 'Leave as it is' }).isChecked()).toBe(true);
  expect(await barriers(page)).toEqual([]);
  expect(await page.getByRole('button', { name: 'Import 0 rows' }).isDisabled()).toBe(true);
  await asked.getByRole('radio', { name: 'Update from the file' }).check();
  await admin.press('Import 1 row');
  await page.getByText('Updated: 1').waitFor();
  expect((await named(stage, 'identifiers', 'Named before')).length).toBe(0);
  const [row] = await named<StoredRow & { owner: { name: string } | null }>(stage, 'identifiers', 'Named by file');
  expect(row?.owner?.name).toBe('Boris Hale');
  await admin.close();
});

it('a number typed a second time: whose it is is said before saving, and saving is refused at the field', async () => {
  await make(stage, 'identifiers', { name: 'Number of Boris', type: 'card', value: '0ABBA003', owner: await personNamed('Boris Hale') });
  const admin = await atWork(stage, 'admin', { at: '/identifiers/add?type=card' });
  await admin.fill('Name', 'The same again');
  await admin.fill('Value', String(Number.parseInt('0ABBA003', 16)));
  await admin.sees('HEX 0ABBA003');
  await admin.page.getByText(/already belongs to Boris Hale/).waitFor();
  await admin.press('Save');
  await admin.frame('value').getByText('An identifier of this type with this value already exists').waitFor();
  expect(await barriers(admin.page)).toEqual([]);
  await admin.page.getByRole('link', { name: 'Number of Boris' }).waitFor();
  expect((await named(stage, 'identifiers', 'The same again')).length).toBe(0);
  await admin.context.close();
  expect(admin.errors).toEqual([]);
});

it('a card that is somebody else’s is moved while it is enrolled: what it opens there is said first', async () => {
  const id = await make(stage, 'identifiers', { name: 'Card to move', type: 'card', value: '0ABBA004', owner: await personNamed('Boris Hale') });
  const reader = await simulated(stage, 'Tower B lobby');
  const [next] = (await named(stage, 'users', 'Marcus Webb')) as [StoredRow];
  const desk = await atWork(stage, 'admin', { at: `/identifiers/add?type=card&owner=${next.id}` });
  const { page } = desk;
  await desk.frame('owner').getByText('Marcus Webb').waitFor();
  await desk.press('Read at a reader');
  await page.getByPlaceholder('Find a reader').fill('Tower B lobby');
  await dialog(desk).getByRole('radio', { name: 'Tower B lobby' }).check();
  await desk.press('Wait for card');
  await dialog(desk).getByText('Hold the card to the reader “Tower B lobby”.').waitFor();
  const present = { act: 'present', type: 'card', value: '0ABBA004' };
  expect((await api(stage.server, 'POST', `/simulator/devices/${reader}`, { token: stage.token, body: present })).status).toBe(200);
  await desk.press('Move it from Boris Hale');
  await dialog(desk).getByRole('heading', { name: 'With Marcus Webb' }).waitFor();
  await dialog(desk)
    .getByText(/^(Opens|No longer opens) \d+ |^It opens the same doors/)
    .first()
    .waitFor();
  expect(await barriers(page)).toEqual([]);
  expect(await ownerOf(id)).toBe('Boris Hale');
  await dialog(desk).getByRole('button', { name: 'Move', exact: true }).click();
  await page.waitForURL((url) => url.pathname === `/identifiers/${id}`);
  await page.getByText('Marcus Webb').first().waitFor();
  expect(await ownerOf(id)).toBe('Marcus Webb');
  await desk.close();
});
