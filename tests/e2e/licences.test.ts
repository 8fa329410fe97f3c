import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { constants } from '#models/constants.ts';
import { allLicensed, type LicenceInfo, nothingLicensed } from '#models/licence-info.ts';
import type { LicenceOverview, LicencePayload } from '#models/licences.ts';
import { signLicence } from '#server/licences/file.ts';
import { inTime } from '#tests/support/in-time.ts';
import { barriers } from './support/barriers.ts';
import { atWork, type Person, sitDown } from './support/person.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const day = 86_400;
const vendor = generateKeyPairSync('ed25519');
const key = vendor.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const stage = setStage({ DOORWARD_LICENCE_KEY: key });

const now = () => Math.floor(Date.now() / 1_000);
const payload = (given: Partial<LicencePayload> = {}): LicencePayload => ({
  id: crypto.randomUUID(),
  project: 'riverside',
  instance: null,
  issued_at: now(),
  type: 'extension',
  period: constants.unlimitedLicencePeriod,
  grace_days: 0,
  features: nothingLicensed,
  reminder: { mode: 'everyday', notify_before: 14 },
  ...given,
});
const moreKeys: LicenceInfo = { ...nothingLicensed, ukey2: { is_enabled: true, license_count: 30 } };
const choose = (person: Person, content: string) =>
  person.page
    .getByLabel('Choose file')
    .first()
    .setInputFiles({ name: 'more.lic', mimeType: 'application/json', buffer: Buffer.from(content) });
const overview = async () => (await api<{ data: LicenceOverview }>(stage.server, 'GET', '/licenses', { token: stage.token })).body.data;
/** Drops a file on the page as the desktop does. */
const drop = (person: Person, content: string) =>
  person.page.evaluate(
    `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(content)}], 'more.lic'));
      const place = document.querySelector('.drop');
      for (const type of ['dragenter', 'dragover', 'drop']) place.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data })); })()`,
  );

