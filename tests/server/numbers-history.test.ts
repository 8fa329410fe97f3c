import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { historyTypes, type HistoryCall } from '#models/call-history.ts';
import type { Job } from '#models/job.ts';
import { calls, devices, sipNumbers } from '#server/db/schema/index.ts';
import { buildEstate, dataOf, deviceRow, type Estate, jobIsOver, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let resident: Person;
let device: string;
const ids = { panel: randomUUID(), south: randomUUID(), own: randomUUID(), live: randomUUID(), trunk: randomUUID() };

const at = (minute: number): Date => new Date(Date.parse('2026-03-01T10:00:00Z') + minute * 60_000);
beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, {
    permissions: ['can_view_all_calls', 'can_view_all_devices', 'can_view_all_groups'],
    in: [estate.groups.town],
  });
  resident = await makePerson(server, estate, { in: [estate.groups.n1], name: 'Boris' });
  const [row] = await server.services.db
    .insert(devices)
    .values(deviceRow({ projectId: estate.here, domainId: estate.groups.north, name: 'Lobby' }))
    .returning();
  device = row?.id ?? '';
  const common = { projectId: estate.here, status: 'destroyed', type: 'normal' } as const;
  await server.services.db.insert(calls).values([
    {
      ...common,
      id: ids.panel,
      callerNumber: '2001',
      callerName: 'Lobby',
      callerDeviceId: device,
      callerDomainId: estate.groups.north,
      calleeNumber: '1003',
      calleeName: 'Boris',
      calleeUserId: resident.id,
      calleeDomainId: estate.groups.n1,
      historyStatus: 'answered',
      createdAt: at(1),
      answeredAt: new Date(at(1).getTime() + 4_000),
      endedAt: new Date(at(1).getTime() + 40_000),
      answeredBy: '1003-tab7',
      answeredByName: 'Boris',
      answeredByUserId: resident.id,
      doorOpened: true,
      doorDeviceName: 'Lobby',
      doorOpenedBy: 'Boris',
    },
    {
      ...common,
      id: ids.south,
      callerNumber: '1',
      calleeNumber: '2',
      calleeDomainId: estate.groups.s1,
      historyStatus: 'busy',
      createdAt: at(2),
      endedAt: at(2),
    },
    {
      ...common,
      id: ids.own,
      callerNumber: '1003',
      callerUserId: resident.id,
      callerDomainId: estate.groups.s1,
      calleeNumber: '9',
      historyStatus: 'noanswer',
      createdAt: at(3),
      endedAt: at(4),
    },
    { ...common, id: ids.live, status: 'calling', callerNumber: '1', calleeNumber: '2', createdAt: at(5) },
    {
      ...common,
      id: ids.trunk,
      type: 'awaiting',
      trunk: 'incoming',
      callerNumber: '+4930',
      calleeNumber: '700',
      historyStatus: 'cancel',
      createdAt: at(6),
      endedAt: at(7),
    },
  ]);
});
afterAll(() => server.close());

const asked = (items: unknown[]) => `filters=${encodeURIComponent(JSON.stringify({ items }))}`;
const list = async ({ client }: Person, query = ''): Promise<HistoryCall[]> => dataOf<HistoryCall[]>(await client.get(`/calls/history?${query}`));
const idsOf = (rows: HistoryCall[]) => rows.map(({ id }) => id);

