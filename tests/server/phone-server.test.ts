import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PhoneSettings } from '#models/phone-calls.ts';
import type { Profile } from '#models/profile.ts';
import { auditEvents, sipNumbers } from '#server/db/schema/index.ts';
import { type CallServer, openCallServer, roleOf, sipPassword } from './calls-support.ts';
import { codeOf, dataOf, type Person } from './estate.ts';
import { longestWait } from '#tests/support/in-time.ts';

let world: CallServer;
let admin: Person;
let resident: Person;
const path = '/sip-numbers/server';
const foreign = { host: 'pbx.example', port: 7443, secure: true, realm: 'numbers.example' };
const setTo = (server: unknown, who = admin) => who.client.put(path, { server });
const accountOf = async ({ client }: Person) => dataOf<Profile>(await client.get('/profile')).profile.sip_number;
const whereOf = async ({ client }: Person) => dataOf<PhoneSettings>(await client.get('/calls/settings')).sip;

beforeAll(async () => {
  world = await openCallServer();
  const { town, n1 } = world.estate.groups;
  admin = await world.person('1000', roleOf('administrator'), [town]);
  resident = await world.person('3001', roleOf('resident'), [n1]);
});
afterAll(() => world.close());

describe('the SIP server of a project’s web phones', () => {
  it('is this one, with a password of the session, where nothing is set', async () => {
    expect(dataOf(await admin.client.get(path))).toEqual({ server: null });
    expect(await whereOf(resident)).toMatchObject({ host: null, realm: null });
    const account = await accountOf(resident);
    expect([account?.number, account?.password === sipPassword, account?.password]).toEqual(['3001', false, expect.any(String)]);
  });
  it('is another where that is set: each number registers there with its own stored password', async () => {
    const before = dataOf<Profile>(await resident.client.get('/profile')).version;
    expect(dataOf(await setTo(foreign))).toEqual({ server: foreign });
    expect([await whereOf(resident), await accountOf(resident)]).toEqual([foreign, { number: '3001', name: 'Number 3001', password: sipPassword }]);
    // Consoles that are open read their profile anew.
    expect(dataOf<Profile>(await resident.client.get('/profile')).version).not.toBe(before);
    await world.server.services.db.update(sipNumbers).set({ passwordCipher: null }).where(eq(sipNumbers.number, '3001'));
    expect(await accountOf(resident)).toEqual({ number: '3001', name: 'Number 3001' });
    expect(dataOf(await setTo(null))).toEqual({ server: null });
    expect(await whereOf(resident)).toMatchObject({ host: null });
  });
  it('is one that pages may talk to while it is set, and no longer', async () => {
    const policy = async () => String((await world.server.app.inject('/')).headers['content-security-policy']);
    expect(await policy()).not.toContain('pbx.example');
    await setTo(foreign);
    await vi.waitFor(async () => expect(await policy()).toMatch(/connect-src [^;]*wss:\/\/pbx\.example:7443/), { timeout: longestWait });
    await setTo(null);
    await vi.waitFor(async () => expect(await policy()).not.toContain('pbx.example'), { timeout: longestWait });
  });
  it('is changed by those who may change settings of the project, and read by no resident', async () => {
    const viewer = await world.person('1005', ['can_view_project_settings'], [world.estate.groups.town]);
    expect([(await viewer.client.get(path)).statusCode, codeOf(await setTo(foreign, viewer))]).toEqual([200, 'forbidden']);
    expect([codeOf(await resident.client.get(path)), codeOf(await setTo(foreign, resident))]).toEqual(['forbidden', 'forbidden']);
    expect(dataOf(await admin.client.get(path))).toEqual({ server: null });
  });
  it('is on record with what it was and is, and checked', async () => {
    for (const wrong of [{ host: 'wss://pbx' }, { port: 70_000 }, { realm: 'a b' }, { transport: 'udp' }])
      expect(codeOf(await setTo({ ...foreign, ...wrong })), JSON.stringify(wrong)).toBe('invalid_data');
    const { db } = world.server.services;
    await setTo(foreign);
    await setTo(foreign);
    const changes = (await db.select().from(auditEvents).where(eq(auditEvents.area, 'sip-numbers'))).flatMap((entry) =>
      entry.action === 'update' ? [entry.changes] : [],
    );
    expect(changes.at(-1)).toEqual({ phone_server: { before: null, after: 'wss://pbx.example:7443 (numbers.example)' } });
    expect(changes).toHaveLength(5);
  });
});
