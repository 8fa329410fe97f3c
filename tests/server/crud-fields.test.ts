import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AreaName, areaNames, modelOf } from '#models/index.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import {
  accessRuleDevices,
  accessRules,
  amenities,
  amenityGroups,
  deviceAlarms,
  devices,
  elevators,
  forwardRules,
  identifiers,
  integrations,
  mailTemplates,
  markers,
  schedules,
  sipNumbers,
  sipTrunks,
  users,
} from '#server/db/schema/index.ts';
import { unseal } from '#server/devices/secrets.ts';
import { buildEstate, dataOf, deviceRow, type Estate, makePerson, makeRole, type Person } from './estate.ts';
import { type Json, type Rows, samplesOf } from './field-samples.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town] });
});
afterAll(() => server.close());

const pair = <T extends { id: string }>([first, second]: readonly T[]): readonly [string, string] => [first?.id ?? '', second?.id ?? ''];

const openAllWeek = {
  duration: 3_600,
  items: [{ days: { mon: true, tue: true, wed: true, thu: true, fri: true, sat: true, sun: true }, from: 0, to: 86_400 }],
};
/** Two rows of each area that fields name, nobody's yet. */
async function freshRows(): Promise<Rows> {
  const { db } = server.services;
  const { here: projectId, groups, types } = estate;
  const [one, two] = [await makePerson(server, estate, { in: [groups.town] }), await makePerson(server, estate, { in: [groups.town] })];
  const tag = one.id.slice(0, 8);
  const number = () => ({ projectId, name: 'Free', number: String(Math.trunc(server.services.random() * 1e12)) });
  const doors = await db
    .insert(devices)
    .values([0, 1].map(() => deviceRow({ projectId, domainId: groups.town, type: 'lift_controller', model: 'LC-16' })))
    .returning();
  const rules = await db
    .insert(accessRules)
    .values([0, 1].map((at) => ({ projectId, name: `Rule ${tag} ${at}` })))
    .returning();
  const [panel] = await db
    .insert(devices)
    .values(deviceRow({ projectId, domainId: groups.town }))
    .returning();
  // A place has one template of a type and language.
  await db.delete(mailTemplates);
  await db.insert(accessRuleDevices).values(rules.map(({ id }) => ({ ruleId: id, deviceId: panel?.id ?? '' })));
  const rooms = await db
    .insert(amenities)
    .values([0, 1].map((at) => ({ projectId, name: `Room ${tag} ${at}`, timeSlots: openAllWeek })))
    .returning();
  await db.insert(amenityGroups).values(rooms.map(({ id }) => ({ amenityId: id, groupId: groups.town })));
  return {
    amenities: pair(rooms),
    users: [one.id, two.id],
    roles: [await makeRole(server.services, projectId, []), await makeRole(server.services, projectId, [])],
    groups: [groups.north, groups.south],
    'group-types': [types.house, types.flat],
    markers: pair(
      await db
        .insert(markers)
        .values([0, 1].map((at) => ({ projectId, name: `Marker ${tag} ${at}`, color: '#000000' })))
        .returning(),
    ),
    schedules: pair(
      await db
        .insert(schedules)
        .values([0, 1].map((at) => ({ projectId, name: `Schedule ${tag} ${at}` })))
        .returning(),
    ),
    'access-rules': pair(rules),
    devices: pair(doors),
    elevators: pair(
      await db
        .insert(elevators)
        .values(
          [1, 2].map((at) => ({ projectId, domainId: groups.town, name: `Elevator ${tag} ${at}`, floors: [{ number: at, name: 'x', group: null }] })),
        )
        .returning(),
    ),
    'sip-numbers': pair(await db.insert(sipNumbers).values([number(), number()]).returning()),
    identifiers: pair(
      await db
        .insert(identifiers)
        .values([0, 1].map((at) => ({ projectId, name: `Card ${at}`, type: 'card' as const, value: `${tag.toUpperCase()}${at}` })))
        .returning(),
    ),
    integrations: pair(
      await db
        .insert(integrations)
        .values([0, 1].map((at) => ({ projectId, name: `Hook ${tag} ${at}`, type: 'webhook' as const, url: `https://${tag}-${at}.example.org/` })))
        .returning(),
    ),
    'mail-templates': pair(
      await db
        .insert(mailTemplates)
        .values(
          (['registration', 'recovery'] as const).map((mailTypeId, at) => ({
            projectId,
            domainId: at === 0 ? groups.n1 : groups.s1,
            mailTypeId,
            locale: 'ru' as const,
            subject: `Letter ${tag} ${at}`,
            body: '{{link}}',
          })),
        )
        .returning(),
    ),
    'forward-rules': pair(
      await db
        .insert(forwardRules)
        .values([0, 1].map((at) => ({ projectId, name: `Rule ${tag} ${at}`, isImmediately: false, timeout: 20, redirectIfError: true })))
        .returning(),
    ),
  };
}

