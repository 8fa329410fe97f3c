import { randomUUID } from 'node:crypto';
import { Transformer } from '@napi-rs/image';
import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '#models/api.ts';
import type { Call } from '#models/define-call.ts';
import { defaultRoles } from '#models/default-roles.ts';
import { importAreas } from '#models/import.ts';
import { type AreaName, areaNames } from '#models/areas.ts';
import { modelOf } from '#models/index.ts';
import { allLicensed } from '#models/licence-info.ts';
import { countedFeatures } from '#models/seats.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { areaRules, type Scope, type Verb } from '#models/area-rules.ts';
import { scopesOf } from '#models/permissions.ts';
import { topics } from '#models/realtime.ts';
import { seedRoles } from '#server/db/demo/seed.ts';
import { publish } from '#server/realtime/publish.ts';
import {
  mailTemplates,
  announceGroups,
  announces,
  announceUsers,
  accessRuleDevices,
  accessRuleGroups,
  accessRules,
  auditEvents,
  availableRoles,
  devices,
  elevatorAccessRules,
  elevatorControllers,
  elevatorRuleFloors,
  elevatorRuleUsers,
  amenities,
  emergencyAlertGroups,
  emergencyAlerts,
  amenityGroups,
  amenityReservations,
  elevators,
  forwardRules,
  groups,
  groupTypes,
  identifiers,
  integrations,
  markers,
  schedules,
  sipNumbers,
  sipTrunkGroups,
  sipTrunks,
  userDomains,
  userMarkers,
  users,
} from '#server/db/schema/index.ts';
import {
  buildEstate,
  dataOf,
  deviceBody,
  deviceRow,
  type Estate,
  groupBody,
  makePerson,
  makeRole,
  numberBody,
  type Person,
  userBody,
} from './estate.ts';
import { form, plainForm } from './hostile-files.ts';
import { openTestServer, type TestServer } from './support.ts';

type RoleKey = (typeof defaultRoles)[number]['key'];
/** Logs come about by themselves; who reads them is tried where they are. */
const logs = [
  'audit-events',
  'device-events',
  'device-tasks',
  'device-alarms',
  'alarm-calls',
  'call-history',
  'access-control-events',
  'elevator-events',
] as const satisfies AreaName[];
type Tested = Exclude<AreaName, (typeof logs)[number]>;
const isLog = (area: string): boolean => (logs as readonly string[]).includes(area);
/** A row to be tried on: in which of an principal's scopes it lies, and whether it is of their project at all. */
interface Subject {
  place: string;
  id: string;
  within: readonly Scope[];
  elsewhere?: boolean;
}

const roleKeys = defaultRoles.map(({ key }) => key);
const verbs: Verb[] = ['view', 'edit', 'delete'];
let server: TestServer;
let estate: Estate;
let plain: string;
let foreignRole: string;
const who = {} as Record<RoleKey, Person & { permissions: readonly string[] }>;
let inTree: Person;
let inSouth: Person;
/** A rule that everybody of the north may share. */
let openRule: string;

beforeAll(async () => {
  server = await openTestServer();
  const { services } = server;
  estate = await buildEstate(services);
  const ids = await seedRoles(services.db, estate.here, () => randomUUID());
  plain = await makeRole(services, estate.here, []);
  foreignRole = await makeRole(services, estate.there, []);
  for (const { key, permissions } of defaultRoles) {
    const roleId = ids.get(key) ?? '';
    await services.db.insert(availableRoles).values({ roleId, availableId: plain });
    who[key] = { ...(await makePerson(server, estate, { roleId, in: [estate.groups.north], name: key })), permissions };
  }
  inTree = await makePerson(server, estate, { roleId: plain, in: [estate.groups.n1] });
  openRule = await shareableRule();
  inSouth = await makePerson(server, estate, { roleId: plain, in: [estate.groups.s1] });
});
afterAll(() => server.close());

const db = () => server.services.db;
const first = <T>(rows: T[]): T => {
  const [row] = rows;
  if (!row) throw new Error('nothing was made');
  return row;
};

async function userIn(groupId: string, createdBy: string | null, projectId = estate.here, roleId = plain): Promise<string> {
  const login = randomUUID();
  const { id } = first(
    await db()
      .insert(users)
      .values({ projectId, roleId, login, name: 'Subject', email: `${login}@example.org`, licenseInfo: allLicensed, createdBy })
      .returning(),
  );
  await db().insert(userDomains).values({ userId: id, groupId });
  return id;
}
async function groupUnder(path: readonly string[], createdBy: string | null, projectId = estate.here): Promise<string> {
  const id = randomUUID();
  const blocks = { guestLimits: {} as never, whitelabel: {}, appleWallet: {}, licence: {} };
  await db()
    .insert(groups)
    .values({ ...blocks, id, projectId, name: 'Subject', parentId: path.at(-1) ?? null, path: [...path, id], createdBy });
  return id;
}
const markerBy = async (createdBy: string | null, projectId = estate.here): Promise<string> =>
  first(
    await db()
      .insert(markers)
      .values({ projectId, name: randomUUID().slice(0, 20), color: '#101010', createdBy })
      .returning(),
  ).id;
const typeIn = async (projectId: string): Promise<string> =>
  first(
    await db()
      .insert(groupTypes)
      .values({ projectId, name: randomUUID().slice(0, 20) })
      .returning(),
  ).id;

const deviceIn = async (groupId: string, createdBy: string | null, projectId = estate.here): Promise<string> =>
  first(
    await db()
      .insert(devices)
      .values(deviceRow({ projectId, domainId: groupId, createdBy }))
      .returning(),
  ).id;

