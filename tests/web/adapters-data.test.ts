import '#models/index.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { calls } from '#models/api.ts';
import { emptyQuery } from '#models/query.ts';
import { fillPath, openCalls } from '#src/adapters/calls.ts';
import { openDrafts } from '#src/adapters/drafts.ts';
import { openPageStack } from '#src/adapters/page-stack.ts';
import { remembered } from '#src/adapters/followed.ts';
import { openHttp } from '#src/adapters/http.ts';
import { openJobMemory } from '#src/adapters/job-memory.ts';
import { openJobs } from '#src/adapters/jobs.ts';
import { fileNameOf, type SaveFile } from '#src/adapters/save-file.ts';
import { openLocalSettings } from '#src/adapters/local-settings.ts';
import { openRecords } from '#src/adapters/records.ts';
import { openRows } from '#src/adapters/rows.ts';
import { openTheme } from '#src/adapters/theme.ts';
import { uuid } from '#tests/support/people.ts';
import { memoryStore, memoryStorage, noAnswers } from './support/stores.ts';
import { fakeServer, pause } from './support/fake-server.ts';

afterEach(() => vi.unstubAllGlobals());
const http = openHttp({
  base: 'http://doorward.test/api/v0',
  fetch: (input, init) => fetch(input, init),
  tokens: { read: () => ({ token: 't', refresh: 'r' }) },
  session: { tokenRejected: async () => 'over', profileVersion: () => {}, recalled: () => {} },
  online: () => true,
  isWriteHeld: () => false,
  takeSecrets: (body) => body,
  answers: noAnswers,
});
const job = {
  id: uuid(9),
  kind: 'export',
  state: 'queued',
  done: 0,
  total: 0,
  file_name: null,
  failures: [],
  problem: null,
  created_at: '2026-01-01T00:00:00Z',
} as const;

describe('rows of an area', () => {
  const rows = openRows(http, () => Date.parse('2026-05-01T10:00:00Z'));

  it('are asked for in the list grammar, and say when they were true', async () => {
    const server = fakeServer({ 'GET /users': () => ({ body: { data: [{ id: uuid(1), name: 'Ada' }], meta: { page: 2, size: 50, total: 51 } } }) });
    const page = await rows.loadPage({ area: 'users', query: { ...emptyQuery, page: 2, size: 50, sort: ['-name'] } });
    expect(server.seen[0]?.query).toEqual({ page: '2', size: '50', sort: '-name' });
    expect(page).toEqual({ rows: [{ id: uuid(1), name: 'Ada' }], total: 51, asOf: '2026-05-01T10:00:00.000Z' });
  });

  it('named for deletion are answered each, all that match become a job', async () => {
    const outcomes = [{ id: uuid(1), name: 'Ada', ok: true }];
    const server = fakeServer({ 'POST /users/delete': ({ body }) => ({ body: { data: 'items' in (body as object) ? outcomes : job } }) });
    await expect(rows.deleteRows({ area: 'users', ids: [uuid(1)] })).resolves.toEqual({ outcomes });
    await expect(rows.deleteRows({ area: 'users', filters: emptyQuery.filters })).resolves.toEqual({ job });
    expect(server.seen.map(({ body }) => body)).toEqual([{ items: [uuid(1)] }, { filters: emptyQuery.filters }]);
  });
});

describe('one record', () => {
  const records = openRecords(http);

  it('is made once, by its key, and answers its id', async () => {
    const server = fakeServer({ 'PUT /roles': () => ({ body: { data: uuid(7) } }) });
    await expect(records.saveRow({ area: 'roles', id: null, version: null, body: { name: 'Night' }, key: 'chain:1' })).resolves.toEqual({
      id: uuid(7),
    });
    expect(server.seen[0]?.headers.get('idempotency-key')).toBe('chain:1');
  });

  it('is changed and deleted by the version one has seen', async () => {
    const server = fakeServer({
      [`PATCH /roles/${uuid(7)}`]: () => ({ body: { data: null } }),
      [`DELETE /roles/${uuid(7)}`]: () => ({ status: 204 }),
    });
    await records.saveRow({ area: 'roles', id: uuid(7), version: 3, body: { name: 'Day' }, key: 'chain:2' });
    await records.deleteRow({ area: 'roles', id: uuid(7), version: 4 });
    expect(server.seen.map(({ headers }) => headers.get('if-match'))).toEqual(['"3"', '"4"']);
  });
});

