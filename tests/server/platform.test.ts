import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '#models/api.ts';
import { auditEvents, groups, roles, userDomains, users } from '#server/db/schema/index.ts';
import { storeFile, fileAddress } from '#server/files.ts';
import { signLink } from '#server/http/picture-links.ts';
import { collectRoutes } from '#server/http/routes.ts';
import { secure } from '#server/http/security.ts';
import { serveConsole } from '#server/http/static.ts';
import { cannotListen } from '#server/prepare.ts';
import { sentenceOf } from '#server/start-error.ts';
import { undocumented } from './documented.ts';
import { type Client, openTestServer, password, type TestServer } from './support.ts';
import { seedWorld } from './world.ts';

const root = mkdtempSync(join(tmpdir(), 'doorward-web-'));
let server: TestServer;
let boss: Client;
beforeAll(async () => {
  server = await openTestServer({ seed: seedWorld, config: { logLevel: 'trace' } });
  boss = await server.signIn('boss');
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

const codeOf = (answer: { json: () => unknown }) => (answer.json() as { error?: { code: string } }).error?.code;
const raw = (method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
  server.app.inject({ method, url, payload, headers: { 'content-type': 'application/json', ...headers } });

describe('what cannot be a request (V9)', () => {
  const deep = `{"login":${'['.repeat(100_000)}${']'.repeat(100_000)},"password":"x"}`;
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`key-${index}`, 1])));
  it.each([
    ['not JSON', '{"login":', 400, 'wrong_parameters'],
    ['an empty body', '', 400, 'wrong_parameters'],
    ['another type', '[]', 422, 'invalid_data'],
    ['null', 'null', 422, 'invalid_data'],
    ['a prototype', '{"__proto__":{"admin":true},"login":"boss","password":"x"}', 400, 'wrong_parameters'],
    ['a constructor', '{"constructor":{"prototype":{"admin":true}},"login":"boss","password":"x"}', 400, 'wrong_parameters'],
    ['deep nesting', deep, 422, 'invalid_data'],
    ['many keys', wide, 422, 'invalid_data'],
    ['two megabytes', JSON.stringify({ login: 'x'.repeat(2_000_000), password: 'x' }), 413, 'too_large'],
  ])('%s is refused at once', async (_name, body, status, code) => {
    const before = process.cpuUsage();
    const answer = await raw('POST', '/api/v0/login', body);
    // Work done, not time gone by: the machine may be busy with something else.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
    expect(answer.statusCode).toBe(status);
    expect(codeOf(answer)).toBe(code);
    expect(answer.body.length).toBeLessThan(2_000);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it('compressed bodies and other types are refused', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    expect((await raw('POST', '/api/v0/login', bomb, { 'content-encoding': 'gzip' })).statusCode).toBe(415);
    expect(codeOf(await raw('POST', '/api/v0/login', 'a=b', { 'content-type': 'text/xml' }))).toBe('unsupported_media');
    expect(codeOf(await raw('POST', '/api/v0/login', '{}', { 'content-type': 'text/plain' }))).toBe('unsupported_media');
  });

  it('paths, methods and parameters that do not exist are named as such', async () => {
    expect(codeOf(await boss.get('/nothing'))).toBe('not_found');
    const wrongMethod = await boss.put('/login', {});
    expect([wrongMethod.statusCode, codeOf(wrongMethod), wrongMethod.headers['allow']]).toEqual([405, 'prohibited', 'POST']);
    expect(codeOf(await boss.get('/login'))).toBe('prohibited');
    const parameter = await boss.get('/profile?fields=password_hash');
    expect(parameter.json()).toMatchObject({ error: { code: 'wrong_parameters' }, data: { parameter: 'fields' } });
    expect(codeOf(await boss.delete('/sessions/not-an-id'))).toBe('not_found');
    expect((await server.app.inject('/api/v0/%zz')).statusCode).toBe(400);
    expect((await boss.delete(`/sessions/${'x'.repeat(2_000)}`)).statusCode).toBe(400);
  });

  it('texts the database cannot keep are refused, others come back as typed (C17)', async () => {
    expect((await boss.patch('/profile', { profile: { address: 'a\u0000b' } })).statusCode).toBe(422);
    expect((await raw('PATCH', '/api/v0/profile', '{"profile":{"address":"\\ud800"}}', { authorization: `Bearer ${boss.token}` })).statusCode).toBe(
      422,
    );
    const address = "Дом 🏠 عربي e\u0301 <script>' OR 1=1--";
    const answer = await boss.patch('/profile', { profile: { address } });
    expect((answer.json() as { data: { profile: { address: string } } }).data.profile.address).toBe(address);
  });
});

