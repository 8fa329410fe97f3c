import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { calendarFeeds, identifiers, mails, oneTimeLinks, pendingRegistrations, users } from '#server/db/schema/index.ts';
import { hashToken, makeToken } from '#server/access/principal.ts';
import { makeKey } from '#server/modules/identifiers/rules.ts';
import { isFull } from '#tests/support/extent.ts';
import { buildEstate, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';
import { longestWait } from '#tests/support/in-time.ts';

/** Guesses at each kind of link, spread over addresses; TESTS=full asks for as many as the row does. */
const guesses = isFull ? 100_000 : 500;
/** As many guesses as one address makes before another goes on: some of them are answered, the rest find a pause. */
const perAddress = 25;

let server: TestServer;
let estate: Estate;
let boss: Person;

beforeAll(async () => {
  server = await openTestServer({ config: { publicUrl: 'https://door.example.org' } });
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town] });
});
afterAll(() => server.close());

type Ask = Pick<InjectOptions, 'method' | 'url' | 'payload'>;
interface Kind {
  secret: () => string;
  ask: (secret: string) => Ask;
  /** Makes something that this secret opens. */
  plant: (secret: string) => Promise<unknown>;
  /** The status that only who has it is answered; 200 unless said. */
  answersWith?: number;
}
const someone = (): Promise<Person> => makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.n1] });
const oneTime =
  (kind: string): Kind['plant'] =>
  async (secret) => {
    const { db, now } = server.services;
    const expiresAt = new Date(now().getTime() + 86_400_000);
    await db.insert(oneTimeLinks).values({ hash: hashToken(secret), kind, userId: (await someone()).id, expiresAt });
  };
/** The links that somebody without an account may open, by what is secret in them. */
const kinds: Record<string, Kind> = {
  'a recovery link': {
    secret: makeToken,
    ask: (code) => ({ method: 'POST', url: '/api/v0/password/reset', payload: { code, password: 'Chosen-2026' } }),
    plant: oneTime('recovery'),
  },
  'the page of a recovery link': {
    secret: makeToken,
    ask: (code) => ({ method: 'POST', url: '/api/v0/password/reset/info', payload: { code } }),
    plant: oneTime('recovery'),
  },
  'a registration link': {
    secret: makeToken,
    ask: (token) => ({ method: 'POST', url: `/api/v0/registration/${token}`, payload: { password: 'Chosen-2026' } }),
    plant: oneTime('registration'),
  },
  'a confirmation link': {
    secret: makeToken,
    ask: (token) => ({ method: 'POST', url: `/api/v0/registration/confirm/${token}` }),
    // Nobody may register by themselves here; only who has the link comes so far as to hear it.
    answersWith: 403,
    plant: async (secret) => {
      const { db, now } = server.services;
      const at = now();
      const person = { login: 'newcomer', name: 'Newcomer', email: 'newcomer@example.org', locale: 'en', passwordHash: 'x' };
      const hashes = { linkHash: hashToken(secret), tokenHash: hashToken(makeToken()), codeHash: hashToken(makeToken()) };
      const times = { mailedAt: at, expiresAt: new Date(at.getTime() + 86_400_000) };
      await db.insert(pendingRegistrations).values({ projectId: estate.here, ...person, ...hashes, ...times });
    },
  },
  'a guest link': {
    secret: makeKey,
    ask: (key) => ({ method: 'GET', url: `/api/v0/guest-access/${key}` }),
    plant: (keyToken) =>
      server.services.db
        .insert(identifiers)
        .values({ projectId: estate.here, name: 'Guest', ownerType: 'guest', guestType: 'guest', type: 'url', value: makeKey(), keyToken }),
  },
  'a calendar address': {
    secret: makeToken,
    ask: (key) => ({ method: 'GET', url: `/api/v0/calendar/${key}.ics` }),
    plant: async (secret) => {
      const owner = await someone();
      await server.services.db.insert(calendarFeeds).values({ userId: owner.id, tokenHash: hashToken(secret), createdAt: server.services.now() });
    },
  },
};

