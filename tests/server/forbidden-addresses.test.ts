import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import dns from 'node:dns/promises';
import { createServer, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { searchAddresses } from '#server/devices/search.ts';
import { mayDial } from '#server/devices/addresses.ts';
import { sipTrunkGroups, sipTrunks } from '#server/db/schema/index.ts';
import { allowedAddress, Forbidden, mayReach } from '#server/integrations/guard.ts';
import { reach } from '#server/integrations/reach.ts';
import { deliverFor } from '#server/mail/transport.ts';
import { handOver } from '#server/sms/gateway.ts';
import { smsInitial } from '#models/sms.ts';
import { mailInitial } from '#models/mail-settings.ts';
import { type CallServer, openCallServer, type Phone, roleOf, settle } from './calls-support.ts';
import { makePerson, type Person } from './estate.ts';

/** What names lead to: one answer after another, the last for ever. Names that are not here lead where they do. */
const names = new Map<string, LookupAddress[][]>();
const asked = { names: [] as string[] };
const { lookup } = dns;
const staged = vi.spyOn(dns, 'lookup').mockImplementation(((host: string, options: object) => {
  asked.names.push(host);
  const answers = names.get(host);
  if (!answers) return lookup(host, options);
  return Promise.resolve(answers.length > 1 ? answers.shift() : answers[0]);
}) as typeof lookup);
syncBuiltinESMExports();
afterAll(() => {
  staged.mockRestore();
  syncBuiltinESMExports();
});
const issuesOf = (answer: { json: () => unknown }) =>
  ((answer.json() as { data?: { issues?: { path: string[]; rule: string }[] } }).data?.issues ?? []).map(
    ({ path, rule }) => `${path.join('.')} ${rule}`,
  );
const v4 = (address: string): LookupAddress => ({ address, family: 4 });
/** An address of documentation (RFC 5737): nobody is there. */
const nobody = v4('203.0.113.9');
const here = v4('127.0.0.1');

let world: CallServer;
let boss: Person;
let canary: Server;
let datagrams: Socket;
let hits: string[] = [];
const port = () => (canary.address() as AddressInfo).port;
const guarded = { integrationLoopback: false, mailFrom: 'house@example.org', mailCa: null, mailUrl: null };

beforeAll(async () => {
  canary = createServer((request, response) => {
    hits.push(request.url ?? '');
    response.end('ok');
  });
  canary.on('connection', () => hits.push('connected'));
  await new Promise<void>((done) => canary.listen(0, '127.0.0.1', done));
  datagrams = createSocket('udp4').on('message', (bytes) => hits.push(bytes.toString().slice(0, 40)));
  await new Promise<void>((done) => datagrams.bind(port(), '127.0.0.1', done));
  world = await openCallServer({ config: { sipUdp: { host: '127.0.0.1', port: 0 } } });
  boss = await makePerson(world.server, world.estate, { permissions: permissionCodes, in: [world.estate.groups.town] });
});
beforeEach(() => {
  hits = [];
  asked.names.length = 0;
  names.clear();
  names.set('inside.example.org', [[here]]);
  names.set('mixed.example.org', [[nobody, here]]);
  names.set('cloud.example.org', [[v4('169.254.169.254')]]);
  names.set('turning.example.org', [[nobody], [here]]);
});
afterAll(async () => {
  await world.close();
  datagrams.close();
  await new Promise((done) => canary.close(done));
});

/** Every way in which a project has this server speak to a host that it names. */
const ways: Record<string, (host: string) => Promise<unknown>> = {
  webhook: async (host) => reach({ url: `http://${host}:${port()}/hook`, method: 'POST', timeout: 300, mostBytes: 1_000, loopback: false }),
  camera: async (host) => reach({ url: `http://${host}:${port()}/1.jpg`, method: 'GET', timeout: 300, mostBytes: 1_000, loopback: false }),
  push: async (host) =>
    reach({ url: `http://${host}:${port()}/push`, method: 'POST', timeout: 300, mostBytes: 1_000, loopback: false, publicly: true }),
  sms: async (host) => {
    const account = { ...smsInitial, type: 'http' as const, url: `http://${host}:${port()}/?to={{phone}}`, secret: null };
    const { reason } = await handOver(account, guarded, { phone: '+74951234567', text: 'x' }, AbortSignal.timeout(300));
    if (reason === 'address_not_allowed') throw new Forbidden(reason);
    throw new Error(String(reason));
  },
  smtp: (host) => mail({ type: 'smtp', host, port: port(), encryption: 'none' }),
  mailgun: (host) => mail({ type: 'mailgun', domain: 'example.org', api_url: `http://${host}:${port()}` }),
};
const mail = (over: object): Promise<unknown> => {
  const account = { ...mailInitial, from_address: 'a@example.org', ...over, password: null };
  const sent = deliverFor(account, guarded)?.({ messageId: '<1@x>', date: new Date(), to: 'b@example.org', subject: 's', text: 't' });
  return Promise.race([sent, new Promise((_, fail) => setTimeout(() => fail(new Error('late')), 300))]);
};

describe('a host of two addresses', () => {
  it('is reached by the one that answers late, where nobody is at the other', async () => {
    names.set('late.example.org', [[here, { address: '::1', family: 6 }]]);
    const answer = reach({ url: `http://late.example.org:${port()}/late`, method: 'GET', timeout: 5_000, mostBytes: 1_000, loopback: true });
    // The connection has begun by then, and nothing of it is heard while this thread is busy.
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    for (const begun = performance.now(); performance.now() - begun < 400;);
    expect((await answer).status).toBe(200);
  });
});

describe.each(Object.entries(ways))('what a project sets up as %s (V22)', (_, way) => {
  it.each(['inside.example.org', 'mixed.example.org', 'cloud.example.org', '127.0.0.1', '169.254.169.254'])(
    'is not reached by %s, neither a name nor an address leads to this machine or its neighbours',
    async (host) => {
      await expect(way(host)).rejects.toBeInstanceOf(Forbidden);
      expect(hits).toEqual([]);
    },
  );
  it('is looked up once: a name that leads elsewhere afterwards is not followed', async () => {
    await expect(way('turning.example.org')).rejects.not.toBeInstanceOf(Forbidden);
    expect([asked.names, hits]).toEqual([['turning.example.org'], []]);
  });
});

it('a redirect leads nowhere (V22)', async () => {
  const turning = createServer((_request, response) => response.writeHead(307, { location: `http://127.0.0.1:${port()}/inside` }).end());
  await new Promise<void>((done) => turning.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(turning.address() as AddressInfo).port}/`;
  expect((await reach({ url, method: 'POST', timeout: 2_000, mostBytes: 1_000, loopback: true })).status).toBe(307);
  await new Promise((done) => turning.close(done));
  expect(hits).toEqual([]);
});

it('private networks may be reached by what stands in a house, and not by what is somewhere in the world', () => {
  for (const address of ['10.1.2.3', '172.20.0.1', '192.168.5.5', '100.64.0.1', 'fd00::5'])
    expect([mayReach(address, false), mayReach(address, false, true)]).toEqual([true, false]);
});

it('this machine is not reached by any of its own addresses', async () => {
  const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter((address) => address.includes('.') && mayDial(address, { demo: false }))).toEqual([]);
  for (const address of own) {
    expect([address, mayReach(address, false)]).toEqual([address, false]);
    await expect(allowedAddress(address, false)).rejects.toBeInstanceOf(Forbidden);
  }
});

it('a search leaves out this machine, whatever network it has an address in', async () => {
  const found: unknown[] = [];
  const listener = { found: (one: unknown) => found.push(one), done: () => undefined, isCancelled: () => false };
  await searchAddresses({ config: { ...world.server.services.config, demo: false } }, ['127.0.0.1'], listener);
  expect([found, hits]).toEqual([[], []]);
});

describe('settings that name an address (V22)', () => {
  const set = async (block: string, body: object) => issuesOf(await boss.client.patch(`/project-settings/${block}`, body));
  it.each(['127.0.0.1', 'localhost', '169.254.169.254', '0.0.0.0'])('are refused with %s when they are written', async (host) => {
    const smtp = { type: 'smtp', host, port: 25, from_address: 'a@example.org', encryption: 'none' };
    expect(await set('mail', smtp)).toEqual(['host address_not_allowed']);
    const mailgun = { type: 'mailgun', domain: 'example.org', from_address: 'a@example.org', api_url: `http://${host}/` };
    expect(await set('mail', mailgun)).toEqual(['api_url address_not_allowed']);
    for (const uri of [`sip:${host}:5060`, `${host}:5060`]) {
      const trunk = { name: 'Line', termination_uri: uri, outgoing_number: null, login: null, password: null, groups: [world.estate.groups.town] };
      expect(issuesOf(await boss.client.put('/sip-trunks', trunk))).toEqual(['termination_uri address_not_allowed']);
    }
  });
  it('may name a mail server of the house, and no mail service there', async () => {
    expect(await set('mail', { type: 'mailgun', domain: 'example.org', from_address: 'a@example.org', api_url: 'http://10.0.0.5/' })).toEqual([
      'api_url address_not_allowed',
    ]);
    const smtp = { type: 'smtp', host: '10.0.0.5', port: 25, from_address: 'a@example.org', encryption: 'none' };
    expect((await boss.client.patch('/project-settings/mail', smtp)).statusCode).toBe(200);
  });
});

describe('a SIP trunk (V22)', () => {
  let desk: Phone;
  beforeAll(async () => {
    await world.person('1001', roleOf('concierge'), [world.estate.groups.north]);
    desk = await world.phone('1001');
  });
  it.each(['inside.example.org', 'cloud.example.org', 'mixed.example.org', '127.0.0.1', '0x7f.1'])('at %s is not called', async (host) => {
    const { db } = world.server.services;
    const [trunk] = await db
      .insert(sipTrunks)
      .values({ projectId: world.estate.here, name: 'Line', terminationUri: `sip:${host}:${port()}`, outgoingNumber: '74950000000' })
      .returning();
    await db.insert(sipTrunkGroups).values({ trunkId: trunk?.id ?? '', groupId: world.estate.groups.town });
    const id = randomUUID();
    expect((await desk.final(desk.dial('+74951234567', { 'X-Speech-Id': id }))).status).toBe(480);
    expect(await world.row(id, ({ status }) => status === 'destroyed')).toMatchObject({ trunk: 'outgoing', endReason: 'unreachable' });
    expect(hits).toEqual([]);
    await settle(world);
    await db.delete(sipTrunks);
  });
});
