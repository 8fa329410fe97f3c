import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { allLicensed } from '#models/licence-info.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { priorityOf } from '#server/db/database.ts';
import { sipNumbers } from '#server/db/schema/index.ts';
import { accountOf } from '#server/telephony/accounts.ts';
import { passwordShown, responseOf } from '#server/telephony/sip/digest.ts';
import { seal } from '#server/devices/secrets.ts';
import { buildEstate, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';
import { signed, upload, vendorKey } from './vendor.ts';

let server: TestServer;
let estate: Estate;
let person: Person;
beforeAll(async () => {
  server = await openTestServer({ config: { licenceKey: vendorKey } });
  estate = await buildEstate(server.services);
  person = await makePerson(server, estate, { permissions: [...permissionCodes], in: [estate.groups.town] });
  const numbers = [
    { number: '5001', name: 'Of a person', userId: person.id },
    { number: '5002', name: 'Of a group', domainId: estate.groups.town, passwordCipher: seal(server.services, 'Phone-2026') },
    { number: '5003', name: 'Of nobody' },
  ];
  await server.services.db.insert(sipNumbers).values(numbers.map((one) => ({ projectId: estate.here, ...one })));
});
afterAll(() => server.close());

/** How many statements the database is given meanwhile by those who go before others. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const client: { query: (...args: never[]) => Promise<unknown> } = Reflect.get(priorityOf(server.services.db), '$client');
  const spy = vi.spyOn(client, 'query');
  await work();
  const { length } = spy.mock.calls;
  spy.mockRestore();
  return length;
}

describe('a number that there is not', () => {
  it('costs the database as much as each that there is', async () => {
    expect((await upload(person.client, signed({ features: allLicensed }))).statusCode).toBe(200);
    // What is read once for all that come is read before.
    await accountOf(server.services, '5001');
    const counts = [];
    for (const number of ['7777', '5001', '5002', '5003']) counts.push(await statementsOf(() => accountOf(server.services, number)));
    expect(counts[0]).toBeGreaterThan(0);
    expect(new Set(counts).size).toBe(1);
  });

  it('costs as many hashes as one with a password, a wrong one, or several', () => {
    const blank = {
      username: '5001',
      realm: 'doorward',
      nonce: 'n',
      uri: 'sip:localhost',
      algorithm: 'MD5',
      qop: 'auth',
      cnonce: 'c',
      nc: '00000001',
    } as const;
    const shown = { ...blank, response: responseOf(blank, 'REGISTER', 'right') };
    const hashes = vi.spyOn(crypto, 'createHash');
    syncBuiltinESMExports();
    const costOf = (passwords: readonly string[]): number => {
      hashes.mockClear();
      passwordShown(shown, 'REGISTER', passwords);
      return hashes.mock.calls.length;
    };
    const costs = [[], ['wrong'], ['right'], ['right', 'other', 'third']].map(costOf);
    hashes.mockRestore();
    syncBuiltinESMExports();
    expect(costs[0]).toBeGreaterThan(0);
    expect(new Set(costs).size).toBe(1);
    expect([passwordShown(shown, 'REGISTER', []), passwordShown(shown, 'REGISTER', ['other', 'right'])]).toEqual([null, 'right']);
  });

  it('is nobody’s, even with the password that is looked at in its place', () => {
    const blank = {
      username: '7777',
      realm: 'doorward',
      nonce: 'n',
      uri: 'sip:localhost',
      algorithm: 'MD5',
      qop: 'auth',
      cnonce: 'c',
      nc: '00000001',
    } as const;
    expect(passwordShown({ ...blank, response: responseOf(blank, 'REGISTER', 'nobody has this password') }, 'REGISTER', [])).toBeNull();
  });
});