describe('access', () => {
  it('a route without a rule stops the building of the app', () => {
    const app = Fastify();
    collectRoutes(app);
    expect(() => app.get('/open', () => 'hello')).toThrow('no access rule');
  });

  it('nobody gets in without a session, before anything else is looked at', async () => {
    for (const [method, path] of [
      ['GET', '/profile'],
      ['PATCH', '/profile'],
      ['POST', '/logout'],
      ['GET', '/sessions'],
    ] as const) {
      const answer = await server.as(null).send(method, path, method === 'PATCH' ? { nonsense: true } : undefined);
      expect([answer.statusCode, answer.json()]).toEqual([
        401,
        { message: 'Unauthenticated', error: { code: 'not_authorized', message: 'Unauthenticated' } },
      ]);
    }
  });

  it('a refusal of somebody signed in is in the trail', async () => {
    const guest = await server.signIn('guest');
    const answer = await guest.get('/audit-events');
    expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'forbidden']);
    const refused = await server.services.db.select().from(auditEvents).where(eq(auditEvents.action, 'refused'));
    expect(refused).toMatchObject([{ area: 'audit-events', userName: 'The guest', changes: { verb: { after: 'view' } } }]);
  });

  it('a change of person, role or group is in force with the next request and in the profile header (S17)', async () => {
    const { db } = server.services;
    const seen = new Set<unknown>();
    const look = async () => seen.add((await boss.get('/sessions')).headers['doorward-profile']);
    await look();
    await look();
    expect(seen.size).toBe(1);
    const [self] = await db.select().from(users).where(eq(users.login, 'boss'));
    if (!self) throw new Error('nobody is there');
    const changes = [
      () => db.update(roles).set({ version: 2 }).where(eq(roles.id, self.roleId)),
      () => db.update(users).set({ version: 99 }).where(eq(users.id, self.id)),
      () => db.update(groups).set({ version: 7 }).where(eq(groups.projectId, self.projectId)),
      () => db.delete(userDomains).where(eq(userDomains.userId, self.id)),
    ];
    for (const change of changes) {
      await change();
      await look();
    }
    expect(seen.size).toBe(5);
    expect((await boss.patch('/profile', { name: 'The chief' })).headers['doorward-profile']).toBe(
      (await boss.get('/profile')).headers['doorward-profile'],
    );
  });
});