let lastNumber = 90_000;
const numberOf = async (over: Partial<typeof sipNumbers.$inferInsert>): Promise<string> =>
  first(
    await db()
      .insert(sipNumbers)
      .values({ projectId: estate.here, number: String((lastNumber += 1)), name: 'Subject', ...over })
      .returning(),
  ).id;
const identifierOf = async (over: Partial<typeof identifiers.$inferInsert>): Promise<string> =>
  first(
    await db()
      .insert(identifiers)
      .values({ projectId: estate.here, type: 'face', value: randomUUID(), name: 'Subject', ...over })
      .returning(),
  ).id;
const keyOf = (userId: string): Promise<string> => identifierOf({ type: 'ukey2', userId });
const guestOf = (over: Partial<typeof identifiers.$inferInsert>): Promise<string> =>
  identifierOf({ ownerType: 'guest', guestType: 'guest', type: 'url', keyToken: randomUUID(), ...over });
/** With a door, for the people of the north. */
async function shareableRule(): Promise<string> {
  const { id } = first(await db().insert(accessRules).values({ projectId: estate.here, name: 'Lobby', isShareable: true }).returning());
  await db()
    .insert(accessRuleDevices)
    .values({ ruleId: id, deviceId: await deviceIn(estate.groups.town, null) });
  await db().insert(accessRuleGroups).values({ ruleId: id, groupId: estate.groups.north });
  return id;
}
const ruleIn = async (projectId: string): Promise<string> =>
  first(
    await db()
      .insert(forwardRules)
      .values({ projectId, name: randomUUID().slice(0, 20) })
      .returning(),
  ).id;
const scheduleIn = async (projectId: string): Promise<string> =>
  first(
    await db()
      .insert(schedules)
      .values({ projectId, name: randomUUID().slice(0, 20) })
      .returning(),
  ).id;
const accessRuleOf = async ({
  device,
  group,
  createdBy = null,
  projectId = estate.here,
}: {
  device?: string;
  group?: string;
  createdBy?: string | null;
  projectId?: string;
}): Promise<string> => {
  const { id } = first(
    await db()
      .insert(accessRules)
      .values({ projectId, name: randomUUID().slice(0, 20), createdBy })
      .returning(),
  );
  if (device) await db().insert(accessRuleDevices).values({ ruleId: id, deviceId: device });
  if (group) await db().insert(accessRuleGroups).values({ ruleId: id, groupId: group });
  return id;
};
const liftControllerIn = async (domainId: string, createdBy: string | null, projectId = estate.here): Promise<string> =>
  first(
    await db()
      .insert(devices)
      .values(deviceRow({ projectId, domainId, type: 'lift_controller', model: 'LC-16', createdBy }))
      .returning(),
  ).id;
const elevatorIn = async (domainId: string, createdBy: string | null, projectId = estate.here): Promise<string> => {
  const deviceId = await liftControllerIn(domainId, null, projectId);
  const { id } = first(
    await db()
      .insert(elevators)
      .values({ projectId, domainId, name: randomUUID().slice(0, 20), floors: [{ number: 1, name: '1', group: null }], createdBy })
      .returning(),
  );
  await db().insert(elevatorControllers).values({ deviceId, elevatorId: id, mode: 'access' });
  return id;
};
const openAllWeek = {
  duration: 3_600,
  items: [{ days: { mon: true, tue: true, wed: true, thu: true, fri: true, sat: true, sun: true }, from: 0, to: 86_400 }],
};
const amenityIn = async (groupId: string, createdBy: string | null, projectId = estate.here): Promise<string> => {
  const { id } = first(
    await db()
      .insert(amenities)
      .values({ projectId, name: randomUUID().slice(0, 20), timeSlots: openAllWeek, createdBy })
      .returning(),
  );
  await db().insert(amenityGroups).values({ amenityId: id, groupId });
  return id;
};
const emergencyAlertFor = async (groupId: string, over: Partial<typeof emergencyAlerts.$inferInsert> = {}): Promise<string> => {
  const { id } = first(
    await db()
      .insert(emergencyAlerts)
      .values({ projectId: estate.here, name: 'Fire', message: 'Leave the house', ...over })
      .returning(),
  );
  await db().insert(emergencyAlertGroups).values({ alertId: id, groupId });
  return id;
};
/** Of somebody, in an hour of its own. */
const reservationOf = async (userId: string, projectId = estate.here): Promise<string> => {
  const group = projectId === estate.here ? estate.groups.town : estate.groups.abroad;
  return first(
    await db()
      .insert(amenityReservations)
      .values({
        projectId,
        amenityId: await amenityIn(group, null, projectId),
        userId,
        persons: 2,
        date: '2031-05-05',
        fromSeconds: 0,
        toSeconds: 3_600,
        startsAt: new Date('2031-05-05T00:00:00Z'),
        endsAt: new Date('2031-05-05T01:00:00Z'),
      })
      .returning(),
  ).id;
};
const elevatorRuleOf = async ({
  elevator,
  user,
  createdBy = null,
  projectId = estate.here,
}: {
  elevator?: string;
  user?: string;
  createdBy?: string | null;
  projectId?: string;
}): Promise<string> => {
  const { id } = first(
    await db()
      .insert(elevatorAccessRules)
      .values({ projectId, name: randomUUID().slice(0, 20), createdBy })
      .returning(),
  );
  if (elevator)
    await db()
      .insert(elevatorRuleFloors)
      .values({ ruleId: id, elevatorId: elevator, floors: [1] });
  if (user) await db().insert(elevatorRuleUsers).values({ ruleId: id, userId: user });
  return id;
};
const trunkOf = async (groupId: string, createdBy: string | null, projectId = estate.here): Promise<string> => {
  const { id } = first(
    await db()
      .insert(sipTrunks)
      .values({ projectId, name: randomUUID().slice(0, 20), terminationUri: 'sip.example.com', createdBy })
      .returning(),
  );
  await db().insert(sipTrunkGroups).values({ trunkId: id, groupId });
  return id;
};

