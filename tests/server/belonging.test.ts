import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { groupsOf } from '#server/access/belonging.ts';
import {
  accessRuleDevices,
  accessRuleGroups,
  accessRules,
  accessRuleUsers,
  alarmCalls,
  amenities,
  amenityGroups,
  amenityReservations,
  announceGroups,
  announces,
  announceUsers,
  calls,
  conversationMembers,
  conversations,
  deviceAlarms,
  deviceEvents,
  devices,
  deviceTasks,
  elevatorAccessRules,
  elevatorRuleFloors,
  elevatorRuleUsers,
  elevators,
  emergencyAlertGroups,
  emergencyAlerts,
  identifiers,
  integrationGroups,
  integrations,
  mailTemplates,
  markers,
  sipNumbers,
  sipTrunkGroups,
  sipTrunks,
} from '#server/db/schema/index.ts';
import { buildEstate, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
/** Of two trees: n1 and south. */
let anna: Person;
/** Stands in n2. */
let panel: string;
let made = 0;
const name = (): string => `Row ${(made += 1)}`;
const now = new Date('2026-06-17T10:00:00Z');

const db = () => server.services.db;
const of = () => ({ projectId: estate.here, name: name() });
const one = ([row]: readonly { id: string }[]): string => {
  if (!row) throw new Error('nothing was stored');
  return row.id;
};

/** Stores a row. @returns its id */
const save = async (insert: { returning: () => PromiseLike<readonly { id: string }[]> }): Promise<string> => one(await insert.returning());

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  anna = await makePerson(server, estate, { in: [estate.groups.n1, estate.groups.south] });
  panel = await save(
    db()
      .insert(devices)
      .values(deviceRow({ projectId: estate.here, domainId: estate.groups.n2 })),
  );
});
afterAll(() => server.close());

const ofAnna = ['town', 'north', 'n1', 'south'] as const;
const ofPanel = ['town', 'north', 'n2'] as const;
const identifier = async (over: { userId?: string; domainId?: string }): Promise<string> =>
  save(
    db()
      .insert(identifiers)
      .values({ ...of(), type: 'qr', value: randomUUID(), ...over }),
  );
const event = async (): Promise<string> =>
  save(db().insert(deviceEvents).values({ projectId: estate.here, deviceId: panel, deviceName: 'Panel', type: 'access_granted', occurredAt: now }));
const inGroup = () => ({ projectId: estate.here, deviceName: 'Panel', domainId: estate.groups.n2 });
const number = async (over: Partial<typeof sipNumbers.$inferInsert>): Promise<string> =>
  save(
    db()
      .insert(sipNumbers)
      .values({ ...of(), number: String(7_000 + made), ...over }),
  );
const call = async (): Promise<string> =>
  save(
    db().insert(calls).values({
      id: randomUUID(),
      projectId: estate.here,
      callerNumber: '1',
      callerDomainId: estate.groups.n2,
      calleeNumber: '2',
      calleeDomainId: estate.groups.s1,
      type: 'normal',
      status: 'destroyed',
      createdAt: now,
    }),
  );
const elevator = async (): Promise<string> =>
  save(
    db()
      .insert(elevators)
      .values({ ...of(), domainId: estate.groups.s1 }),
  );
const amenity = async (): Promise<string> =>
  save(
    db()
      .insert(amenities)
      .values({ ...of(), timeSlots: { duration: 3_600, items: [] } }),
  );