describe('headers', () => {
  it('keep a browser to ourselves', async () => {
    const { headers } = await server.app.inject('/healthz');
    const policy = String(headers['content-security-policy']);
    for (const part of [
      "default-src 'self'",
      "script-src 'self';",
      "frame-ancestors 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ])
      expect(policy).toContain(part);
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' });
    expect(headers['strict-transport-security']).toBeUndefined();
    expect((await boss.get('/profile')).headers['cache-control']).toBe('no-store');
  });
});

describe('whom a page may talk to', () => {
  type Over = Pick<TestServer['services'], 'sipServers'> & Partial<TestServer['services']['config']>;
  const sources = async ({ sipServers, ...over }: Over, host: string): Promise<string[]> => {
    const app = Fastify();
    app.decorateRequest('principal', null);
    const config = { ...server.services.config, publicUrl: 'http://localhost:8080', ...over };
    await secure(app, { ...server.services, config, ...(sipServers && { sipServers }) });
    app.get('/', () => 'page');
    const policy = String((await app.inject({ url: '/', headers: { host } })).headers['content-security-policy']);
    return /connect-src ([^;]+)/.exec(policy)?.[1]?.split(' ').toSorted() ?? [];
  };

  it.each<[string, Over, string, string[]]>([
    ['by its own name', {}, 'localhost:8080', ["'self'", 'ws://localhost:8080', 'ws://localhost:8443']],
    ['by an address', {}, '127.0.0.1:8080', ["'self'", 'ws://127.0.0.1:8080', 'ws://127.0.0.1:8443', 'ws://localhost:8080', 'ws://localhost:8443']],
    ['by IPv6', { publicUrl: 'http://[::1]:8080' }, '[::1]:8080', ["'self'", 'ws://[::1]:8080', 'ws://[::1]:8443']],
    [
      'behind a proxy with a name of its own inside',
      { publicUrl: 'https://door.example.org' },
      'doorward:8080',
      ["'self'", 'wss://door.example.org', 'wss://door.example.org:8443', 'wss://doorward:8080', 'wss://doorward:8443'],
    ],
    ['at another port of SIP', { sipPort: 7_443 }, 'localhost:8080', ["'self'", 'ws://localhost:7443', 'ws://localhost:8080']],
    [
      'with phones at another SIP server',
      { sipServers: () => ['wss://sip.example.org:7443'] },
      'localhost:8080',
      ["'self'", 'ws://localhost:8080', 'ws://localhost:8443', 'wss://sip.example.org:7443'],
    ],
    ['by what is no host', {}, 'a b;script-src *', ["'self'", 'ws://localhost:8080', 'ws://localhost:8443']],
  ])('is named exactly, reached %s', async (_name, services, host, wanted) => {
    expect(await sources(services, host)).toEqual(wanted);
  });
});

describe('the console', () => {
  mkdirSync(join(root, 'assets'));
  writeFileSync(
    join(root, 'index.html'),
    '<head><meta name="csp-nonce" content="__CSP_NONCE__"><meta name="application-name" content="Doorward" /><title>Doorward</title></head>',
  );
  writeFileSync(join(root, 'assets', 'main-abc.js'), 'plain');
  writeFileSync(join(root, 'assets', 'main-abc.js.br'), 'brotli');
  writeFileSync(join(root, '.secret'), 'hidden');
  writeFileSync(join(root, 'icon.svg'), '<svg/>');
  symlinkSync('loop', join(root, 'loop'));
  const open = async () => {
    const app = Fastify();
    app.decorateRequest('principal', null);
    collectRoutes(app);
    await secure(app, server.services);
    await serveConsole(app, server.services, root);
    return app;
  };

  it('is one page for every address, with a nonce of its own each time', async () => {
    const app = await open();
    const pages = await Promise.all(['/', '/users/new?pageId=3', '/login'].map((url) => app.inject({ url, headers: { accept: 'text/html' } })));
    const nonces = pages.map(({ body, headers, statusCode }) => {
      const nonce = /content="([^"]+)"/.exec(body)?.[1] ?? '';
      expect(statusCode).toBe(200);
      expect(String(headers['content-security-policy'])).toContain(`style-src 'self' 'nonce-${nonce}'`);
      expect(headers['cache-control']).toBe('no-cache');
      return nonce;
    });
    expect(new Set(nonces).size).toBe(3);
  });

  it('stands at addresses that no URL can be made of', async () => {
    const app = await open();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    // Sent as it is: whoever makes a request of an address makes a URL of it first.
    const status = await new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: '//[', headers: { accept: 'text/html' } }, (answer) => resolve(answer.resume().statusCode)).on(
        'error',
        reject,
      );
    });
    await app.close();
    expect(status).toBe(200);
  });

  it('sends hashed files compressed and for a year, others fresh, missing and hidden ones never', async () => {
    const app = await open();
    const asset = await app.inject({ url: '/assets/main-abc.js', headers: { 'accept-encoding': 'br, gzip' } });
    expect([asset.body, asset.headers['content-encoding'], asset.headers['cache-control']]).toEqual([
      'brotli',
      'br',
      'public, max-age=31536000, immutable',
    ]);
    expect(asset.headers['vary']).toBe('accept-encoding');
    expect(asset.headers['content-type']).toContain('javascript');
    expect((await app.inject('/assets/main-abc.js')).body).toBe('plain');
    expect((await app.inject('/icon.svg')).headers['cache-control']).toBe('public, max-age=86400');
    for (const url of [
      '/assets/old-123.js',
      '/.secret',
      '/../package.json',
      '/%2e%2e/package.json',
      '/assets/..%2f.secret',
      '/a%00b',
      '/api/v0/nothing',
    ])
      expect((await app.inject({ url, headers: { accept: 'text/html' } })).body).not.toMatch(/hidden|"name": "doorward"|plain/);
    expect((await app.inject({ url: '/assets/old-123.js', headers: { accept: 'text/html' } })).statusCode).toBe(404);
  });

  it.each([
    ['a name of 300 characters', `/${'a'.repeat(300)}`, 404],
    ['one of 200 letters of two bytes', `/${encodeURIComponent('я'.repeat(200))}`, 404],
    ['an asset of 300', `/assets/${'a'.repeat(300)}.js`, 404],
    ['a path of 6,000', `/${'a/'.repeat(3_000)}`, 404],
    ['a NUL', '/a%00b', 404],
    ['a NUL behind a dot', '/.%00', 404],
    ['links that go round', '/loop', 404],
    ['something below a link that goes round', '/loop/x', 404],
    ['something below a file', '/icon.svg/x', 404],
    ['a folder', '/assets', 404],
    ['a query of 14,000', `/icon.svg?${'q'.repeat(14_000)}`, 200],
    ['a query that is not encoded as one', '/icon.svg?%zz', 200],
    ['half an escape', '/%zz', 400],
    ['bytes that are no text', '/%ff%fe', 400],
    ['a line end', '/a%0d%0ab', 404],
  ])('answers %s without failing', async (_name, url, status) => {
    const app = await open();
    const answer = await app.inject({ url, headers: { accept: 'application/json' } });
    expect([answer.statusCode, answer.body]).toEqual([status, expect.not.stringMatching(/ENAME|ELOOP|ENOTDIR|EISDIR|doorward-web/)]);
  });
});