/** A template, of another type each time: there is one of a type in a place. */
async function templateOf(over: Partial<typeof mailTemplates.$inferInsert>): Promise<string> {
  const place = { projectId: estate.here, mailTypeId: 'registration' as const, locale: 'en' as const, subject: 'Subject', body: '{{link}}', ...over };
  await db()
    .delete(mailTemplates)
    .where(
      and(eq(mailTemplates.projectId, place.projectId), over.domainId ? eq(mailTemplates.domainId, over.domainId) : isNull(mailTemplates.domainId)),
    );
  return first(await db().insert(mailTemplates).values(place).returning()).id;
}
const integrationOf = async (over: Partial<typeof integrations.$inferInsert>): Promise<string> => {
  const name = randomUUID().slice(0, 20);
  return first(
    await db()
      .insert(integrations)
      .values({
        projectId: estate.here,
        type: 'webhook',
        name,
        url: `https://${name}.example.org`,
        secretCipher: 'sealed',
        cameras: [{ display_name: 'Lobby', access_point: '/1.jpg' }],
        ...over,
      })
      .returning(),
  ).id;
};

async function announceTo({ group, user, ...over }: Partial<typeof announces.$inferInsert> & { group?: string; user?: string }): Promise<string> {
  const { id } = first(
    await db()
      .insert(announces)
      .values({ projectId: estate.here, type: 'info', title: 'Subject', body: '<p>Text</p>', sendVia: [], ...over })
      .returning(),
  );
  if (group) await db().insert(announceGroups).values({ announceId: id, groupId: group });
  if (user) await db().insert(announceUsers).values({ announceId: id, userId: user });
  return id;
}

