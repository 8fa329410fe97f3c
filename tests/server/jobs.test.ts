import { randomUUID } from 'node:crypto';
import Papa from 'papaparse';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ImportAttempt } from '#models/import.ts';
import type { Job } from '#models/job.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { auditEvents, files, groupTypes, jobs as table, markers, schedules, users } from '#server/db/schema/index.ts';
import { readWorkbook } from '#server/import/xlsx.ts';
import { Jobs } from '#server/jobs/jobs.ts';
import type { Principal } from '#server/context.ts';
import { workbook } from '#server/crud/workbook.ts';
import { until } from './devices-support.ts';
import { form } from './hostile-files.ts';
import { buildEstate, codeOf, dataOf, type Estate, jobIsOver, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';
import { longestWait } from '#tests/support/in-time.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let keeper: Person;

beforeAll(async () => {
  server = await openTestServer({ now: new Date('2026-11-21T10:00:00Z') });
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town], name: 'Boss' });
  keeper = await makePerson(server, estate, {
    permissions: ['can_view_users', 'can_delete_users', 'can_edit_all_users'],
    in: [estate.groups.north],
    name: 'Keeper',
  });
  for (let index = 0; index < 12; index += 1)
    await makePerson(server, estate, {
      permissions: [],
      in: [index % 2 ? estate.groups.n1 : estate.groups.s1],
      name: `Row ${String(index).padStart(2, '0')}`,
    });
});
afterAll(() => server.close());

const over = (who: Person, job: Job): Promise<Job> => jobIsOver(who.client, job);
const start = async (who: Person, area: string, body: unknown): Promise<Job> => {
  const answer = await who.client.post(`/${area}/export`, body);
  expect(answer.statusCode, answer.body).toBe(202);
  return over(who, dataOf<Job>(answer));
};
const fetchFile = (who: Person, job: Job) => who.client.get(`/jobs/${job.id}/file`);