describe('health and figures', () => {
  it('takes as long to start as a slow machine needs: nothing that is made ready before is given up after a time', () => {
    expect(server.app.initialConfig.pluginTimeout).toBe(0);
  });

  it('says of a port only what the system has against it; an error of another kind while it begins to listen stays as it is', async () => {
    const thrownFor = (error: unknown): Promise<unknown> =>
      Promise.reject(error)
        .catch(cannotListen({ host: '192.0.2.1', port: 8080, setting: 'DOORWARD_PORT' }))
        .catch((thrown: unknown) => thrown);
    const ofSystem = Object.assign(new Error('listen EADDRNOTAVAIL: address not available'), { syscall: 'listen', code: 'EADDRNOTAVAIL' });
    expect(sentenceOf(await thrownFor(ofSystem))).toBe(
      'The server cannot listen on 192.0.2.1:8080: listen EADDRNOTAVAIL: address not available. Check DOORWARD_HOST and DOORWARD_PORT.',
    );
    const other = new Error('what is made ready before has failed');
    expect(await thrownFor(other)).toBe(other);
  });

  it('answers whether it lives, is ready, and how it fares', async () => {
    expect((await server.app.inject('/healthz')).statusCode).toBe(200);
    expect((await server.app.inject('/readyz')).statusCode).toBe(200);
    const figures = await server.app.inject('/metrics');
    expect(figures.body).toContain('doorward_http_request_seconds_bucket');
    expect(figures.body).toContain('process_resident_memory_bytes');
    expect(figures.body).not.toContain(String(boss.token));
  });

  it('keeps figures from others, unless they know the token', async () => {
    const own = await openTestServer({ config: { metricsToken: 'a-token-for-figures' } });
    const ask = (headers: Record<string, string>, remoteAddress = '203.0.113.9') => own.app.inject({ url: '/metrics', headers, remoteAddress });
    expect((await ask({})).statusCode).toBe(403);
    expect((await ask({ 'x-forwarded-for': '203.0.113.9' }, '127.0.0.1')).statusCode).toBe(403);
    expect((await ask({ authorization: 'Bearer a-token-for-figurez' })).statusCode).toBe(403);
    expect((await ask({ authorization: 'Bearer a-token-for-figures' })).statusCode).toBe(200);
    own.app.drain.on = true;
    expect((await own.app.inject('/readyz')).statusCode).toBe(503);
    expect((await own.app.inject('/healthz')).statusCode).toBe(200);
    expect((await own.as(null).post('/login', {})).headers['retry-after']).toBe('5');
    await own.close();
  });

  it('limits what one address may ask in a minute', async () => {
    const own = await openTestServer({ config: { ratePerIp: 20 } });
    const answers = await Promise.all(Array.from({ length: 30 }, () => own.as(null).get('/profile')));
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(20);
    const over = answers.find(({ statusCode }) => statusCode === 429);
    expect(codeOf(over ?? { json: () => ({}) })).toBe('too_many_requests');
    expect(Number(over?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await own.app.inject({ url: '/api/v0/profile', remoteAddress: '203.0.113.9' })).statusCode).toBe(401);
    await own.close();
  });
});