describe('any call of the contract', () => {
  const run = openCalls(http, async () => ({ calls }));

  it('has its path filled in, letters that mean something escaped', () => {
    expect(fillPath('/users/{id}/avatar', { id: 'a/b?c' })).toBe('/users/a%2Fb%3Fc/avatar');
  });

  it('sends a body as JSON, files as a form', async () => {
    const server = fakeServer({
      [`POST /users/${uuid(1)}/password`]: () => ({ body: { data: null } }),
      [`POST /users/${uuid(1)}/avatar`]: () => ({ body: { data: { avatar_url: '/files/a' } } }),
    });
    await run({ call: 'userPassword', params: { id: uuid(1) }, body: { new_password: 'x' } });
    const picture = new Blob(['picture'], { type: 'image/png' });
    await expect(run({ call: 'setAvatar', params: { id: uuid(1) }, body: { x: 1, y: 2, size: 3 }, files: { image: picture } })).resolves.toEqual({
      avatar_url: '/files/a',
    });
    expect(server.seen[0]?.body).toEqual({ new_password: 'x' });
    expect(server.seen[1]?.headers.get('content-type')).toMatch(/^multipart\/form-data/);
    expect(server.seen[0]?.headers.get('authorization')).toBe('Bearer t');
  });

  it('hands a file that is answered to the person, under its name', async () => {
    fakeServer({
      [`GET /jobs/${job.id}/file`]: () => new Response('a;b', { headers: { 'Content-Disposition': 'attachment; filename="cards - errors.csv"' } }),
    });
    const save = vi.fn<SaveFile>();
    await expect(openCalls(http, async () => ({ calls }), save)({ call: 'jobFile', params: { id: job.id } })).resolves.toBeNull();
    expect(await save.mock.calls[0]?.[0].text()).toBe('a;b');
    expect(save.mock.calls[0]?.[1]).toBe('cards - errors.csv');
  });

  it('asks for a file in the format that was chosen', async () => {
    const path = `/announces/${uuid(4)}/responses/export`;
    const server = fakeServer({ [`GET ${path}`]: () => new Response('a;b') });
    const open = openCalls(http, async () => ({ calls }), vi.fn<SaveFile>());
    await open({ call: 'exportAnnounceResponses', params: { id: uuid(4) }, query: { format: 'xlsx' } });
    expect(server.asked('GET', path)[0]?.query).toEqual({ format: 'xlsx' });
  });

  it('sends no token where anybody may call', async () => {
    const server = fakeServer({ 'POST /registration/abc': () => ({ body: { data: null } }) });
    await run({ call: 'register', params: { token: 'abc' }, body: { password: 'Chosen-2026' } });
    expect(server.seen[0]?.headers.get('authorization')).toBeNull();
  });
});

describe('long work', () => {
  it('is started, followed and cancelled by its id', async () => {
    const server = fakeServer({
      'POST /users/export': () => ({ body: { data: job } }),
      [`POST /groups/${uuid(3)}/generated`]: () => ({ body: { data: job } }),
      [`GET /jobs/${job.id}`]: () => ({ body: { data: job } }),
      [`DELETE /jobs/${job.id}`]: () => ({ status: 204 }),
    });
    const memory = openJobMemory(memoryStore(), () => 'anna');
    const jobs = openJobs(http, memory, vi.fn<SaveFile>());
    await jobs.startJob({ kind: 'export', area: 'users', format: 'csv', filters: emptyQuery.filters, sort: ['name'], columns: ['name'] });
    await jobs.startJob({ kind: 'generate_groups', area: 'groups', groupId: uuid(3), groups: [] });
    await jobs.readJob({ id: job.id, area: 'users' });
    await jobs.cancelJob({ id: job.id });
    expect(server.seen.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/users/export', { export_format: 'csv', filters: emptyQuery.filters, sort: ['name'], columns: ['name'] }],
      ['POST', `/groups/${uuid(3)}/generated`, { groups: [] }],
      ['GET', `/jobs/${job.id}`, undefined],
      ['DELETE', `/jobs/${job.id}`, undefined],
    ]);
  });

  it('is known again after a reload, to its person, until it is over or gone', async () => {
    const states = { now: 'running' };
    fakeServer({
      'POST /users/export': () => ({ body: { data: { ...job, state: 'running' } } }),
      [`GET /jobs/${job.id}`]: () =>
        states.now === 'gone'
          ? { status: 404, body: { message: 'item not found', error: { code: 'not_found', message: '' } } }
          : { body: { data: { ...job, state: states.now } } },
    });
    const storage = memoryStorage();
    const loaded = (person = 'anna') => {
      const memory = openJobMemory(memoryStore(storage), () => person);
      return { memory, jobs: openJobs(http, memory, vi.fn<SaveFile>()) };
    };
    const request = { kind: 'export', area: 'users', format: 'csv', filters: emptyQuery.filters, sort: [] } as const;
    const first = loaded();
    await first.jobs.startJob(request);
    // What the page follows by itself is not given to it a second time.
    expect(first.memory.recall()).toEqual([]);
    expect(loaded('boris').memory.recall()).toEqual([]);
    const second = loaded();
    expect(second.memory.recall()).toEqual([{ id: job.id, area: 'users' }]);
    expect(second.memory.recall()).toEqual([]);
    states.now = 'completed';
    await second.jobs.readJob({ id: job.id, area: 'users' });
    expect(loaded().memory.recall()).toEqual([]);
    await loaded().jobs.startJob(request);
    states.now = 'gone';
    await expect(loaded().jobs.readJob({ id: job.id, area: 'users' })).rejects.toMatchObject({ code: 'not_found' });
    expect(loaded().memory.recall()).toEqual([]);
    storage.setItem(Object.keys(storage)[0] ?? 'x', '{');
    expect(loaded().memory.recall()).toEqual([]);
  });

  it('hands its file to the person with its name, fetched with the token', async () => {
    const server = fakeServer({
      [`GET /jobs/${job.id}/file`]: () =>
        new Response('name\nAda', {
          headers: { 'Content-Disposition': `attachment; filename="users.csv"; filename*=UTF-8''%D0%BB%D1%8E%D0%B4%D0%B8.csv` },
        }),
    });
    const save = vi.fn<SaveFile>();
    await openJobs(
      http,
      openJobMemory(memoryStore(), () => 'anna'),
      save,
    ).saveJobFile({ id: job.id, fileName: null });
    expect(server.seen[0]?.headers.get('authorization')).toBe('Bearer t');
    expect(save.mock.calls[0]?.[1]).toBe('люди.csv');
  });

  it.each([
    [null, null],
    ['attachment', null],
    ['attachment; filename=plain.csv', 'plain.csv'],
    ["attachment; filename=plain.csv; filename*=UTF-8''%ZZ", 'plain.csv'],
  ])('reads a file name from %j', (header, name) => expect(fileNameOf(header)).toBe(name));
});