type Name = keyof Estate['groups'];
const rows: [area: string, make: () => Promise<string>, groups: readonly Name[]][] = [
  ['users', async () => anna.id, ofAnna],
  ['groups', async () => estate.groups.s1, ['town', 'south', 's1']],
  ['devices', async () => panel, ofPanel],
  [
    'device-tasks',
    async () => save(db().insert(deviceTasks).values({ projectId: estate.here, deviceId: panel, kind: 'synchronise', status: 'new' })),
    ofPanel,
  ],
  ['device-events', event, ofPanel],
  ['access-control-events', event, ofPanel],
  ['elevator-events', event, ofPanel],
  [
    'device-alarms',
    async () =>
      save(
        db()
          .insert(deviceAlarms)
          .values({ ...inGroup(), sensor: 'smoke', state: 'enabled', enabledAt: now }),
      ),
    ofPanel,
  ],
  [
    'alarm-calls',
    async () =>
      save(
        db()
          .insert(alarmCalls)
          .values({ ...inGroup(), calledAt: now }),
      ),
    ofPanel,
  ],
  ['sip-numbers', () => number({ userId: anna.id }), ofAnna],
  ['sip-numbers', () => number({ deviceId: panel }), ofPanel],
  ['sip-numbers', () => number({ domainId: estate.groups.south }), ['town', 'south']],
  ['identifiers', () => identifier({ userId: anna.id }), ofAnna],
  ['identifiers', () => identifier({ userId: anna.id, domainId: estate.groups.s1 }), [...ofAnna, 's1']],
  ['guest-identifiers', () => identifier({ domainId: estate.groups.s1 }), ['town', 'south', 's1']],
  ['ukey2', () => identifier({ userId: anna.id }), ofAnna],
  [
    'sip-trunks',
    async () => {
      const trunkId = await save(
        db()
          .insert(sipTrunks)
          .values({ ...of(), terminationUri: 'sip.example.com' }),
      );
      await db().insert(sipTrunkGroups).values({ trunkId, groupId: estate.groups.n2 });
      return trunkId;
    },
    ofPanel,
  ],
  [
    'integrations',
    async () => {
      const integrationId = await save(
        db()
          .insert(integrations)
          .values({ ...of(), type: 'webhook', url: 'https://hook.example.org', domainId: estate.groups.north }),
      );
      await db().insert(integrationGroups).values({ integrationId, groupId: estate.groups.s1 });
      return integrationId;
    },
    ['town', 'north', 'south', 's1'],
  ],
  [
    'mail-templates',
    async () => {
      const text = { mailTypeId: 'registration', locale: 'en', subject: 'Subject', body: '{{link}}' } as const;
      return save(
        db()
          .insert(mailTemplates)
          .values({ projectId: estate.here, ...text, domainId: estate.groups.n2 }),
      );
    },
    ofPanel,
  ],
  [
    'announces',
    async () => {
      const announceId = await save(
        db().insert(announces).values({ projectId: estate.here, type: 'info', title: 'Title', body: '<p>Text</p>', sendVia: [] }),
      );
      await db().insert(announceUsers).values({ announceId, userId: anna.id });
      await db().insert(announceGroups).values({ announceId, groupId: estate.groups.n2 });
      return announceId;
    },
    [...ofAnna, 'n2'],
  ],
  [
    'access-rules',
    async () => {
      const ruleId = await save(db().insert(accessRules).values(of()));
      await db().insert(accessRuleDevices).values({ ruleId, deviceId: panel });
      await db().insert(accessRuleGroups).values({ ruleId, groupId: estate.groups.s1 });
      await db().insert(accessRuleUsers).values({ ruleId, userId: anna.id });
      return ruleId;
    },
    [...ofAnna, 'n2', 's1'],
  ],
  [
    'emergency-alerts',
    async () => {
      const alertId = await save(
        db()
          .insert(emergencyAlerts)
          .values({ ...of(), message: 'Leave the house' }),
      );
      await db().insert(emergencyAlertGroups).values({ alertId, groupId: estate.groups.n2 });
      return alertId;
    },
    ofPanel,
  ],
  [
    'amenities',
    async () => {
      const amenityId = await amenity();
      await db().insert(amenityGroups).values({ amenityId, groupId: estate.groups.n2 });
      return amenityId;
    },
    ofPanel,
  ],
  [
    'amenity-reservations',
    async () => {
      const times = { date: '2026-06-17', fromSeconds: 0, toSeconds: 3_600, startsAt: now, endsAt: now };
      return save(
        db()
          .insert(amenityReservations)
          .values({ projectId: estate.here, amenityId: await amenity(), userId: anna.id, persons: 2, ...times }),
      );
    },
    ofAnna,
  ],
  ['elevators', elevator, ['town', 'south', 's1']],
  [
    'elevator-access-rules',
    async () => {
      const ruleId = await save(db().insert(elevatorAccessRules).values(of()));
      await db()
        .insert(elevatorRuleFloors)
        .values({ ruleId, elevatorId: await elevator(), floors: [1] });
      await db().insert(elevatorRuleUsers).values({ ruleId, userId: anna.id });
      return ruleId;
    },
    [...ofAnna, 's1'],
  ],
  [
    'conversations',
    async () => {
      const conversationId = await save(db().insert(conversations).values({ projectId: estate.here, title: 'Title' }));
      await db().insert(conversationMembers).values({ conversationId, userId: anna.id });
      return conversationId;
    },
    ofAnna,
  ],
  ['calls', call, [...ofPanel, 'south', 's1']],
  ['call-history', call, [...ofPanel, 'south', 's1']],
];

it.each(rows)('rows of %s belong to their groups and to all above those', async (area, make, groups) => {
  const id = await make();
  const found = await groupsOf(db(), area, [id]);
  expect([...found.keys()]).toEqual([id]);
  const nameOf = (group: string) => Object.entries(estate.groups).find(([, one]) => one === group)?.[0];
  expect(found.get(id)?.map(nameOf).toSorted()).toEqual([...groups].toSorted());
});

it('rows of the project itself, and those of areas without groups, belong to none', async () => {
  const marker = await save(
    db()
      .insert(markers)
      .values({ ...of(), color: '#101010' }),
  );
  expect(await groupsOf(db(), 'markers', [marker])).toEqual(new Map());
  expect(await groupsOf(db(), 'identifiers', [await identifier({})])).toEqual(new Map());
  expect(await groupsOf(db(), 'users', [])).toEqual(new Map());
});