describe('the published API', () => {
  type Json = Record<string, unknown>;
  const read = async () => (await server.app.inject('/api/v0/openapi.json')).json() as Json;
  /** Every reference in the document, with where it stands. */
  const references = (at: unknown, path = '#'): [string, string][] =>
    at === null || typeof at !== 'object'
      ? []
      : Object.entries(at).flatMap(([key, value]): [string, string][] =>
          key === '$ref' && typeof value === 'string' ? [[path, value]] : references(value, `${path}/${key}`),
        );
  const find = (document: Json, reference: string): unknown =>
    reference
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Json | undefined)?.[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')], document);

  it('has what each of its references names, under a name of its own', async () => {
    const document = await read();
    const all = references(document);
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter(([, reference]) => !reference.startsWith('#/components/') || find(document, reference) === undefined)).toEqual([]);
    expect(Object.keys((document['components'] as { schemas: Json }).schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('$defs');
  });

  it('says with which statuses a call succeeds: long work with 202 and its job, a picture that is not there with 204', async () => {
    const paths = (await read())['paths'] as Record<
      string,
      Record<string, { responses: Record<string, { content?: Record<string, { schema: Json }> }> }>
    >;
    const successes = (path: string, method: string) => Object.keys(paths[path]?.[method]?.responses ?? {});
    expect(successes('/users/export', 'post')).toEqual(['202', 'default']);
    expect(successes('/users/delete', 'post')).toEqual(['200', '202', 'default']);
    expect(successes('/calls/{speechId}/picture', 'get')).toEqual(['200', '204', 'default']);
    expect(successes('/users', 'get')).toEqual(['200', 'default']);
    const answer = (status: string) => paths['/users/delete']?.['post']?.responses[status]?.content?.['application/json']?.schema['properties'];
    expect(answer('200')).toMatchObject({ data: { type: 'array' } });
    expect(answer('202')).toMatchObject({ data: { type: 'object', required: expect.arrayContaining(['state']) } });
    expect((await boss.post('/users/export', { export_format: 'csv' })).statusCode).toBe(202);
    expect((await boss.post('/markers/delete', { filters: { match: 'match_all', items: [] } })).statusCode).toBe(202);
    expect((await boss.post('/markers/delete', { items: [crypto.randomUUID()] })).statusCode).toBe(200);
  });

  it('is what every answer in tests is held to', async () => {
    const answer = { statusCode: 200, headers: { 'content-type': 'application/json' }, body: '{"data":null}' };
    const undocumentedIn = (over: Partial<typeof answer>) => undocumented(calls.profile, { ...answer, ...over });
    expect(undocumentedIn({})).toBeNull();
    expect(undocumentedIn({ statusCode: 204 })).toContain('answers 204; the document has 200');
    expect(undocumentedIn({ statusCode: 404, body: '{"error":{"code":"not_found"}}' })).toBeNull();
    expect(undocumentedIn({ statusCode: 400, body: '{"error":{"code":"not_found"}}' })).toContain('which the document has as 404');
    expect(undocumentedIn({ statusCode: 418, body: '{"error":{"code":"teapot"}}' })).toContain('a code the document does not have');
    expect(undocumented(calls.exportRows, answer)).toContain('the document has 202');
  });

  it('is OpenAPI 3.1 of every call that is served, and readable', async () => {
    const document = (await server.app.inject('/api/v0/openapi.json')).json() as {
      openapi: string;
      paths: Record<string, Record<string, { security?: unknown[]; parameters?: { name: string; description?: string }[] }>>;
    };
    expect(document.openapi).toBe('3.1.0');
    for (const call of [calls.signIn, calls.profile, calls.editProfile, calls.endSession])
      expect(document.paths[call.path]?.[call.method.toLowerCase()]).toBeDefined();
    expect(document.paths['/login']?.['post']?.security).toEqual([]);
    const listed = document.paths['/users']?.['get']?.parameters ?? [];
    expect(listed.find(({ name }) => name === 'filters')?.description).toContain('login (text)');
    expect(listed.every(({ description }) => description)).toBe(true);
    expect((await server.app.inject('/api/v0/docs/')).headers.location).toBe('/api/v0/docs');
    const page = await server.app.inject('/api/v0/docs');
    expect(page.body).not.toMatch(/<script>|style=|onload=/);
    for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'start.js'])
      expect((await server.app.inject(`/api/v0/docs/${file}`)).statusCode).toBe(200);
    expect((await server.app.inject('/api/v0/docs/..%2fpackage.json')).statusCode).toBe(404);
  });
});