/** Fresh rows of an area in every place an principal may stand to them. */
const subjects: Record<Tested, (principal: Person) => Promise<Subject[]>> = {
  users: async ({ id }) => [
    { place: "of one's group", id: await userIn(estate.groups.north, null), within: ['domain', 'descendants'] },
    { place: 'below', id: await userIn(estate.groups.n2, null), within: ['descendants'] },
    { place: 'made by oneself, elsewhere', id: await userIn(estate.groups.s1, id), within: ['own'] },
    { place: 'of another tree', id: await userIn(estate.groups.s1, null), within: [] },
    { place: 'of another project', id: await userIn(estate.groups.abroad, null, estate.there, foreignRole), within: [], elsewhere: true },
  ],
  groups: async ({ id }) => [
    { place: 'below', id: await groupUnder([estate.groups.town, estate.groups.north], null), within: ['descendants', 'below'] },
    { place: 'below, made by oneself', id: await groupUnder([estate.groups.town, estate.groups.north], id), within: ['descendants', 'below', 'own'] },
    { place: 'of another tree', id: await groupUnder([estate.groups.town, estate.groups.south], null), within: [] },
    { place: 'of another tree, made by oneself', id: await groupUnder([estate.groups.town, estate.groups.south], id), within: ['own'] },
    { place: 'of another project', id: await groupUnder([estate.groups.abroad], null, estate.there), within: [], elsewhere: true },
  ],
  roles: async ({ id, roleId }) => {
    const [available, held] = [await makeRole(server.services, estate.here, []), await makeRole(server.services, estate.here, [])];
    await db().insert(availableRoles).values({ roleId, availableId: available });
    await userIn(estate.groups.n2, null, estate.here, held);
    return [
      { place: 'made by oneself', id: await makeRole(server.services, estate.here, [], id), within: ['own'] },
      { place: 'available', id: available, within: ['available'] },
      { place: "held in one's tree", id: held, within: ['held'] },
      { place: 'neither', id: await makeRole(server.services, estate.here, []), within: [] },
      { place: 'of another project', id: await makeRole(server.services, estate.there, []), within: [], elsewhere: true },
    ];
  },
  markers: async ({ id }) => {
    const carried = await markerBy(inSouth.id);
    await db().insert(userMarkers).values({ userId: inTree.id, markerId: carried });
    return [
      { place: 'made by oneself', id: await markerBy(id), within: ['own', 'descendants'] },
      { place: "made in one's tree", id: await markerBy(inTree.id), within: ['descendants'] },
      { place: "carried in one's tree", id: carried, within: ['descendants'] },
      { place: 'of the project', id: await markerBy(null), within: ['descendants'] },
      { place: 'of another tree', id: await markerBy(inSouth.id), within: [] },
      { place: 'of another project', id: await markerBy(null, estate.there), within: [], elsewhere: true },
    ];
  },
  devices: async ({ id }) => [
    { place: "of one's group", id: await deviceIn(estate.groups.north, null), within: ['domain', 'descendants'] },
    { place: 'below', id: await deviceIn(estate.groups.n2, null), within: ['descendants'] },
    { place: 'made by oneself, elsewhere', id: await deviceIn(estate.groups.s1, id), within: ['own'] },
    { place: 'of another tree', id: await deviceIn(estate.groups.s1, null), within: [] },
    { place: 'of another project', id: await deviceIn(estate.groups.abroad, null, estate.there), within: [], elsewhere: true },
  ],
  'sip-numbers': async ({ id }) => [
    { place: 'of oneself', id: await numberOf({ userId: id }), within: ['own', 'domain', 'descendants'] },
    { place: "of one's group", id: await numberOf({ userId: await userIn(estate.groups.north, null) }), within: ['domain', 'descendants'] },
    { place: 'of a device below', id: await numberOf({ deviceId: await deviceIn(estate.groups.n2, null) }), within: ['descendants'] },
    { place: 'free', id: await numberOf({}), within: ['descendants'] },
    { place: 'kept back', id: await numberOf({ isReserved: true }), within: [] },
    { place: 'made by oneself, kept back', id: await numberOf({ isReserved: true, createdBy: id }), within: ['own'] },
    { place: 'of another tree', id: await numberOf({ userId: await userIn(estate.groups.s1, null) }), within: [] },
    { place: 'of another project', id: await numberOf({ projectId: estate.there }), within: [], elsewhere: true },
  ],
  'guest-identifiers': async ({ id }) => [
    { place: "of one's group", id: await guestOf({ domainId: estate.groups.north }), within: ['domain', 'descendants'] },
    { place: 'below', id: await guestOf({ domainId: estate.groups.n2 }), within: ['descendants'] },
    { place: 'made by oneself, of another tree', id: await guestOf({ domainId: estate.groups.s1, createdBy: id }), within: ['own'] },
    { place: 'of another tree', id: await guestOf({ domainId: estate.groups.s1 }), within: [] },
    { place: 'no guest', id: await identifierOf({ domainId: estate.groups.north, createdBy: id }), within: [], elsewhere: true },
    { place: 'of another project', id: await guestOf({ projectId: estate.there }), within: [], elsewhere: true },
  ],
  ukey2: async ({ id }) => [
    { place: 'of oneself', id: await keyOf(id), within: ['own', 'domain', 'descendants'] },
    { place: "of one's group", id: await keyOf(await userIn(estate.groups.north, null)), within: ['domain', 'descendants'] },
    { place: 'below', id: await keyOf(await userIn(estate.groups.n2, null)), within: ['descendants'] },
    { place: 'of another tree', id: await keyOf(await userIn(estate.groups.s1, null)), within: [] },
    { place: 'no mobile key', id: await identifierOf({ userId: id }), within: [], elsewhere: true },
    { place: 'of another project', id: await identifierOf({ projectId: estate.there, type: 'ukey2' }), within: [], elsewhere: true },
  ],
  identifiers: async ({ id }) => [
    { place: 'of oneself', id: await identifierOf({ userId: id }), within: ['own', 'domain', 'descendants'] },
    { place: "of one's group", id: await identifierOf({ userId: await userIn(estate.groups.north, null) }), within: ['domain', 'descendants'] },
    { place: 'of the group itself', id: await identifierOf({ domainId: estate.groups.north }), within: ['domain', 'descendants'] },
    { place: 'below', id: await identifierOf({ userId: await userIn(estate.groups.n2, null) }), within: ['descendants'] },
    { place: 'of a group below', id: await identifierOf({ domainId: estate.groups.n2 }), within: ['descendants'] },
    { place: 'made by oneself, of another tree', id: await identifierOf({ domainId: estate.groups.s1, createdBy: id }), within: ['own'] },
    { place: 'of another tree', id: await identifierOf({ userId: await userIn(estate.groups.s1, null) }), within: [] },
    { place: 'of nobody', id: await identifierOf({}), within: [] },
    { place: 'of another project', id: await identifierOf({ projectId: estate.there }), within: [], elsewhere: true },
  ],
  'forward-rules': async () => [
    { place: 'of the project', id: await ruleIn(estate.here), within: [] },
    { place: 'of another project', id: await ruleIn(estate.there), within: [], elsewhere: true },
  ],
  'sip-trunks': async ({ id }) => [
    { place: "of one's group", id: await trunkOf(estate.groups.north, null), within: ['domain', 'descendants'] },
    { place: 'below', id: await trunkOf(estate.groups.n2, null), within: ['descendants'] },
    { place: 'of another tree, made by oneself', id: await trunkOf(estate.groups.s1, id), within: ['own'] },
    { place: 'of another tree', id: await trunkOf(estate.groups.s1, null), within: [] },
    { place: 'of another project', id: await trunkOf(estate.groups.abroad, null, estate.there), within: [], elsewhere: true },
  ],
  integrations: async () => [
    { place: 'of the project', id: await integrationOf({}), within: ['project'] },
    { place: "of one's group", id: await integrationOf({ domainId: estate.groups.north }), within: ['domain', 'grouped'] },
    { place: 'below', id: await integrationOf({ domainId: estate.groups.n2 }), within: ['below', 'grouped'] },
    { place: 'of another tree', id: await integrationOf({ domainId: estate.groups.s1 }), within: ['grouped'] },
    { place: 'a camera of the project', id: await integrationOf({ type: 'camera' }), within: ['project', 'seen'] },
    { place: 'a camera of another tree', id: await integrationOf({ type: 'camera', domainId: estate.groups.s1 }), within: ['grouped'] },
    { place: 'of another project', id: await integrationOf({ projectId: estate.there }), within: [], elsewhere: true },
  ],
  'mail-templates': async () => [
    { place: 'of the project', id: await templateOf({}), within: ['project'] },
    { place: "of one's group", id: await templateOf({ domainId: estate.groups.north }), within: ['domain', 'grouped'] },
    { place: 'below', id: await templateOf({ domainId: estate.groups.n2 }), within: ['below', 'grouped'] },
    { place: 'of another tree', id: await templateOf({ domainId: estate.groups.s1 }), within: ['grouped'] },
    { place: 'of another project', id: await templateOf({ projectId: estate.there }), within: [], elsewhere: true },
  ],
  announces: async ({ id }) => [
    { place: "to one's group", id: await announceTo({ group: estate.groups.north }), within: ['descendants'] },
    { place: 'to a person below', id: await announceTo({ user: inTree.id }), within: ['descendants'] },
    { place: 'made by oneself, to another tree', id: await announceTo({ group: estate.groups.s1, createdBy: id }), within: ['own'] },
    { place: 'to another tree', id: await announceTo({ user: inSouth.id }), within: [] },
    { place: 'of another project', id: await announceTo({ projectId: estate.there }), within: [], elsewhere: true },
  ],
  schedules: async () => [
    { place: 'of the project', id: await scheduleIn(estate.here), within: [] },
    { place: 'of another project', id: await scheduleIn(estate.there), within: [], elsewhere: true },
  ],
  'access-rules': async ({ id }) => [
    {
      place: "about a device of one's group",
      id: await accessRuleOf({ device: await deviceIn(estate.groups.north, null) }),
      within: ['descendants'],
    },
    { place: 'about a group below', id: await accessRuleOf({ group: estate.groups.n2 }), within: ['descendants'] },
    { place: 'made by oneself', id: await accessRuleOf({ createdBy: id }), within: ['own'] },
    { place: 'about another tree', id: await accessRuleOf({ group: estate.groups.s1 }), within: [] },
    { place: 'of another project', id: await accessRuleOf({ projectId: estate.there }), within: [], elsewhere: true },
  ],
  'emergency-alerts': async ({ id }) => [
    { place: "for one's group", id: await emergencyAlertFor(estate.groups.north), within: ['descendants'] },
    { place: 'for a group below', id: await emergencyAlertFor(estate.groups.n2), within: ['descendants'] },
    { place: 'made by oneself, for another tree', id: await emergencyAlertFor(estate.groups.s1, { createdBy: id }), within: ['own'] },
    { place: 'for another tree', id: await emergencyAlertFor(estate.groups.s1), within: [] },
    { place: 'of another project', id: await emergencyAlertFor(estate.groups.abroad, { projectId: estate.there }), within: [], elsewhere: true },
  ],
  amenities: async ({ id }) => [
    { place: "of one's group", id: await amenityIn(estate.groups.north, null), within: ['domain', 'descendants', 'above'] },
    { place: 'below', id: await amenityIn(estate.groups.n2, null), within: ['descendants'] },
    { place: 'above', id: await amenityIn(estate.groups.town, null), within: ['above'] },
    { place: 'made by oneself, elsewhere', id: await amenityIn(estate.groups.s1, id), within: ['own'] },
    { place: 'of another tree', id: await amenityIn(estate.groups.s1, null), within: [] },
    { place: 'of another project', id: await amenityIn(estate.groups.abroad, null, estate.there), within: [], elsewhere: true },
  ],
  'amenity-reservations': async ({ id }) => [
    { place: 'of oneself', id: await reservationOf(id), within: ['own', 'domain', 'descendants'] },
    { place: "of one's group", id: await reservationOf(await userIn(estate.groups.north, null)), within: ['domain', 'descendants'] },
    { place: 'below', id: await reservationOf(await userIn(estate.groups.n2, null)), within: ['descendants'] },
    { place: 'of another tree', id: await reservationOf(await userIn(estate.groups.s1, null)), within: [] },
    {
      place: 'of another project',
      id: await reservationOf(await userIn(estate.groups.abroad, null, estate.there, foreignRole), estate.there),
      within: [],
      elsewhere: true,
    },
  ],
  elevators: async ({ id }) => [
    { place: "of one's group", id: await elevatorIn(estate.groups.north, null), within: ['descendants'] },
    { place: 'below', id: await elevatorIn(estate.groups.n2, null), within: ['descendants'] },
    { place: 'made by oneself, elsewhere', id: await elevatorIn(estate.groups.s1, id), within: ['own'] },
    { place: 'of another tree', id: await elevatorIn(estate.groups.s1, null), within: [] },
    { place: 'of another project', id: await elevatorIn(estate.groups.abroad, null, estate.there), within: [], elsewhere: true },
  ],
  'elevator-access-rules': async ({ id }) => [
    {
      place: "about an elevator of one's group",
      id: await elevatorRuleOf({ elevator: await elevatorIn(estate.groups.north, id) }),
      within: ['descendants'],
    },
    { place: 'about a person below', id: await elevatorRuleOf({ user: inTree.id }), within: ['descendants'] },
    { place: 'made by oneself', id: await elevatorRuleOf({ createdBy: id }), within: ['own'] },
    { place: 'about another tree', id: await elevatorRuleOf({ user: inSouth.id }), within: [] },
    { place: 'of another project', id: await elevatorRuleOf({ projectId: estate.there }), within: [], elsewhere: true },
  ],
  'group-types': async () => [
    { place: 'of the project', id: await typeIn(estate.here), within: [] },
    { place: 'of another project', id: await typeIn(estate.there), within: [], elsewhere: true },
  ],
};
const tested = areaNames.filter((area): area is Tested => !isLog(area));