describe('an export', () => {
  it('is a file with a real name and the rows asked for, in order (csv)', async () => {
    const filters = { match: 'match_all', items: [{ field: 'name', rule: 'begins_with', value: 'row' }] };
    const job = await start(boss, 'users', { export_format: 'csv', filters, sort: ['-name'], columns: ['name', 'domains', 'profile'] });
    expect(job).toMatchObject({
      kind: 'export',
      state: 'completed',
      done: 12,
      total: 12,
      file_name: 'users-2026-11-21.csv',
      failures: [],
      problem: null,
    });
    const file = await fetchFile(boss, job);
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="users-2026-11-21.csv"; filename*=UTF-8''users-2026-11-21.csv`,
    });
    const { data } = Papa.parse<string[]>(file.body.replace('\ufeff', '').trimEnd());
    expect(data[0]).toEqual(['name', 'domains', 'profile.phone', 'profile.address']);
    expect(data.slice(1).map(([name]) => name)).toEqual(Array.from({ length: 12 }, (_, index) => `Row ${String(11 - index).padStart(2, '0')}`));
    expect(data[1]).toEqual(['Row 11', 'n1', '', '']);
    const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.action, 'export'));
    expect(trail.at(-1)).toMatchObject({ area: 'users', userId: boss.id, changes: { rows: { after: 12 } } });
  });

  it('is json as the wire has it, or a workbook', async () => {
    const json = await start(boss, 'groups', { export_format: 'json', columns: ['name', 'path'] });
    expect(JSON.parse((await fetchFile(boss, json)).body)).toEqual(expect.arrayContaining([{ name: 'n1', path: ['town', 'north', 'n1'] }]));
    const none = await start(boss, 'groups', { export_format: 'json', filters: { items: [{ field: 'name', rule: 'equals', value: 'nobody' }] } });
    expect(JSON.parse((await fetchFile(boss, none)).body)).toEqual([]);
    const book = await fetchFile(boss, await start(boss, 'users', { export_format: 'xlsx' }));
    expect(book.headers['content-type']).toContain('spreadsheetml');
    expect(book.rawPayload.subarray(0, 2).toString()).toBe('PK');
  });

  it('is for people where that is asked: headings and values in their language, times by their clocks', async () => {
    const { db } = server.services;
    await db.update(users).set({ locale: 'ru', timeZoneName: 'Asia/Tokyo', timeFormat: 'DD-MM-YYYY' }).where(eq(users.id, keeper.id));
    await db
      .update(users)
      .set({ activatedAt: Date.parse('2026-11-20T20:00:00Z') / 1_000, elevatorAccessDisabled: true })
      .where(eq(users.name, 'Row 01'));
    await db.update(users).set({ activatedAt: 0 }).where(eq(users.name, 'Row 03'));
    const asked = {
      filters: { match: 'match_all', items: [{ field: 'name', rule: 'begins_with', value: 'row' }] },
      sort: ['name'],
      columns: ['name', 'domains', 'profile.phone', 'activated_at', 'elevator_access_disabled'],
      readable: true,
    };
    const { body } = await fetchFile(keeper, await start(keeper, 'users', { ...asked, export_format: 'csv' }));
    const { data } = Papa.parse<string[]>(body.replace('\ufeff', '').trimEnd());
    expect(data.slice(0, 3)).toEqual([
      ['Имя', 'Группы', 'Телефон', 'Активирован', 'Без доступа к лифтам'],
      ['Row 01', 'n1', '', '21-11-2026 05:00:00', 'Да'],
      ['Row 03', 'n1', '', '', 'Нет'],
    ]);
    // What is made for people can be read again.
    const { body: sent, headers } = form({}, Buffer.from(body), 'people.csv', 'text/csv', 'file');
    const { mapping } = dataOf<ImportAttempt>(await boss.client.post('/users/import', sent, headers));
    expect(mapping).toMatchObject({ name: 0, domains: 1, 'profile.phone': 2 });
    // In a workbook a moment is one, to be sorted and reckoned with.
    const { rawPayload } = await fetchFile(keeper, await start(keeper, 'users', { ...asked, export_format: 'xlsx' }));
    const [head, first] = await readWorkbook(rawPayload);
    expect([head?.cells[0], Number(first?.cells[3])]).toEqual(['Имя', expect.closeTo(25_569 + Date.parse('2026-11-21T05:00:00Z') / 86_400_000, 5)]);
    await db.update(users).set({ locale: 'en', timeZoneName: null }).where(eq(users.id, keeper.id));
  });

  it('says for people a time of day as clocks do', async () => {
    await server.services.db.insert(schedules).values({ projectId: estate.here, name: 'Cleaning', fromSeconds: 21_600, toSeconds: 86_400 });
    const job = await start(boss, 'schedules', { export_format: 'csv', columns: ['name', 'from', 'to'], readable: true });
    expect((await fetchFile(boss, job)).body.trimEnd().split('\r\n').at(-1)).toBe('Cleaning,06:00,24:00');
  });

  it('says for people what has changed, field by field, and where', async () => {
    const marker = dataOf<string>(await boss.client.put('/markers', { name: 'Gold', color: '#102030' }));
    expect((await boss.client.patch(`/markers/${marker}`, { name: 'Silver' })).statusCode).toBe(200);
    const filters = { items: [{ field: 'area', rule: 'equals', value: 'markers' }] };
    const job = await start(boss, 'audit-events', {
      export_format: 'csv',
      filters,
      sort: ['-created_at'],
      columns: ['action', 'area', 'changes'],
      readable: true,
    });
    const { body } = await fetchFile(boss, job);
    const { data } = Papa.parse<string[]>(body.replace('\ufeff', '').trimEnd());
    expect(data[0]).toEqual(['Action', 'Area', 'Changes']);
    expect(data.slice(1)).toContainEqual(['Changed', 'Markers', 'Name: Gold → Silver']);
  });

  it('holds only what its owner may see, and only they may fetch it (P2)', async () => {
    const job = await start(keeper, 'users', { export_format: 'csv', columns: ['name'] });
    const { body } = await fetchFile(keeper, job);
    expect(body).toContain('Row 01');
    expect(body).not.toContain('Row 00');
    expect(body).not.toContain('Boss');
    for (const path of [`/jobs/${job.id}`, `/jobs/${job.id}/file`]) expect(codeOf(await boss.client.get(path))).toBe('not_found');
    expect(codeOf(await boss.client.delete(`/jobs/${job.id}`))).toBe('not_found');
    const [row] = await server.services.db.select().from(table).where(eq(table.id, job.id));
    expect((await boss.client.get(`/files/${row?.fileId}`)).statusCode).toBe(403);
  });

  it('runs nothing in a spreadsheet (C14)', async () => {
    const evil = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', "=cmd|' /C calc'!A0", '=1\n2', '＝1'];
    await server.services.db
      .insert(groupTypes)
      .values(evil.map((description, index) => ({ projectId: estate.here, name: `evil ${index}`, description })));
    const { body } = await fetchFile(
      boss,
      await start(boss, 'group-types', {
        export_format: 'csv',
        columns: ['description'],
        filters: { items: [{ field: 'name', rule: 'begins_with', value: 'evil' }] },
        sort: ['name'],
      }),
    );
    const { data } = Papa.parse<string[]>(body.replace('\ufeff', '').trimEnd());
    expect(data.slice(1).map(([cell]) => cell)).toEqual(evil.map((text) => `'${text}`));
  });

  it('refuses columns, filters and areas that are not there', async () => {
    expect(dataOf(await boss.client.post('/users/export', { export_format: 'csv', columns: ['password_hash'] }))).toEqual({
      parameter: 'columns',
      value: 'password_hash',
    });
    expect(codeOf(await boss.client.post('/users/export', { export_format: 'csv', sort: ['password_hash'] }))).toBe('wrong_parameters');
    expect(codeOf(await boss.client.post('/users/export', { export_format: 'exe' }))).toBe('invalid_data');
    expect(codeOf(await boss.client.post('/secrets/export', { export_format: 'csv' }))).toBe('not_found');
    expect(codeOf(await keeper.client.post('/audit-events/export', { export_format: 'csv' }))).toBe('forbidden');
  });
});