describe('the call history', () => {
  it('holds calls that are over, newest first, each told whole', async () => {
    const rows = await list(boss);
    expect(idsOf(rows)).toEqual([ids.trunk, ids.own, ids.south, ids.panel]);
    expect(rows.map(({ type }) => type)).toEqual(['incoming_cancel', 'outgoing_noanswer', 'outgoing_busy', 'incoming_answered']);
    expect(rows.every(({ type }) => historyTypes.includes(type))).toBe(true);
    expect(rows[3]).toMatchObject({
      from: { number: '2001', name: 'Lobby', user: null, device: { name: 'Lobby' }, group: { name: 'north' } },
      to: { number: '1003', user: null, group: { name: 'n1' } },
      answered_by: { number: '1003', name: 'Boris' },
      group: { name: 'north' },
      duration: 36,
      waited: 4,
      door_opened: true,
      door_name: 'Lobby',
      door_opened_by: 'Boris',
    });
    expect((await boss.client.get(`/calls/history/${ids.live}`)).statusCode).toBe(404);
  });

  it('is narrowed and sorted by what it shows', async () => {
    const of = async (field: string, rule: string, value: unknown) => idsOf(await list(boss, asked([{ field, rule, value }])));
    expect(await of('from', 'contains', 'lobb')).toEqual([ids.panel]);
    expect(await of('to', 'begins_with', '700')).toEqual([ids.trunk]);
    expect(await of('status', 'equals', ['busy', 'noanswer'])).toEqual([ids.own, ids.south]);
    expect(await of('direction', 'equals', 'incoming')).toEqual([ids.trunk, ids.panel]);
    expect(await of('door_opened', 'is', true)).toEqual([ids.panel]);
    expect(await of('device', 'equals', device)).toEqual([ids.panel]);
    expect(await of('group', 'equals', estate.groups.north)).toEqual([ids.panel]);
    expect(await of('duration', 'above', 10)).toEqual([ids.panel]);
    expect(idsOf(await list(boss, 'sort=created_at'))[0]).toBe(ids.panel);
  });

  it('shows everybody their own calls, and others by scope', async () => {
    expect(idsOf(await list(resident))).toEqual([ids.own, ids.panel]);
    const seen = async (permissions: Parameters<typeof makePerson>[2]['permissions']) =>
      idsOf(await list(await makePerson(server, estate, { ...(permissions && { permissions }), in: [estate.groups.north] })));
    expect(await seen([])).toEqual([]);
    expect(await seen(['can_view_own_group_calls'])).toEqual([ids.panel]);
    expect(await seen(['can_view_panel_calls'])).toEqual([]);
    expect(await seen(['can_view_panel_calls', 'can_view_own_group_devices'])).toEqual([ids.panel]);
    const south = await makePerson(server, estate, { permissions: ['can_view_descendant_calls'], in: [estate.groups.south] });
    expect(idsOf(await list(south))).toEqual([ids.own, ids.south]);
    expect((await south.client.get(`/calls/history/${ids.panel}`)).statusCode).toBe(404);
  });

  it('is written by nobody, and downloaded as a file', async () => {
    expect([404, 405]).toContain((await boss.client.delete(`/calls/history/${ids.panel}`)).statusCode);
    const job = dataOf<Job>(await boss.client.post('/calls/history/export', { export_format: 'csv' }));
    expect(await jobIsOver(boss.client, job)).toMatchObject({ state: 'completed', total: 4 });
    const { body } = await boss.client.get(`/jobs/${job.id}/file`);
    for (const part of ['incoming_answered', '2001', 'Lobby', 'Boris', '36']) expect(body).toContain(part);
  });
});

it('the demo has numbers as the contract names them, and sixty days of calls', async () => {
  const demo = await openTestServer({ demo: true });
  try {
    const rows = await demo.services.db.select().from(sipNumbers);
    const held = new Map(rows.map((row) => [row.number, row]));
    for (const number of ['700', '1000', '1001', '1002', '1003', '1004', '2001']) expect(held.has(number), number).toBe(true);
    expect(rows.filter(({ userId, number }) => userId && number.length > 4)).toHaveLength(120);
    const admin = await demo.signIn('admin');
    const answer = await admin.get('/calls/history?size=1&sort=created_at');
    const { data, meta } = answer.json() as { data: HistoryCall[]; meta: { total: number } };
    expect(meta.total).toBeGreaterThan(2_000);
    expect(Date.parse(data[0]?.created_at ?? '')).toBeGreaterThan(demo.services.now().getTime() - 62 * 86_400_000);
    const all = await demo.services.db.select().from(calls);
    expect(
      all.every(
        ({ createdAt, answeredAt, endedAt }) => createdAt <= (answeredAt ?? createdAt) && (answeredAt ?? createdAt) <= (endedAt ?? createdAt),
      ),
    ).toBe(true);
    expect(new Set(all.map(({ historyStatus }) => historyStatus)).size).toBe(5);
  } finally {
    await demo.close();
  }
});
