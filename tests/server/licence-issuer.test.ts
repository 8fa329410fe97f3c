import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LicenceStatusReport, LicenceOverview } from '#models/licences.ts';
import { projects } from '#server/db/schema/index.ts';
import { addFromCloud } from '#server/licences/cloud.ts';
import { issuerModes } from '#models/simulator.ts';
import { endSoon, expireLicence, issueExtension, issuerMode, restoreLicence, setIssuerMode } from '#server/licences/issuer.ts';
import { sessionOfToken } from '#server/access/principal.ts';
import { dataOf } from './estate.ts';
import { type Client, openTestServer, type TestServer } from './support.ts';
import { upload } from './vendor.ts';

const day = 86_400;
let server: TestServer;
let admin: Client;
let riverside: string;

beforeAll(async () => {
  server = await openTestServer({ demo: true });
  admin = await server.signIn('admin');
  const [project] = await server.services.db.select().from(projects).where(eq(projects.uid, 'riverside'));
  riverside = project?.id ?? '';
});
afterAll(() => server.close());

const now = () => Math.floor(server.services.now().getTime() / 1_000);
const licenceStatus = async () => dataOf<LicenceStatusReport>(await admin.get('/licenses/outlook'));
const overview = async () => dataOf<LicenceOverview>(await admin.get('/licenses'));
const asking = async (timeout?: number) => {
  const session = await sessionOfToken(server.services, admin.token ?? '', { ip: '', userAgent: null });
  if (!session) throw new Error('the session has ended');
  return addFromCloud(server.services, session.principal, timeout);
};

describe('the demo’s issuer', () => {
  it('has licensed both projects: one for long, one whose licence ends in nine days', async () => {
    expect(await licenceStatus()).toMatchObject({ status: 'normal', reminders: [] });
    const answer = await server.as(null).post('/login', { login: 'dealer', password: 'Doorward-2026' });
    const { sessions } = dataOf<{ sessions: { token: string; project: { uid: string } }[] }>(answer);
    const dealer = server.as(sessions.find(({ project }) => project.uid === 'harbour')?.token ?? null);
    const { status, reminders } = dataOf<LicenceStatusReport>(await dealer.get('/licenses/outlook'));
    expect([status, reminders.map(({ ends_at }) => Math.floor((ends_at - now()) / day))]).toEqual(['will_expire', [9]]);
    const { seats } = await overview();
    expect(seats.filter(({ used, available }) => available !== null && used >= available * 0.8).map(({ feature }) => feature)).toEqual([
      'mobile_app',
    ]);
  });

  it('has again from the cloud what was removed: nobody who removed the licences is stuck', async () => {
    await setIssuerMode(server.services.db, 'ok');
    const before = (await overview()).licenses.map(({ type }) => type).toSorted();
    for (const { id } of (await overview()).licenses) expect((await admin.delete(`/licenses/${id}`)).statusCode).toBe(200);
    expect((await licenceStatus()).status).toBe('no_license');
    expect(await asking()).toMatchObject({ added: before.length, renewed: 0 });
    expect((await overview()).licenses.map(({ type }) => type).toSorted()).toEqual(before);
    expect((await licenceStatus()).status).toBe('normal');
  });

  it('plays the vendor’s cloud in every manner that is staged', async () => {
    const said: Record<string, string> = {};
    for (const mode of issuerModes) {
      await setIssuerMode(server.services.db, mode);
      expect(await issuerMode(server.services.db)).toBe(mode);
      said[mode] = await asking(300).then(
        ({ added, renewed }) => `${added} ${renewed}`,
        (error: { code: string }) => error.code,
      );
    }
    await setIssuerMode(server.services.db, 'ok');
    expect(said).toEqual({
      ok: '0 0',
      silent: 'licence_server_silent',
      none: 'licence_none_found',
      bad_signature: 'licence_bad_signature',
      expired: 'licence_expired',
      wrong_project: 'licence_not_applicable',
      instance_registered: 'licence_instance_registered',
    });
  });

  it('hands out a further licence as a file, which is believed here and nowhere else', async () => {
    const before = (await overview()).features.ukey2.license_count ?? 0;
    const file = await issueExtension(server.services, 'riverside');
    expect(dataOf<LicenceOverview>(await upload(admin, file)).features.ukey2.license_count).toBe(before + 20);
    const other = await openTestServer({ demo: true });
    try {
      const answer = await upload(await other.signIn('admin'), file);
      expect((answer.json() as { error: { code: string } }).error.code).toBe('licence_bad_signature');
    } finally {
      await other.close();
    }
  });

  it('is not believed where the demo is off', async () => {
    const { services } = server;
    const off = { ...services, config: { ...services.config, demo: false, licenceKey: null } };
    const { readLicences } = await import('#server/licences/stored.ts');
    expect((await readLicences(off, riverside)).filter(({ isTrusted }) => isTrusted)).toEqual([]);
    expect((await readLicences(services, riverside)).every(({ isTrusted }) => isTrusted)).toBe(true);
  });

  it('lets the licence end soon, expire with and without grace, and come back; the cloud renews it too', async () => {
    const seen = async () => {
      const { status, reminders } = await licenceStatus();
      return [
        status,
        reminders.map(({ ends_at, features_end_at }) => [(ends_at - now()) / day, (features_end_at - now()) / day]),
        (await overview()).features.sip.is_enabled,
      ];
    };
    await endSoon(server.services, riverside, 3);
    expect(await seen()).toEqual(['will_expire', [[3, 10]], true]);
    await expireLicence(server.services, riverside, 5);
    expect(await seen()).toEqual(['already_expired', [[0, 5]], true]);
    await expireLicence(server.services, riverside);
    expect(await seen()).toEqual(['already_expired', [[0, 0]], false]);
    expect(await asking()).toMatchObject({ added: 0 });
    expect(await seen()).toEqual(['normal', [], true]);
    await expireLicence(server.services, riverside);
    await restoreLicence(server.services, riverside);
    expect(await seen()).toEqual(['normal', [], true]);
  });
});