const reaches = (scopes: readonly Scope[], { within, elsewhere }: Subject): boolean =>
  !elsewhere && scopes.some((scope) => scope === 'all' || within.includes(scope));
/** Of a group, `description` belongs to the general part. */
const general = (permissions: readonly string[]): string[] => permissions.filter((code) => !/^can_manage_own_group_(?!general)/.test(code));

/** What the catalogue says must come of it. */
function expected(permissions: readonly string[], verb: Verb, area: Tested, subject: Subject): 200 | 403 | 404 {
  const viewed = scopesOf({ permissions }, 'view', area);
  const seen = reaches(viewed, subject);
  if (verb === 'view') return seen ? 200 : viewed.length > 0 ? 404 : 403;
  if (scopesOf({ permissions }, verb, area).length === 0) return 403;
  if (!seen) return 404;
  const codes = area === 'groups' && verb === 'edit' ? general(permissions) : permissions;
  return reaches(scopesOf({ permissions: codes }, verb, area), subject) ? 200 : 403;
}

const changes: Record<Tested, Record<string, unknown>> = {
  users: { description: 'changed' },
  groups: { description: 'changed' },
  roles: { description: 'changed' },
  markers: { color: '#020202' },
  'group-types': { description: 'changed' },
  devices: { description: 'changed' },
  'sip-numbers': { name: 'Changed' },
  identifiers: { name: 'Changed' },
  'guest-identifiers': { name: 'Changed' },
  ukey2: { name: 'Changed' },
  'forward-rules': { redirect_if_error: false },
  'sip-trunks': { login: 'changed' },
  integrations: { login: 'changed' },
  'mail-templates': { subject: 'Changed' },
  announces: { title: 'Changed' },
  schedules: { description: 'changed' },
  'access-rules': { description: 'changed' },
  elevators: { description: 'changed' },
  amenities: { description: 'changed' },
  'emergency-alerts': { message: 'Changed' },
  'amenity-reservations': { numberOfPersons: 3 },
  'elevator-access-rules': { description: 'changed' },
};
const attempt = (principal: Person, verb: Verb, area: Tested, id: string) => {
  if (verb === 'view') return principal.client.get(`/${modelOf(area).path}/${id}`);
  return verb === 'edit'
    ? principal.client.patch(`/${modelOf(area).path}/${id}`, changes[area])
    : principal.client.delete(`/${modelOf(area).path}/${id}`);
};
const refusedEntries = async (principal: Person): Promise<number> =>
  (
    await db()
      .select({ id: auditEvents.id })
      .from(auditEvents)
      .where(and(eq(auditEvents.userId, principal.id), eq(auditEvents.action, 'refused')))
  ).length;