/** What is nearly the secret: cut, longer, in other letters, and with another end that stands for the same bytes. */
const nearly = (secret: string): string[] => {
  const another = (letter: string): string => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase());
  const letter = /[a-z]/i.exec(secret)?.[0] ?? '';
  const end = secret.at(-1) === 'B' ? 'C' : 'B';
  return [
    secret.slice(0, -1),
    `${secret}A`,
    secret.replace(letter, another(letter)),
    `${secret.slice(0, -1)}${end}`,
    `${secret.slice(0, -1)}_`,
  ].filter((one) => one !== secret);
};

describe.each(Object.entries(kinds))('%s (S14)', (_, { secret, ask, plant, answersWith = 200 }) => {
  it('holds 128 bits or more', () => {
    const all = new Set(Array.from({ length: 500 }, secret));
    expect(all.size).toBe(500);
    for (const one of all) expect(Buffer.from(one, 'base64url').length).toBeGreaterThanOrEqual(16);
  });

  it(`is not found by ${guesses} guesses from many addresses, nor by what is nearly it`, { timeout: 600_000, retry: 0 }, async () => {
    const real = secret();
    await plant(real);
    const opened: unknown[] = [];
    const length = Buffer.from(real, 'base64url').length;
    const all = [...nearly(real), ...Array.from({ length: guesses }, () => randomBytes(length).toString('base64url'))];
    for (const [guess, text] of all.entries()) {
      const from = Math.floor(guess / perAddress);
      const remoteAddress = `203.${from >> 16}.${(from >> 8) & 255}.${from & 255}`;
      const answer = await server.app.inject({ ...ask(text), remoteAddress });
      if (answer.statusCode === answersWith || answer.statusCode < 400 || answer.statusCode >= 500) opened.push(answer.body);
    }
    expect(opened).toEqual([]);
    // There was something to be found.
    const found = await server.app.inject({ ...ask(real), remoteAddress: '198.51.100.1' });
    expect(found.statusCode, found.body).toBe(answersWith);
  });
});

describe('a one-time link (S14)', () => {
  /** A link of each person, as it was mailed. */
  async function linkOf(person: Person): Promise<string> {
    const { db } = server.services;
    const email = `${person.id.slice(0, 8)}@example.org`;
    await db.update(users).set({ email, isInvited: true }).where(eq(users.id, person.id));
    await server.as(null).post('/password/recovery', { email });
    const codeIn = (body: string): string | undefined => /\/password\/reset\/([\w-]{43})\n/.exec(body)?.[1];
    const code = await vi.waitFor(async () => {
      const found = (await db.select().from(mails).where(eq(mails.recipient, email))).map(({ body }) => codeIn(body)).find(Boolean);
      if (!found) throw new Error('no mail yet');
      return found;
    }, longestWait);
    return code;
  }

  it('is stored as a hash, and works for its kind alone', async () => {
    const person = await makePerson(server, estate, { in: [estate.groups.n1] });
    const code = await linkOf(person);
    expect(JSON.stringify(await server.services.db.select().from(oneTimeLinks))).not.toContain(code);
    const anyone = server.as(null);
    const elsewhere = [
      await anyone.post(`/registration/${code}`, { password: 'Chosen-2026' }),
      await anyone.post(`/registration/confirm/${code}`),
      await anyone.get(`/guest-access/${code}`),
      await anyone.get(`/calendar/${code}.ics`),
      await server.as(code).get('/profile'),
    ];
    expect(elsewhere.map(({ statusCode }) => statusCode >= 400 && statusCode < 500)).toEqual(elsewhere.map(() => true));
    expect((await anyone.post('/password/reset', { code, password: 'Chosen-2026' })).statusCode).toBe(200);
    expect((await anyone.post('/password/reset', { code, password: 'Chosen-2027' })).statusCode).toBe(400);
  });

  it('changes nobody but its own person, in whatever project others have the same login', async () => {
    const hashes = async () => new Map((await server.services.db.select().from(users)).map(({ id, passwordHash }) => [id, passwordHash]));
    const person = await makePerson(server, estate, { in: [estate.groups.n1] });
    const code = await linkOf(person);
    const before = await hashes();
    expect((await server.as(null).post('/password/reset', { code, password: 'Chosen-2026' })).statusCode).toBe(200);
    const after = await hashes();
    expect([...after].filter(([id, hash]) => before.get(id) !== hash).map(([id]) => id)).toEqual([person.id]);
    expect((await boss.client.get('/profile')).statusCode).toBe(200);
  });
});