it('an administrator adds a licence from a file; one with a bad signature is refused in words that stay', async () => {
  const admin = await atWork(stage);
  await admin.open('Licences');
  await admin.sees('51 of 120');
  const forger = generateKeyPairSync('ed25519');
  await choose(admin, signLicence(payload({ features: moreKeys }), forger.privateKey));
  const refused = admin.page.getByText('The licence signature is not valid.');
  await refused.waitFor();
  await admin.page.waitForTimeout(3_500);
  expect(await refused.isVisible()).toBe(true);
  await choose(admin, 'no licence at all');
  await admin.sees('corrupted');
  await drop(admin, signLicence(payload({ features: moreKeys }), vendor.privateKey));
  await admin.showsNotice('Licence added');
  await admin.sees('51 of 150');
  expect(await refused.count()).toBe(0);
  await admin.press('Import from the cloud');
  await admin.showsNotice('Nothing new in the cloud');

  await admin.page.getByRole('button', { name: /^Ukey2 keys: 51 of 150/ }).click();
  const holders = admin.page.getByRole('dialog');
  await holders.getByText('Ukey2 keys: users (51)').waitFor();
  expect(await barriers(admin.page)).toEqual([]);
  const [first] = await holders.getByRole('link').all();
  const name = await first?.textContent();
  await first?.click();
  await admin.page.waitForURL(/\/users\//);
  await admin.sees(name ?? 'nobody');
  await admin.close();
});

it('a group asks for more than there is: the findings are told for a while and stay to be read; what is typed stays', async () => {
  const { server, token } = stage;
  const { body } = await api<{ data: { id: string; name: string }[] }>(server, 'GET', '/groups/tree', { token });
  const tower = body.data.find(({ name }) => name === 'Tower B');
  const admin = await atWork(stage, 'admin', { at: `/groups/${tower?.id}/edit` });
  const keys = admin.page.locator('[data-path="licenseInfo.info.ukey2.license_count"] input');
  await keys.fill('500');
  await admin.press('Save');
  const notice = admin.page.locator('.alert-stack .alert', { hasText: 'Ukey2 keys: all groups together need 500, but the project has 150' });
  await notice.waitFor();
  await admin.page.locator('.alert-stack').evaluate(() => new Promise((later) => setTimeout(later, 5_000)));
  expect(await notice.isVisible()).toBe(true);
  await notice.waitFor({ state: 'hidden', timeout: inTime(10_000) });
  await admin.page.locator('.notice-bad', { hasText: 'all groups together need 500' }).waitFor();
  expect(await keys.inputValue()).toBe('500');
  await keys.fill('60');
  await admin.press('Save');
  await admin.showsNotice('Done');
  await admin.close();
});

it('when a licence expires its features leave the console at once, nothing typed is lost, and the server refuses', async () => {
  const { server, token } = stage;
  const tree = await api<{ data: { id: string; name: string }[] }>(server, 'GET', '/groups/tree', { token });
  const tower = tree.body.data.find(({ name }) => name === 'Tower B');
  const path = `/groups/${tower?.id}`;
  const admin = await atWork(stage, 'admin', { at: `${path}/edit` });
  await admin.fill('Name', 'Tower B renamed');
  const label = admin.page.getByRole('heading', { name: 'White label' });
  await label.waitFor();
  const whitelabel = { is_enabled: true, name: 'House', address: null, email: null, phone: null };
  const change = async () => (await api<{ error?: { code: string } }>(server, 'PATCH', path, { token, body: { whitelabel } })).body.error?.code;

  const { licenses } = await overview();
  const basic = licenses.find(({ type }) => type === 'basic');
  const ends = now() + 8;
  const shorter = payload({
    id: basic?.number ?? '',
    type: 'basic',
    features: basic?.features ?? allLicensed,
    period: { from: 0, to: ends },
  });
  const form = new FormData();
  form.append('licence', new Blob([signLicence(shorter, vendor.privateKey)]));
  const answer = await fetch(`${server.url}/api/v0/licenses/file`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form });
  expect(answer.status).toBe(200);
  await admin.showsNotice('The licence expires today.');
  expect(await label.count()).toBe(1);
  await expect.poll(() => now()).toBeGreaterThanOrEqual(ends);
  await label.waitFor({ state: 'detached', timeout: inTime(10_000) });
  expect(await admin.field('Name').inputValue()).toBe('Tower B renamed');
  await admin.showsNotice('The licence has expired and its features are disabled.');
  expect(await change()).toBe('licence_restricted');

  await admin.page.evaluate(`document.querySelector('.alert-stack .icon-button').click()`);
  await admin.page.locator('.alert-stack .alert').first().waitFor({ state: 'detached' });
  const renewed = payload({ ...shorter, issued_at: now() + 1, period: { from: 0, to: now() + 400 * day } });
  const again = new FormData();
  again.append('licence', new Blob([signLicence(renewed, vendor.privateKey)]));
  await fetch(`${server.url}/api/v0/licenses/file`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: again });
  await label.waitFor({ timeout: inTime(10_000) });
  expect(await admin.field('Name').inputValue()).toBe('Tower B renamed');
  expect(await change()).toBe(undefined);
  await admin.page.evaluate('window.onbeforeunload = null');
  await admin.close();
});

it('the warning stays for those who manage licences, over pages and a reload, until they close it; nobody else sees it', async () => {
  const dealer = await sitDown(stage);
  const warning = dealer.page.locator('.alert-stack .alert', { hasText: /^Warning\. The licence expires in \d+ days/ });
  await dealer.signIn('dealer');
  await dealer.page.getByRole('button', { name: /Harbour/ }).click();
  await warning.waitFor();
  await dealer.page.waitForTimeout(4_000);
  await dealer.open('Licences');
  await dealer.page.waitForURL('**/licenses');
  expect(await warning.count()).toBe(1);
  await dealer.page.reload();
  await warning.waitFor();
  await warning.getByRole('button', { name: 'Close message' }).click();
  await warning.waitFor({ state: 'detached' });
  await dealer.page.reload();
  await dealer.sees('Expiring soon');
  await dealer.page.waitForLoadState('networkidle');
  expect(await warning.count()).toBe(0);
  await dealer.press('Import from the cloud');
  await dealer.showsNotice('2 licences imported from the cloud');
  await expect.poll(() => dealer.page.getByText('Expiring soon').count()).toBe(0);
  await dealer.close();

  const resident = await atWork(stage, 'resident');
  expect(await resident.page.getByRole('link', { name: 'Licences' }).count()).toBe(0);
  await resident.page.goto('/licenses');
  await resident.sees('You do not have access to this page');
  await resident.close();
});