describe('drafts', () => {
  const key = { area: 'users', id: null, place: 'page' } as const;
  const saved = { chain: 'c', attempt: 1, draft: { name: 'Ada' }, base: {}, version: null };

  it('wait for their person over a reload, apart from other people and places', () => {
    const storage = memoryStorage();
    let person: string | null = 'anna';
    const open = () =>
      openDrafts(
        memoryStore(storage),
        () => person,
        () => 'fresh',
      );
    open().saveDraft(key, saved);
    expect(open().recallDraft(key)).toEqual({ chain: 'c', saved });
    expect(open().recallDraft({ ...key, place: 'dialog' })).toEqual({ chain: 'fresh', saved: null });
    person = 'boris';
    expect(open().recallDraft(key)).toEqual({ chain: 'fresh', saved: null });
    open().forgetAll();
    person = 'anna';
    expect(open().recallDraft(key).saved).toEqual(saved);
    open().forgetDraft(key);
    expect(open().recallDraft(key).saved).toBeNull();
  });

  it('are all forgotten when their person signs out', () => {
    const drafts = openDrafts(
      memoryStore(),
      () => 'anna',
      () => 'fresh',
    );
    drafts.saveDraft(key, saved);
    drafts.saveDraft({ ...key, area: 'roles' }, saved);
    drafts.forgetAll();
    expect([drafts.recallDraft(key).saved, drafts.recallDraft({ ...key, area: 'roles' }).saved]).toEqual([null, null]);
  });
});

describe('the stack of pages', () => {
  it('waits for its person in this tab, is nobody else’s, and goes when they sign out', () => {
    const storage = memoryStorage();
    let person = 'anna';
    const open = () => openPageStack(memoryStore(storage), () => person);
    const pages = [{ path: '/users', kind: 'list', area: 'users' } as const];
    open().store(pages);
    expect(open().recall()).toEqual(pages);
    person = 'boris';
    expect(open().recall()).toEqual([]);
    person = 'anna';
    open().forget();
    expect(open().recall()).toEqual([]);
  });

  it('is empty where something else is kept in its place', () => {
    const keyValues = memoryStore();
    keyValues.write('pages.anna', [{ path: 7 }]);
    expect(openPageStack(keyValues, () => 'anna').recall()).toEqual([]);
  });
});

describe('what is remembered on this device', () => {
  it('reads as its kind or as never chosen', () => {
    const keyValues = memoryStore();
    keyValues.write('rememberUser', 'yes');
    keyValues.write('userLocale', 'fr');
    keyValues.write('unsavedLocale', { person: 'anna', locale: 'fr' });
    keyValues.write('sideMenuState', { mini: 1, folded: ['people', 5] });
    const settings = openLocalSettings(keyValues);
    expect([settings.rememberUser.get(), settings.userLocale.get(), settings.unsavedLocale.get(), settings.sideMenuState.get()]).toEqual([
      false,
      null,
      null,
      { mini: false, folded: ['people'] },
    ]);
    settings.userLocale.set('ru');
    expect(openLocalSettings(keyValues).userLocale.get()).toBe('ru');
  });

  it('tells those who follow it, until they stop', async () => {
    const value = remembered(memoryStore(), 'x', Number);
    const heard = vi.fn<() => void>();
    const stop = value.follow(heard);
    value.set(1);
    stop();
    value.set(2);
    await pause(0);
    expect(heard).toHaveBeenCalledOnce();
  });

  it('a chosen theme is shown by the attribute that the tokens read; the system needs none', () => {
    const page = document.createElement('html');
    const theme = openTheme(memoryStore(), page);
    expect(page.dataset['theme']).toBeUndefined();
    theme.set('dark');
    expect(page.dataset['theme']).toBe('dark');
    theme.set('system');
    expect('theme' in page.dataset).toBe(false);
  });
});