describe.each(roleKeys)('%s', (key) => {
  it.each(tested)('does with %s what the catalogue says, no more and no less (P1)', async (area) => {
    const principal = who[key];
    for (const verb of verbs)
      for (const subject of await subjects[area](principal)) {
        const before = await refusedEntries(principal);
        const answer = await attempt(principal, verb, area, subject.id);
        const wanted = expected(principal.permissions, verb, area, subject);
        const deletes = verb === 'delete';
        // Whoever may delete a role that is held learns who holds it; whoever may see mobile keys, that nobody deletes them.
        const held = deletes && wanted === 200 && subject.place.startsWith('held');
        const impossible = deletes && wanted === 403 && area === 'ukey2' && scopesOf(principal, 'view', area).length > 0;
        const status = held || impossible ? 409 : wanted;
        expect([verb, subject.place, answer.statusCode], answer.body.slice(0, 200)).toEqual([verb, subject.place, status]);
        expect((await refusedEntries(principal)) - before, `${verb} ${subject.place}: the trail`).toBe(wanted === 403 ? 1 : 0);
      }
  });

  it.each(tested)('lists of %s exactly what it may see, and counts no more', async (area) => {
    const principal = who[key];
    const rows = await subjects[area](principal);
    // They were put into the database by hand: nobody has said so yet.
    await publish(server.services.db, estate.here, topics.area(area), 'RowsChanged', { area, ids: [] });
    const scopes = scopesOf({ permissions: principal.permissions }, 'view', area);
    expect((await principal.client.get(`/${modelOf(area).path}?size=1`)).statusCode).toBe(scopes.length > 0 ? 200 : 403);
    const seen = new Set<string>();
    let total = scopes.length > 0 ? 1 : 0;
    for (let page = 1; seen.size < total; page += 1) {
      const { data, meta } = (await principal.client.get(`/${modelOf(area).path}?size=500&page=${page}`)).json() as {
        data: { id: string }[];
        meta: { total: number };
      };
      for (const { id } of data) seen.add(id);
      total = meta.total;
      if (data.length === 0) break;
    }
    expect(seen.size).toBe(total);
    for (const subject of rows) expect([subject.place, seen.has(subject.id)]).toEqual([subject.place, reaches(scopes, subject)]);
  });

  it.each(tested)('makes %s only with the right to', async (area) => {
    const principal = who[key];
    const name = randomUUID().slice(0, 20);
    const bodies: Record<Tested, Record<string, unknown>> = {
      users: userBody({ login: name, name, role: plain, domains: [estate.groups.n1] }),
      groups: groupBody({ name, parent_id: estate.groups.n1 }),
      roles: { name, description: null, permissions: [], available_roles: [] },
      markers: { name, color: '#303030' },
      'group-types': { name, description: null, has_logic_address: true },
      devices: deviceBody({ name, domain: estate.groups.n1 }),
      'sip-numbers': numberBody({ number: String((lastNumber += 1)), name }),
      identifiers: { name, type: 'qr' },
      ukey2: { name, owner: principal.id },
      'guest-identifiers': { name, selectedAccessRules: [openRule], validatePeriod: { from: null, to: '2027-01-01T00:00:00Z' } },
      'forward-rules': { name, redirect_if_no_answer: { is_immediately: false, timeout: 10 }, redirect_if_error: true },
      integrations: {
        name,
        type: 'camera',
        url: `https://${name}.example.org`,
        cameras: [{ display_name: 'Lobby', access_point: '/1.jpg' }],
        domain_id: principal.permissions.includes('can_change_project_settings') ? null : estate.groups.n1,
      },
      'mail-templates': await (async () => {
        await db().delete(mailTemplates);
        const place = principal.permissions.includes('can_change_project_settings') ? null : estate.groups.n1;
        return { mail_type_id: 'guest', locale: 'en', subject: name, body: 'Open {{link}}', domain_id: place };
      })(),
      announces: { title: name, body: '<p>Text</p>', users: [principal.id] },
      schedules: { name },
      'access-rules': { name, devices: [await deviceIn(estate.groups.north, principal.id)] },
      'emergency-alerts': { name, message: 'Leave the house', domains: [estate.groups.north] },
      amenities: {
        name,
        domains: [estate.groups[principal.permissions.includes('can_create_all_amenities') ? 'north' : 'n1']],
        accessRules: [openRule],
      },
      'amenity-reservations': {
        amenity: await amenityIn(estate.groups.north, principal.id),
        date: '2031-05-05',
        timeSlots: { from: 0, to: 3_600 },
      },
      elevators: {
        name,
        domain_id: estate.groups.north,
        controllers: [{ device: await liftControllerIn(estate.groups.north, principal.id), mode: 'access' }],
        floors: [{ number: 1, name: '1', group: null }],
      },
      'elevator-access-rules': {
        name,
        users: [principal.id],
        elevators: [{ elevator: await elevatorIn(estate.groups.north, principal.id), floors: [1] }],
      },
      'sip-trunks': { name, termination_uri: 'sip.example.com', outgoing_number: null, login: null, password: null, groups: [estate.groups.north] },
    };
    const answer = await principal.client.put(`/${modelOf(area).path}`, bodies[area]);
    expect(answer.statusCode, answer.body).toBe(scopesOf({ permissions: principal.permissions }, 'create', area).length > 0 ? 200 : 403);
    if (area !== 'groups') return;
    const root = await principal.client.put('/groups', groupBody({ name }));
    expect(root.statusCode).toBe(principal.permissions.includes('can_create_root_group') ? 200 : 403);
  });

  it('reads the audit trail only with the right to, and nobody writes it (P11)', async () => {
    const { client, permissions } = who[key];
    const may = permissions.includes('can_view_audit_events');
    const list = await client.get('/audit-events?size=1');
    expect(list.statusCode).toBe(may ? 200 : 403);
    const id = may ? dataOf<{ id: string }[]>(list)[0]?.id : randomUUID();
    for (const answer of [
      await client.patch(`/audit-events/${id}`, {}),
      await client.delete(`/audit-events/${id}`),
      await client.put('/audit-events', {}),
      await client.post('/audit-events/delete', { items: [id] }),
    ]) {
      expect([404, 405]).toContain(answer.statusCode);
    }
  });
});

