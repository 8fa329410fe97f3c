import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';
import { isFull } from '#tests/support/extent.ts';
import { type Client, openTestServer, type TestServer } from './support.ts';
import { seedWorld } from './world.ts';

const rounds = isFull ? 100 : 5;
let server: TestServer;
let boss: Client;
let made: string[] = [];
let slow = 0;

/** A call that makes things: `taken` is refused, `broken` fails, all else is made after `slow` ms. */
const makeThing = {
  method: 'PUT',
  path: '/things',
  access: 'signedIn',
  summary: 'Make a thing',
  params: z.strictObject({}),
  body: z.strictObject({ name: z.string() }),
  answer: z.string(),
} as const;
const sendFile = {
  ...makeThing,
  method: 'POST',
  path: '/things/file',
  files: ['image'],
  body: z.strictObject({ x: z.coerce.number() }),
  answer: z.int(),
} as const;

beforeAll(async () => {
  server = await openTestServer({ seed: seedWorld });
  serve(server.app, server.services, makeThing, async ({ body }) => {
    await new Promise((done) => setTimeout(done, slow));
    if (body.name === 'taken') throw new HttpError('not_unique');
    if (body.name === 'broken') throw new Error('a fault of ours');
    made.push(body.name);
    return `${body.name}-${made.length}`;
  });
  serve(server.app, server.services, sendFile, ({ files }) => {
    made.push('file');
    return files['image'] ? statSync(files['image'].path).size : -1;
  });
  boss = await server.signIn('boss');
});
afterAll(() => server.close());

const put = (name: string, key: string, who = boss) => who.put('/things', { name }, { 'idempotency-key': key });
const codeOf = (answer: { json: () => unknown }) => (answer.json() as { error?: { code: string } }).error?.code;

describe('a request with an Idempotency-Key', () => {
  it('happens once, however often it is sent at once, and all hear the same (C4)', async () => {
    made = [];
    slow = 120;
    for (let round = 0; round < rounds; round++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => put(`row-${round}`, `key-${round}`)));
      expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 200));
      expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(19);
    }
    slow = 0;
    expect(made).toHaveLength(rounds);
  });

  it('answers the first answer for a day, then the key is free (C5)', async () => {
    made = [];
    const first = await put('kept', 'day');
    server.pass(14 * 60_000);
    expect((await put('kept', 'day')).body).toBe(first.body);
    server.pass(24 * 3_600_000);
    boss = await server.signIn('boss');
    expect((await put('kept', 'day')).headers['idempotency-replayed']).toBeUndefined();
    expect(made).toHaveLength(2);
  });

  it('may not stand for another request, and is nobody else’s', async () => {
    await put('one', 'mine');
    const other = await put('two', 'mine');
    expect([other.statusCode, codeOf(other)]).toEqual([409, 'key_reused']);
    const guest = await server.signIn('guest');
    expect((await put('two', 'mine', guest)).headers['idempotency-replayed']).toBeUndefined();
    expect(codeOf(await put('x', 'with space'))).toBe('wrong_parameters');
    expect(codeOf(await put('x', 'y'.repeat(300)))).toBe('wrong_parameters');
  });

  it.each(['taken', 'broken'])('may try again after a refusal or a fault: %s', async (name) => {
    made = [];
    expect((await put(name, `again-${name}`)).statusCode).toBeGreaterThanOrEqual(409);
    expect((await put('better', `again-${name}`)).statusCode).toBe(200);
    expect(made).toEqual(['better']);
  });

  it('is taken over when the process that first had it died', async () => {
    made = [];
    await server.services.db.execute(sql`insert into idempotency_keys (user_id, key, request, created_at)
      select id, 'orphan', 'whatever', ${new Date(server.services.now().getTime() - 61_000).toISOString()}::timestamptz from users where login = 'boss' limit 1`);
    expect((await put('after', 'orphan')).statusCode).toBe(200);
    expect(made).toEqual(['after']);
  });
});

describe('a form with a file', () => {
  const form = (parts: string) => `--line\r\n${parts.replaceAll('\n', '\r\n')}\r\n--line--\r\n`;
  const image = 'Content-Disposition: form-data; name="image"; filename="a.png"\nContent-Type: image/png\n\nabcde';
  const field = 'Content-Disposition: form-data; name="x"\n\n7';
  const send = (payload: string, headers: Record<string, string> = {}) =>
    server.app.inject({
      method: 'POST',
      url: '/api/v0/things/file',
      payload,
      headers: { authorization: `Bearer ${boss.token}`, 'content-type': 'multipart/form-data; boundary=line', ...headers },
    });

  it('is read, and repeated under its key like any other', async () => {
    made = [];
    const body = form(`${field}\n--line\n${image}`);
    const answers = [await send(body, { 'idempotency-key': 'form' }), await send(body, { 'idempotency-key': 'form' })];
    expect(answers.map(({ body: text }) => text)).toEqual(['{"data":5}', '{"data":5}']);
    expect(made).toEqual(['file']);
    expect(codeOf(await send(body.replace('abcde', 'abcdf'), { 'idempotency-key': 'form' }))).toBe('key_reused');
  });

  it('names what is missing or too much', async () => {
    const issueOf = (answer: { json: () => unknown }) => (answer.json() as { data: { issues: { path: string[]; rule: string }[] } }).data.issues[0];
    expect(issueOf(await send(form(field)))).toMatchObject({ path: ['image'], rule: 'required' });
    expect(issueOf(await send(form(image)))).toMatchObject({ path: ['x'] });
    expect(issueOf(await send(form(`${field}\n--line\n${image.replace('"image"', '"other"')}`)))).toMatchObject({ rule: 'unknown_field' });
    expect(codeOf(await send(form(`${field.replace('"x"', '"__proto__"')}\n--line\n${image}`)))).toBe('wrong_parameters');
    expect(codeOf(await send('{}', { 'content-type': 'application/json' }))).toBe('unsupported_media');
    expect((await send('--line\r\nbroken')).statusCode).toBe(400);
  });
});
