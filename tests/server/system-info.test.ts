import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceStatus, SystemInfo } from '#models/system-info.ts';
import { makeLog } from '#server/http/log.ts';
import { LogRing } from '#server/http/log-ring.ts';
import { Part } from '#server/parts.ts';
import { buildEstate, dataOf, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: ['can_view_system_info', 'can_change_project_settings'], in: [estate.groups.town] });
});
afterAll(() => server.close());

describe('system information', () => {
  it('tells versions, database, disk, services and what is under way', async () => {
    const info = dataOf<SystemInfo>(await boss.client.get('/system-info'));
    expect(info.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(info.migration).toMatch(/^\d{4}_/);
    expect(info.database.bytes).toBeGreaterThan(1_000_000);
    expect(info.disk.total).toBeGreaterThan(info.disk.free);
    expect(info.services.map(({ key, state }) => [key, state])).toEqual([
      ['broker', 'stopped'],
      ['sip', 'stopped'],
    ]);
    expect(info.work).toEqual({ jobs_running: 0, jobs_queued: 0, tasks_waiting: 0, mails_waiting: 0, calls: 0 });
  });

  it('tells people of other projects nothing of what is everybody’s: log, blocked addresses, restarts', async () => {
    const ring = new LogRing();
    makeLog('debug', ring.over({ write: () => undefined })).warn({ ip: '203.0.113.7' }, 'a device was refused');
    server.services.logRing = ring;
    const stranger = await makePerson(server, estate, {
      permissions: ['can_view_system_info', 'can_change_project_settings'],
      in: [estate.groups.abroad],
      project: estate.there,
    });
    const seenBy = async ({ client }: Person) => dataOf<SystemInfo>(await client.get('/system-info'));
    expect([(await seenBy(boss)).is_operator, (await seenBy(boss)).logs.length]).toEqual([true, 1]);
    expect([(await seenBy(stranger)).is_operator, (await seenBy(stranger)).logs]).toEqual([false, []]);
    const { client } = stranger;
    const ips = { ips: ['203.0.113.7'] };
    for (const answer of [
      await client.get('/ip-blocking'),
      await client.get('/ip-blocking/status'),
      await client.post('/ip-blocking/unban', ips),
      await client.post('/ip-blocking/unban-all'),
      await client.post('/ip-blocking/whitelist', ips),
      await client.post('/ip-blocking/whitelist/delete', ips),
      await client.post('/services/sip/restart'),
      await client.post('/services/sip/reinit'),
    ])
      expect(answer.statusCode).toBe(403);
    expect((await boss.client.get('/ip-blocking')).statusCode).toBe(200);
  });

  it('shows the log by level and words, without secrets, and never more than it keeps', async () => {
    const ring = new LogRing();
    const written: string[] = [];
    const log = makeLog('debug', ring.over({ write: (line: string) => void written.push(line) }));
    log.info({ user: 'u1', password: 'Doorward-2026' }, 'request');
    log.warn({ ip: '203.0.113.7' }, 'a device was refused');
    log.error({ err: new Error('broken') }, 'request failed');
    log.debug('settings');
    server.services.logRing = ring;
    const logs = async (query: string) => dataOf<SystemInfo>(await boss.client.get(`/system-info${query}`)).logs;
    expect((await logs('')).map(({ level, text }) => [level, text])).toEqual([
      ['info', 'request'],
      ['warn', 'a device was refused'],
      ['error', 'request failed'],
    ]);
    expect((await logs('?level=debug')).length).toBe(4);
    expect((await logs('?level=warn')).map(({ text }) => text)).toEqual(['a device was refused', 'request failed']);
    expect((await logs('?search=203.0.113')).map(({ text }) => text)).toEqual(['a device was refused']);
    expect(JSON.stringify(await logs('?level=debug'))).not.toContain('Doorward-2026');
    expect((await boss.client.get('/system-info?level=loud')).statusCode).toBe(400);
    for (let line = 0; line < 5_000; line += 1) log.info({ line }, 'many');
    log.info({ text: 'x'.repeat(100_000) }, 'long');
    const last = await logs('');
    expect(last.length).toBe(300);
    expect(JSON.stringify(last.at(-1)).length).toBeLessThan(6_000);
    expect(ring.read('debug', 'settings')).toEqual([]);
    expect(written.length).toBe(5_005);
  });

  it('begins a service anew, one at a time, and says so in the trail; one that does not come back may be tried again', async () => {
    const happened: string[] = [];
    let works = true;
    const broker = new Part(
      () => {
        happened.push('open');
        return works ? Promise.resolve({ close: async () => void happened.push('close') }) : Promise.reject(new Error('the port is taken'));
      },
      () => 1883,
    );
    await broker.open();
    server.services.parts = { broker, sip: broker };
    const restart = () => boss.client.post('/services/broker/restart');
    expect(dataOf<ServiceStatus>(await boss.client.get('/services/broker/status'))).toMatchObject({ key: 'broker', state: 'running', port: 1883 });
    expect((await restart()).statusCode).toBe(200);
    expect(happened).toEqual(['open', 'close', 'open']);
    works = false;
    expect((await restart()).statusCode).toBe(503);
    expect(dataOf<ServiceStatus>(await boss.client.get('/services/broker/status')).state).toBe('stopped');
    works = true;
    expect(dataOf<ServiceStatus>(await restart()).state).toBe('running');
    expect((await boss.client.post('/services/sip/reinit')).statusCode).toBe(200);
    delete server.services.parts;
  });

  it('lists what the API has', async () => {
    const meta = dataOf<{ area: string; fields: string[] }[]>(await boss.client.get('/resources/meta'));
    expect(meta.find(({ area }) => area === 'users')?.fields).toContain('login');
  });

  it('is for those alone who hold its permissions', async () => {
    const none = await makePerson(server, estate, { permissions: ['can_change_project_settings'], in: [] });
    const viewer = await makePerson(server, estate, { permissions: ['can_view_system_info'], in: [] });
    expect((await none.client.get('/system-info')).statusCode).toBe(403);
    expect((await none.client.get('/services/sip/status')).statusCode).toBe(403);
    expect((await viewer.client.get('/system-info')).statusCode).toBe(200);
    for (const path of ['/services/sip/restart', '/services/broker/restart', '/services/sip/reinit'])
      expect((await viewer.client.post(path)).statusCode, path).toBe(403);
  });
});