const png = await Transformer.fromRgbaPixels(Buffer.alloc(32 * 32 * 4, 80), 32, 32).png();
const upload = form({ x: 0, y: 0, size: 16 }, png);
const logo = form({}, png);
const level = () => ({
  id: estate.types.house,
  count: 1,
  prefix: 'x',
  logic_number: false,
  numeration: { from: 1, except: [], is_in_youngest_num: false, is_start_youngest_num: false },
});
const tree = () => ({ groups: [{ name: randomUUID().slice(0, 20), domain_type_id: estate.types.house, logic_address: null, children: [] }] });

/** Sharp enough for a face. */
const speckled = Buffer.from(Uint8Array.from({ length: 240 * 240 * 4 }, (_, at) => (at % 4 === 3 ? 255 : (at * 2_654_435_761) >>> 13)));
const portrait = form({}, await Transformer.fromRgbaPixels(speckled, 240, 240).png());

/** A right body for every call that stands under an area's rules. */
const bodies: Partial<Record<keyof typeof calls, () => { body?: unknown; headers?: Record<string, string> }>> = {
  userPassword: () => ({ body: { new_password: 'Another-2026' } }),
  registrationLink: () => ({}),
  resetSecondFactor: () => ({}),
  setAvatar: () => upload,
  removeAvatar: () => ({}),
  groupTree: () => ({}),
  groupChildren: () => ({}),
  floorsAndApartments: () => ({}),
  generateGroups: () => ({ body: { levels: [level()] } }),
  saveGeneratedGroups: () => ({ body: tree() }),
  setGroupLogo: () => logo,
  removeGroupLogo: () => ({}),
  applyDeviceSettings: () => ({}),
  initDevice: () => ({ body: { erase: false } }),
  synchroniseDevice: () => ({}),
  reinitDevice: () => ({}),
  restartDevice: () => ({}),
  setDeviceProtocol: () => ({ body: { protocol: 'none' } }),
  retryDeviceTasks: () => ({}),
  deviceSyncErrors: () => ({}),
  deviceRaw: () => ({}),
  conciergeDevices: () => ({}),
  permittedDevices: () => ({}),
  groupAllowance: () => ({}),
  elevatorFloors: () => ({}),
  setAmenityImage: () => logo,
  groupSeats: () => ({}),
  userLicence: () => ({}),
  revokeIdentifier: () => ({}),
  restoreIdentifier: () => ({}),
  findIdentifier: () => ({}),
  setIdentifierPhoto: () => portrait,
  revokeGuest: () => ({}),
  mailGuest: () => ({ body: { email: 'guest@example.org', locale: 'en' } }),
  updateIntegration: () => plainForm({ data: JSON.stringify({ login: 'changed' }) }),
  integrationMacros: () => ({}),
  integrationCameras: () => ({}),
  integrationDeliveries: () => ({}),
  resumeIntegration: () => ({}),
  previewNumbers: () => ({ body: { from: '7000', count: 3 } }),
  announceDelivery: () => ({}),
  emergencyAlertPeople: () => ({}),
  emergencyAlertSpeech: () => ({}),
  announceResponses: () => ({}),
  generateNumbers: () => ({ body: { from: String((lastNumber += 1)), count: 1, name: null, is_reserved: false } }),
};
/** Calls with rules of their own, that need a device that answers, or a search of one's own: tried in the tests of their areas and beside the broker. */
const apart: readonly (keyof typeof calls)[] = [
  'explainAccess',
  'announceReach',
  'exportAnnounceResponses',
  'loseIdentifier',
  'createIntegration',
  'availableIntegrations',
  'mailTypes',
  'previewMail',
  'sendMailPreview',
  'testIntegration',
  'devicePicture',
  'openDoor',
  'beginRemoteSession',
  'remoteSession',
  'callElevator',
  'amenityState',
  'reservationCalendar',
  'setEmergencyAlertFile',
  'removeEmergencyAlertFile',
  'emergencyAlertFile',
  'generateEmergencyAlert',
  'removeAmenityImage',
  'setAmenityTerms',
  'removeAmenityTerms',
  'transferEffect',
  'transferIdentifier',
  'identifierPass',
  'guestPass',
  'lookUpCard',
  'cardReaders',
  // Of oneself, by no row: calendar-feeds.test.ts
  'calendarFeed',
  'renewCalendarFeed',
  'revokeCalendarFeed',
  'beginEnrolment',
  'enrolment',
  'cancelEnrolment',
  'unknownCard',
  'searchDevices',
  'deviceSearch',
  'cancelDeviceSearch',
  'putFoundDevices',
  'devicePool',
  'deviceFromPool',
];
const ruled = (Object.entries(calls) as [keyof typeof calls, Call][])
  .filter(([, call]) => typeof call.access === 'object' && 'area' in call.access)
  .filter(([name, call]) => !apart.includes(name) && !isLog((call.access as { area: string }).area));