const opened = (sealed: string | null | undefined): string | null => (sealed ? unseal(server.services, sealed) : null);
/** What rows never show, as the database keeps it; each field stands in its area's model. */
const hidden: Partial<Record<AreaName, (id: string, shown: Json) => Promise<Json>>> = {
  users: async (id) => {
    const [row] = await server.services.db.select().from(users).where(eq(users.id, id));
    return { send_registration_link: row?.isInvited };
  },
  devices: async (id, shown) => {
    const [row] = await server.services.db.select().from(devices).where(eq(devices.id, id));
    const settings = shown['device_settings'] as { sip: Json };
    return {
      password: opened(row?.passwordCipher),
      device_password: opened(row?.devicePasswordCipher),
      device_settings: { ...settings, sip: { ...settings.sip, password: opened(row?.sipPasswordCipher) } },
    };
  },
  'sip-numbers': async (id) => {
    const [row] = await server.services.db.select().from(sipNumbers).where(eq(sipNumbers.id, id));
    return { password: opened(row?.passwordCipher) };
  },
  integrations: async (id) => {
    const [row] = await server.services.db.select().from(integrations).where(eq(integrations.id, id));
    return { secret: opened(row?.secretCipher), password: opened(row?.passwordCipher), certificate: opened(row?.certificateCipher) };
  },
  'sip-trunks': async (id) => {
    const [row] = await server.services.db.select().from(sipTrunks).where(eq(sipTrunks.id, id));
    return { password: opened(row?.passwordCipher) };
  },
};

/** A row as it was written. */
async function readBack(area: AreaName, id: string): Promise<Json> {
  const model = modelOf(area);
  const answer = await boss.client.get(`/${model.path}/${id}`);
  expect(answer.statusCode, answer.body).toBe(200);
  const shown = model.toWire(model.fromRow(dataOf<Json>(answer)));
  return { ...shown, ...(await hidden[area]?.(id, shown)) };
}

/** An alarm comes about by itself; the rest is made. */
async function make(area: AreaName, body: Json): Promise<string> {
  if (area === 'device-alarms') {
    const at = server.services.now();
    const place = { projectId: estate.here, domainId: estate.groups.town, deviceName: 'Door' };
    const processed = { state: 'processed', processedBy: boss.id, processedAt: at } as const;
    const [alarm] = await server.services.db
      .insert(deviceAlarms)
      .values({ ...place, ...processed, sensor: 'smoke', enabledAt: at, comment: String(body['comment']) })
      .returning();
    return alarm?.id ?? '';
  }
  const answer = await boss.client.put(`/${modelOf(area).path}`, body);
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
}

const written = areaNames.filter((area) => !modelOf(area).readOnly);

describe('every field', () => {
  it.each(written)('of %s: is kept when a row is made, and when it is changed', async (area) => {
    const model = modelOf(area);
    const samples = samplesOf(area, await freshRows());
    const fields = Object.keys(model.fields);
    expect(Object.keys(samples).toSorted()).toEqual(fields.toSorted());
    const body = Object.fromEntries(fields.map((field) => [field, samples[field]?.[0]]));
    const id = await make(area, body);
    expect(await readBack(area, id)).toEqual(body);
    const patched = (field: string) => boss.client.patch(`/${model.path}/${id}`, { ...samples[field]?.[2], [field]: samples[field]?.[1] });
    // Refused afterwards, not thrown away.
    for (const field of model.createOnly) expect((await patched(field)).statusCode, field).toBe(422);
    for (const field of fields.filter((one) => !model.createOnly.includes(one))) {
      const [first, second, along] = samples[field] ?? [];
      expect(second, field).not.toEqual(first);
      const answer = await patched(field);
      expect(answer.statusCode, `${field}: ${answer.body}`).toBe(200);
      expect(await readBack(area, id), field).toMatchObject({ ...along, [field]: second });
    }
  });
});