describe('stored pictures', () => {
  it('are served as nothing but pictures; other files not at all', async () => {
    const [self] = await server.services.db.select().from(users).where(eq(users.login, 'boss'));
    const projectId = self?.projectId ?? '';
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const shown = await storeFile(server.services, { projectId, kind: 'avatar', contentType: 'image/svg+xml', bytes: svg });
    const made = await storeFile(server.services, {
      projectId,
      kind: 'export',
      contentType: 'text/csv',
      bytes: (async function* () {
        yield 'name\n';
      })(),
    });
    const signed = (path: string | null) => signLink(server.services, String(path), 900);
    const answer = await server.app.inject(signed(fileAddress(shown)));
    expect([answer.statusCode, answer.body]).toEqual([200, svg.toString()]);
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'" });
    expect(codeOf(await server.app.inject(signed(fileAddress(made))))).toBe('file_not_found');
    expect(codeOf(await server.app.inject(signed(`/api/v0/files/${crypto.randomUUID()}`)))).toBe('file_not_found');
  });
});

describe('what the log and the trail keep (V21, S15)', () => {
  it('is one line each, without secrets', async () => {
    const secret = 'Sup3r-secret-value';
    await server.as(null).post('/login', { login: `boss\r\n{"level":60,"msg":"forged"}`, password: secret });
    await server.as(null).post('/login', { login: 'boss', password: secret });
    await server.app.inject({
      url: `/api/v0/ws?access_token=${secret}`,
      headers: { 'user-agent': `evil\r\nforged ${secret}`.replaceAll(/[\r\n]/g, ' '), referer: `http://x/?token=${secret}` },
    });
    await server.app.inject(`/%0d%0a{"forged":1}/${secret}`);
    await boss.post('/profile/password', { old: secret, new: `${secret}-1a` });
    await server.as(secret).get('/profile');
    await boss.get(`/profile?access_token=${secret}`);
    await boss.post('/refresh', { token: secret });
    server.services.log.error(
      {
        err: Object.assign(new Error(`Failed query: insert\nparams: ${secret}`), { cause: new Error('broken') }),
        body: { password: secret },
        authorization: secret,
      },
      'drill',
    );
    const lines = server.logged().split('\n').filter(Boolean);
    expect(lines.length).toBeGreaterThan(50);
    for (const line of lines) expect(Object.keys(JSON.parse(line) as object)).toContain('time');
    for (const word of [secret, password, String(boss.token), String(boss.refresh), 'forged', 'argon2']) expect(server.logged()).not.toContain(word);
    const trail = JSON.stringify(await server.services.db.select().from(auditEvents));
    for (const word of [secret, password, String(boss.token), 'argon2']) expect(trail).not.toContain(word);
  });

  it('names the request that failed by the id its answer carries', async () => {
    const answer = await boss.get('/profile');
    expect(server.logged()).toContain(String(answer.headers['x-request-id']));
  });
});

describe('the contract of an answer', () => {
  it('is checked in tests: a call that answers something else fails loudly', async () => {
    const own = await openTestServer({ seed: seedWorld });
    const person = await own.signIn('boss');
    await own.services.db.update(users).set({ locale: 'xx' });
    expect(codeOf(await person.get('/profile'))).toBe('internal');
    await own.close();
  });
});