describe('deleting all that match', () => {
  it('is a job that deletes what may be deleted and names the rest', async () => {
    const held = randomUUID();
    await server.services.db
      .insert(markers)
      .values(Array.from({ length: 30 }, (_, index) => ({ projectId: estate.here, name: `gone ${index}`, color: '#000000' })));
    await server.services.db.insert(groupTypes).values([
      { id: held, projectId: estate.here, name: 'gone but held' },
      { projectId: estate.here, name: 'gone and free' },
    ]);
    await boss.client.patch(`/groups/${estate.groups.n1}`, { domain_type_id: held });
    const filters = { match: 'match_all', items: [{ field: 'name', rule: 'begins_with', value: 'gone' }] };
    const all = await over(boss, dataOf<Job>(await boss.client.post('/markers/delete', { filters })));
    expect(all).toMatchObject({ kind: 'bulk_delete', state: 'completed', done: 30, total: 30, failures: [] });
    const some = await over(boss, dataOf<Job>(await boss.client.post('/group-types/delete', { filters })));
    expect(some).toMatchObject({
      state: 'completed',
      done: 2,
      failures: [{ id: held, name: 'gone but held', ok: false, problem: { code: 'in_use' } }],
    });
    const [trail] = [await server.services.db.select().from(auditEvents).where(eq(auditEvents.area, 'markers'))];
    expect(trail.filter(({ action }) => action === 'delete')).toHaveLength(30);
  });

  it('leaves room for others meanwhile', async () => {
    await server.services.db
      .insert(markers)
      .values(Array.from({ length: 300 }, (_, index) => ({ projectId: estate.here, name: `crowd ${index}`, color: '#000000' })));
    const filters = { match: 'match_all', items: [{ field: 'name', rule: 'begins_with', value: 'crowd' }] };
    const job = dataOf<Job>(await boss.client.post('/markers/delete', { filters }));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    expect(await over(boss, job)).toMatchObject({ state: 'completed', done: 300 });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });

  it('reaches only what the principal may see and delete', async () => {
    const filters = { match: 'match_all', items: [{ field: 'name', rule: 'begins_with', value: 'row' }] };
    const job = await over(keeper, dataOf<Job>(await keeper.client.post('/users/delete', { filters })));
    expect(job).toMatchObject({ state: 'completed', total: 6, failures: [] });
    const left = (await boss.client.get(`/users?size=100&filters=${encodeURIComponent(JSON.stringify(filters))}`)).json() as {
      meta: { total: number };
    };
    expect(left.meta.total).toBe(6);
  });
});

