import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultRoles } from '#models/default-roles.ts';
import { topics } from '#models/realtime.ts';
import { devices } from '#server/db/schema/index.ts';
import { type CallServer, openCallServer, type Phone, roleOf, settle } from './calls-support.ts';
import { openChannel } from './channel.ts';
import type { Person } from './estate.ts';

type RoleKey = (typeof defaultRoles)[number]['key'];
/** Who and what there is to be called, by the number; the caller stands in `north`. */
const targets = { below: '301', own: '302', elsewhere: '303', desk: '304', panel: '2003', panelElsewhere: '2004' } as const;
type Target = keyof typeof targets;

/** What somebody of a role may do in `north`; whatever is not named is refused. */
interface May {
  dial: Target[];
  /** Takes a call of a queue that comes from `north`; never one from `south`. */
  take: boolean;
  /** Reads the calls that wait. */
  hear: boolean;
  intercept: boolean;
  open: boolean;
}
const everywhere = Object.keys(targets) as Target[];
const may: Record<RoleKey, May> = {
  administrator: { dial: everywhere, take: true, hear: true, intercept: true, open: true },
  dealer: { dial: ['below', 'own', 'desk', 'panel'], take: false, hear: false, intercept: false, open: true },
  groupAdministrator: { dial: ['below', 'own', 'desk', 'panel'], take: false, hear: false, intercept: false, open: true },
  propertyManager: { dial: ['below', 'own', 'desk', 'panel'], take: false, hear: false, intercept: false, open: true },
  concierge: { dial: ['below', 'own', 'desk', 'panel'], take: true, hear: true, intercept: true, open: true },
  resident: { dial: ['own', 'desk', 'panel'], take: false, hear: false, intercept: false, open: false },
};

let world: CallServer;
let url: string;
let here: Phone;
let there: Phone;
let door: string;
const who = {} as Record<RoleKey, { person: Person; number: string; phone: Phone }>;

beforeAll(async () => {
  world = await openCallServer();
  const { groups } = world.estate;
  await world.number('700', { domainId: groups.town });
  await world.person('301', roleOf('resident'), [groups.n1]);
  await world.person('302', roleOf('resident'), [groups.north]);
  await world.person('303', roleOf('resident'), [groups.s1]);
  await world.person('304', roleOf('concierge'), [groups.town]);
  const panel = await world.panel('2001', groups.north);
  await world.panel('2002', groups.south);
  // Two that cannot be reached: a call to them is over at once.
  await world.panel('2003', groups.north);
  await world.panel('2004', groups.south);
  [here, there] = [await world.phone('2001'), await world.phone('2002')];
  for (const [at, { key }] of defaultRoles.entries()) {
    const number = `11${at}`;
    const person = await world.person(number, roleOf(key), [groups.north]);
    who[key] = { person, number, phone: await world.phone(number) };
  }
  const [device] = await world.server.services.db.select().from(devices).where(eq(devices.id, panel));
  door = device?.token ?? '';
  await world.server.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(world.server.app.server.address() as AddressInfo).port}`;
});
afterAll(() => world.close());

/** A call that waits at the desk of `town`. */
async function waiting(from: Phone): Promise<string> {
  const id = randomUUID();
  from.dial('700', { 'X-Speech-Id': id });
  await world.row(id, ({ status }) => status === 'waiting');
  return id;
}
const isAllowed = (status: number): boolean => status !== 403 && status !== 404;

describe.each(defaultRoles.map(({ key }) => key))('a person of %s', (key) => {
  it('calls whom the role lets them call', async () => {
    const { phone } = who[key];
    const reached: Target[] = [];
    for (const target of everywhere) {
      const { status } = await phone.final(phone.dial(targets[target]));
      if (isAllowed(status ?? 0)) reached.push(target);
    }
    expect(reached).toEqual(may[key].dial);
    await settle(world);
  });

  it('takes, ends and moves a waiting call that is theirs to take, and no other', async () => {
    const { phone, person } = who[key];
    const [near, far] = [await waiting(here), await waiting(there)];
    const foreign = await phone.final(phone.dial('700', { 'X-Speech-Id': far }));
    // An administrator sees the whole project by the role, but sits at the desk of `north` alone.
    expect(foreign.status).toBe(404);
    expect((await person.client.post(`/calls/${far}/stop`)).statusCode).toBe(404);
    const { status } = await phone.final(phone.dial('700', { 'X-Speech-Id': near }));
    expect(isAllowed(status ?? 0)).toBe(may[key].take);
    // Nobody moves a call that they are not in.
    expect((await person.client.post(`/calls/${far}/transfer`, { number: '302' })).statusCode).toBe(404);
    const moved = await person.client.post(`/calls/${near}/transfer`, { number: '302' });
    expect(moved.statusCode).toBe(may[key].take ? 200 : 404);
    expect((await person.client.post(`/calls/${near}/stop`)).statusCode).toBe(may[key].take ? 200 : 404);
    await settle(world);
  });

  it('hears of waiting calls, and intercepts, as far as the role says', async () => {
    const { person } = who[key];
    const answer = (allowed: boolean): number => (allowed ? 200 : 403);
    expect((await person.client.get('/calls/waiting')).statusCode).toBe(answer(may[key].hear));
    expect((await person.client.get('/calls/interception')).statusCode).toBe(answer(may[key].intercept));
    const start = await person.client.post('/calls/interception', { is_active: true, domains: [world.estate.groups.n1] });
    expect(start.statusCode).toBe(answer(may[key].intercept));
    if (may[key].intercept) await person.client.post('/calls/interception', { is_active: false, domains: [] });
    const channel = await openChannel(url, person.client.token);
    // What they may take is told on their own number; the queue's own topic is for those of its group.
    expect(await channel.subscribe(topics.calls(who[key].number))).toBe('Subscribed');
    expect(await channel.subscribe(topics.calls('700'))).toBe('Refused');
    expect(await channel.subscribe(topics.calls('304'))).toBe('Refused');
    channel.ws.terminate();
  });

  it('opens a door where the role says so', async () => {
    const { statusCode } = await who[key].person.client.post('/devices/open', { token: door });
    expect(isAllowed(statusCode)).toBe(may[key].open);
  });
});