describe('calls besides the plain ones', () => {
  it('all have a body to be tried with', () => {
    expect(ruled.map(([name]) => name).filter((name) => !bodies[name])).toEqual([]);
  });

  it.each(ruled.flatMap(([name, call]) => roleKeys.map((key) => [name, key, call] as const)))(
    '%s answers %s as the catalogue says (P1)',
    async (name, key, call) => {
      const principal = who[key];
      const { permissions } = principal;
      const access = call.access as { area: Tested; verb: Verb };
      const whole = call.path.includes('{id}')
        ? await subjects[access.area](principal)
        : [{ place: 'all', id: '', within: ['own', 'domain', 'descendants'] as Scope[] }];
      for (const subject of whole) {
        const { body, headers } = bodies[name]?.() ?? {};
        const answer = await principal.client.send(
          call.method,
          call.path.replace('{id}', subject.id).replace('{feature}', countedFeatures[0]),
          body,
          headers,
        );
        const place = access.verb === 'create' ? placeOf(permissions, subject) : null;
        const logoPart = name === 'setGroupLogo' || name === 'removeGroupLogo';
        const codes = logoPart ? permissions.filter((code) => !/^can_manage_own_group_(?!white_label)/.test(code)) : permissions;
        const wanted = place ?? (call.path.includes('{id}') ? expectedEdit(permissions, codes, access.verb, access.area, subject) : 200);
        const status = wanted === 200 ? (call.success?.[0] ?? 200) : wanted;
        expect([subject.place, answer.statusCode], answer.body.slice(0, 200)).toEqual([subject.place, status]);
      }
    },
  );

  const areasOf = ({ path }: Call): readonly Tested[] => {
    if (path.startsWith('/{area}/import')) return importAreas;
    return path.includes('{area}') ? tested : ['users'];
  };

  it('ask for a session wherever they are not open to anyone; what is only of the demo is not there', async () => {
    const stranger = server.as(null);
    const closed = (Object.values(calls) as Call[]).filter(({ access }) => access !== 'anyone');
    for (const call of closed)
      for (const area of areasOf(call)) {
        const path = call.path.replace('{area}', modelOf(area).path).replace(/\{(?:id|request_id|user)\}/g, randomUUID());
        expect([call.method, path, (await stranger.send(call.method, path)).statusCode]).toEqual([call.method, path, call.demo ? 404 : 401]);
      }
    for (const area of areaNames)
      for (const [method, path] of [
        ['GET', ''],
        ['GET', `/${randomUUID()}`],
        ['PUT', ''],
        ['PATCH', `/${randomUUID()}`],
        ['DELETE', `/${randomUUID()}`],
      ] as const) {
        if (method !== 'GET' && modelOf(area).readOnly) continue;
        expect([area, method, (await stranger.send(method, `/${modelOf(area).path}${path}`)).statusCode]).toEqual([area, method, 401]);
      }
  });
});

/** As `expected`, with the codes that open the part in question counted for reach only. */
function expectedEdit(permissions: readonly string[], codes: readonly string[], verb: Verb, area: Tested, subject: Subject): 200 | 403 | 404 {
  const viewed = scopesOf({ permissions }, 'view', area);
  const seen = reaches(viewed, subject);
  if (verb === 'view') return seen ? 200 : viewed.length > 0 ? 404 : 403;
  if (scopesOf({ permissions }, verb, area).length === 0) return 403;
  if (!seen) return 404;
  return reaches(scopesOf({ permissions: codes }, verb, area), subject) ? 200 : 403;
}

/** Groups are made under those in sight: anywhere by makers of roots, in one's own tree by makers of descendants. */
function placeOf(permissions: readonly string[], subject: Subject): 200 | 403 | 404 {
  const has = (code: PermissionCode): boolean => permissions.includes(code);
  if (scopesOf({ permissions }, 'create', 'groups').length === 0) return 403;
  if (!reaches(scopesOf({ permissions }, 'view', 'groups'), subject)) return 404;
  return has('can_create_root_group') || (has('can_create_descendant_group') && subject.within.includes('descendants')) ? 200 : 403;
}

it('the catalogue has rules for every area', () => {
  expect(Object.keys(areaRules).toSorted()).toEqual([...areaNames].toSorted());
});