describe('the queue', () => {
  const principal = (): Principal => ({
    id: boss.id,
    projectId: estate.here,
    sessionId: '',
    name: 'Boss',
    roleId: '',
    locale: 'en',
    availableRoles: [],
    profileVersion: '',
    ip: '127.0.0.1',
    userAgent: null,
    permissions: [],
    domains: [],
  });

  it('runs two at a time, cancels what waits and what runs, and fails cleanly', async () => {
    const jobs = new Jobs(server.services);
    let release = (): void => undefined;
    const gate = new Promise<void>((open) => {
      release = open;
    });
    let running = 0;
    let most = 0;
    const slowWork = () =>
      jobs.start(principal(), 'export', async (progress) => {
        most = Math.max(most, ++running);
        progress.total(10);
        await gate;
        running -= 1;
        for (let unit = 0; unit < 10; unit += 1) await progress.done();
      });
    const [one, two, three] = [await slowWork(), await slowWork(), await slowWork()];
    await vi.waitFor(async () => expect((await jobs.read(principal(), one.id)).state).toBe('running'), { timeout: longestWait });
    expect((await jobs.read(principal(), three.id)).state).toBe('queued');
    await jobs.cancel(principal(), three.id);
    await jobs.cancel(principal(), two.id);
    release();
    await jobs.idle();
    const states = await Promise.all([one, two, three].map(async ({ id }) => (await jobs.read(principal(), id)).state));
    expect(states).toEqual(['completed', 'cancelled', 'cancelled']);
    expect(most).toBe(2);
    const broken = await jobs.start(principal(), 'export', () => Promise.reject(new Error('the disk is made of cheese')));
    await jobs.idle();
    const failed = await jobs.read(principal(), broken.id);
    expect(failed).toMatchObject({ state: 'failed', problem: { code: 'internal', message: 'internal server error' } });
    await jobs.close();
  });

  it('has never done more than there is, also where rows came since they were counted', async () => {
    const jobs = new Jobs(server.services);
    const grown = await jobs.start(principal(), 'export', async (progress) => {
      progress.total(2);
      for (let unit = 0; unit < 5; unit += 1) await progress.done();
    });
    await jobs.idle();
    expect(await jobs.read(principal(), grown.id)).toMatchObject({ state: 'completed', done: 5, total: 5 });
    await jobs.close();
  });

  it('ends as failed what a dead process left behind, and forgets files after a day', async () => {
    const left = await server.services.db
      .insert(table)
      .values([
        { userId: boss.id, kind: 'export', state: 'running' },
        { userId: boss.id, kind: 'export', state: 'queued' },
      ])
      .returning();
    const done = await start(boss, 'markers', { export_format: 'csv' });
    const jobs = new Jobs(server.services);
    if (server.services.config.databaseUrl) server.pass(120_000);
    await jobs.removeExpired(true);
    for (const { id } of left)
      expect(dataOf(await boss.client.get(`/jobs/${id}`))).toMatchObject({ state: 'failed', problem: { code: 'unavailable' } });
    expect((await fetchFile(boss, done)).statusCode).toBe(200);
    const [row] = await server.services.db.select().from(table).where(eq(table.id, done.id));
    server.pass(25 * 3_600_000);
    await jobs.removeExpired(false);
    expect(
      await server.services.db
        .select()
        .from(files)
        .where(eq(files.id, row?.fileId ?? randomUUID())),
    ).toEqual([]);
    const [stored] = await server.services.db.select().from(table).where(eq(table.id, done.id));
    expect(stored).toMatchObject({ state: 'completed', fileId: null });
    server.pass(7 * 24 * 3_600_000);
    await jobs.removeExpired(false);
    expect(await server.services.db.select().from(table).where(eq(table.id, done.id))).toEqual([]);
    await jobs.close();
  });

  it('closing ends what runs as failed, to be asked for again', async () => {
    const jobs = new Jobs(server.services);
    const job = await jobs.start(principal(), 'export', async (progress) => {
      for (;;) {
        await new Promise((wait) => setTimeout(wait, 5));
        await progress.done();
      }
    });
    await vi.waitFor(async () => expect((await jobs.read(principal(), job.id)).state).toBe('running'), { timeout: longestWait });
    await jobs.close();
    expect(await jobs.read(principal(), job.id)).toMatchObject({ state: 'failed', problem: { code: 'unavailable' } });
  });

  it('closing tells all work at once and waits for none that does not listen; what it still does changes nothing', async () => {
    const jobs = new Jobs(server.services);
    let finish = (): void => undefined;
    const deaf = await jobs.start(principal(), 'export', () => new Promise<void>((done) => (finish = done)));
    const begun: string[] = [];
    const listening = await jobs.start(
      principal(),
      'export',
      ({ signal }) =>
        new Promise<void>((_done, fail) => {
          begun.push('listening');
          signal.addEventListener('abort', () => fail(signal.reason as Error));
        }),
    );
    const queued = [await jobs.start(principal(), 'export', async () => void begun.push('queued'))];
    await until(
      () => begun.length,
      (count) => count === 1,
    );
    await jobs.close();
    finish();
    await jobs.idle();
    for (const { id } of [deaf, listening, ...queued])
      expect(await jobs.read(principal(), id)).toMatchObject({ state: 'failed', problem: { code: 'unavailable' } });
    expect(begun).toEqual(['listening']);
  });

  it('a workbook that is being reckoned is given up when it is no longer wanted', async () => {
    const stop = new AbortController();
    async function* rows() {
      for (let part = 0; part < 40; part += 1) yield Array.from({ length: 500 }, (_, at) => ['a word', 'another word', part, at]);
      // All has been handed over: from here on the library reckons for seconds.
      setImmediate(() => stop.abort());
    }
    const written: number[] = [];
    const write = async () => {
      for await (const bytes of workbook(rows(), stop.signal)) written.push(bytes.length);
    };
    await expect(write()).rejects.toThrow('aborted');
    expect(written).toEqual([]);
  });
});
