import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import type { Principal } from '#server/context.ts';
import { callInterceptions, calls, devices, sipNumbers } from '#server/db/schema/index.ts';
import { ownNumbers, reachable } from '#server/modules/calls/scope.ts';
import { doorOpenedAt, doorOpenedInCall } from '#server/telephony/calls/doors.ts';
import { openChannel } from './channel.ts';
import { buildEstate, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

type CallRow = typeof calls.$inferInsert;
type Place = keyof Estate['groups'];
let server: TestServer;
let estate: Estate;
let anna: Person;
const device: Record<'lobby' | 'south', string> = { lobby: '', south: '' };
const db = () => server.services.db;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  anna = await makePerson(server, estate, { in: [estate.groups.north], name: 'Anna' });
  for (const [name, place] of [
    ['lobby', 'n1'],
    ['south', 's1'],
  ] as const) {
    const [row] = await db()
      .insert(devices)
      .values(deviceRow({ projectId: estate.here, domainId: estate.groups[place], name }))
      .returning();
    device[name] = row?.id ?? '';
  }
  const number = { projectId: estate.here, name: 'Number' };
  await db()
    .insert(sipNumbers)
    .values([
      { ...number, number: '11', userId: anna.id },
      { ...number, number: '12', userId: anna.id, isActive: false },
      { ...number, number: '13' },
    ]);
});
afterAll(() => server.close());
beforeEach(async () => {
  await db().delete(calls);
  await db().delete(callInterceptions);
});

/** Puts a call down, between two numbers that are nobody's. */
async function call(over: Partial<CallRow> = {}): Promise<string> {
  const id = randomUUID();
  const plain = { callerNumber: '77', calleeNumber: '78', type: 'normal', status: 'answered', createdAt: new Date() } as const;
  await db()
    .insert(calls)
    .values({ id, projectId: estate.here, ...plain, ...over });
  return id;
}

describe('the calls that somebody may act on', () => {
  const names = new Map<string, string>();
  const put = async (rows: Readonly<Record<string, Partial<CallRow>>>): Promise<void> => {
    for (const [name, row] of Object.entries(rows)) names.set(await call(row), name);
  };
  const inReach = async (...permissions: PermissionCode[]): Promise<string[]> => {
    const principal = { id: anna.id, projectId: estate.here, permissions, domains: [estate.groups.north] } as unknown as Principal;
    const found = await db()
      .select({ id: calls.id })
      .from(calls)
      .where(reachable(principal, await ownNumbers(server.services, principal)));
    return found.map(({ id }) => names.get(id) ?? '').toSorted();
  };
  const caller = (place: Place): Partial<CallRow> => ({ callerDomainId: estate.groups[place] });

  it('are those of their own numbers that are switched on, in their project', async () => {
    await put({
      called: { callerNumber: '11' },
      'was called': { calleeNumber: '11' },
      took: { answeredBy: '11' },
      'by a number that is switched off': { callerNumber: '12' },
      'by a number of nobody': { callerNumber: '13' },
      'in another project': { callerNumber: '11', projectId: estate.there },
    });
    expect(await inReach()).toEqual(['called', 'took', 'was called']);
  });

  it('are at a desk those that wait for their groups and those below', async () => {
    const waits = { type: 'awaiting' } as const;
    await put({
      below: { ...waits, ...caller('n1') },
      own: { ...waits, calleeDomainId: estate.groups.north },
      above: { ...waits, ...caller('town') },
      beside: { ...waits, ...caller('s1') },
      'not waiting': caller('n1'),
    });
    expect(await inReach('can_receive_call_as_concierge')).toEqual(['below', 'own']);
    expect(await inReach()).toEqual([]);
  });

  it('are those of panels of groups that they intercept at the moment', async () => {
    const panel = { callerDeviceId: device.lobby };
    await put({
      'a panel below': { ...panel, ...caller('n1') },
      'a person below': caller('n1'),
      'a panel above': { ...panel, ...caller('town') },
      'a panel beside': { ...panel, ...caller('s1') },
    });
    const intercepts = 'can_intercept_call_like_concierge';
    const set = (isActive: boolean, groupIds: string[]) =>
      db()
        .insert(callInterceptions)
        .values({ userId: anna.id, projectId: estate.here, isActive, groupIds, updatedAt: new Date() })
        .onConflictDoUpdate({ target: callInterceptions.userId, set: { isActive, groupIds } });
    expect(await inReach(intercepts)).toEqual([]);
    await set(true, [estate.groups.north]);
    expect([await inReach(intercepts), await inReach()]).toEqual([['a panel below'], []]);
    await set(false, [estate.groups.north]);
    expect(await inReach(intercepts)).toEqual([]);
  });
});

describe('a door that was opened', () => {
  const said = async (id: string) => {
    const [row] = await db().select().from(calls).where(eq(calls.id, id));
    return row && { opened: row.doorOpened, device: row.doorDeviceId, name: row.doorDeviceName, by: row.doorOpenedBy };
  };
  const untouched = { opened: false, device: null, name: null, by: null };
  const lobby = () => ({ opened: true, device: device.lobby, name: 'lobby' });

  it('from the console is put down to the call it was opened in', async () => {
    const [one, other] = [await call(), await call()];
    await doorOpenedInCall(server.services, one, device.lobby, 'Anna');
    expect([await said(one), await said(other)]).toEqual([{ ...lobby(), by: 'Anna' }, untouched]);
  });

  it('is confirmed to each number of the call, with the call as it stands, and to no other', async () => {
    const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
    const channel = await openChannel(url, anna.client.token);
    expect(await channel.subscribe('calls-management.11')).toBe('Subscribed');
    await doorOpenedInCall(server.services, await call(), device.lobby, 'Anna');
    for (const part of ['callerNumber', 'calleeNumber', 'answeredBy']) {
      const id = await call({ [part]: '11' });
      await doorOpenedInCall(server.services, id, device.lobby, 'Anna');
      await expect
        .poll(() =>
          channel
            .all('DoorOpened')
            .map(({ payload }) => payload.call)
            .at(-1),
        )
        .toBe(id);
      await expect
        .poll(() =>
          channel
            .all('CallUpdated')
            .map(({ payload }) => payload.call?.id)
            .at(-1),
        )
        .toBe(id);
    }
    expect(channel.all('DoorOpened')).toHaveLength(3);
    channel.ws.terminate();
  });

  it('by the device is put down to the call that the device talks in, by who talks with it', async () => {
    const fromPanel = { callerDeviceId: device.lobby, callerName: 'Lobby', answeredBy: '11' };
    const [named, numbered] = [await call({ ...fromPanel, answeredByName: 'Anna' }), await call(fromPanel)];
    const toPanel = { calleeDeviceId: device.lobby, answeredByName: 'Lobby', answeredBy: '20' };
    const [caller, number] = [await call({ ...toPanel, callerName: 'Bob' }), await call(toPanel)];
    const others = [
      await call({ ...fromPanel, status: 'calling' }),
      await call({ ...fromPanel, callerDeviceId: device.south }),
      await call({ ...fromPanel, endedAt: new Date(), status: 'destroyed' }),
    ];
    await doorOpenedAt(server.services, device.lobby);
    const by = await Promise.all([named, numbered, caller, number].map(said));
    expect(by).toEqual(['Anna', '11', 'Bob', '77'].map((who) => ({ ...lobby(), by: who })));
    expect(await Promise.all(others.map(said))).toEqual(others.map(() => untouched));
  });
});
