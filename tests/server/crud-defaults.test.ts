import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AreaName, areaNames } from '#models/areas.ts';
import { modelOf } from '#models/index.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { scopesOf } from '#models/permissions.ts';
import { accessRuleDevices, accessRules, amenities, amenityGroups, devices, elevators } from '#server/db/schema/index.ts';
import { buildEstate, dataOf, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

type Json = Record<string, unknown>;
let server: TestServer;
let estate: Estate;
let boss: Person;
let door: string;
let lobby: string;
let lift: string;
let elevator: string;
let room: string;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town] });
  const [device] = await server.services.db
    .insert(devices)
    .values(deviceRow({ projectId: estate.here, domainId: estate.groups.town }))
    .returning();
  door = device?.id ?? '';
  const [controller] = await server.services.db
    .insert(devices)
    .values({ ...deviceRow({ projectId: estate.here, domainId: estate.groups.town }), type: 'lift_controller', model: 'LC-16' })
    .returning();
  lift = controller?.id ?? '';
  const [shaft] = await server.services.db
    .insert(elevators)
    .values({ projectId: estate.here, domainId: estate.groups.town, name: 'Shaft', floors: [{ number: 1, name: '1', group: null }] })
    .returning();
  elevator = shaft?.id ?? '';
  const everyDay = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: true, sun: true };
  const [club] = await server.services.db
    .insert(amenities)
    .values({ projectId: estate.here, name: 'Club', timeSlots: { duration: 3_600, items: [{ days: everyDay, from: 0, to: 86_400 }] } })
    .returning();
  room = club?.id ?? '';
  await server.services.db.insert(amenityGroups).values({ amenityId: room, groupId: estate.groups.town });
  const [rule] = await server.services.db.insert(accessRules).values({ projectId: estate.here, name: 'Lobby' }).returning();
  lobby = rule?.id ?? '';
  await server.services.db.insert(accessRuleDevices).values({ ruleId: lobby, deviceId: door });
});
afterAll(() => server.close());

/** What nobody can guess of a row, by area: all of it, and nothing else. */
const required = (): Partial<Record<AreaName, Json>> => ({
  users: { login: 'newcomer', name: 'Newcomer', role: boss.roleId, domains: [estate.groups.town] },
  roles: { name: 'Guard' },
  groups: { name: 'House' },
  'group-types': { name: 'Terrace' },
  markers: { name: 'Loud' },
  devices: { name: 'Side door', model: 'DP-200 Keypad', login: 'DP-77', domain: estate.groups.town, ip_address: '10.1.2.3' },
  'sip-numbers': { number: '7700', name: 'Gate' },
  'forward-rules': { name: 'Night' },
  elevators: {
    name: 'Glass elevator',
    domain_id: estate.groups.town,
    controllers: [{ device: lift, mode: 'access' }],
    floors: [{ number: 1, name: '1', group: null }],
  },
  'emergency-alerts': { name: 'Fire', message: 'Leave the house', domains: [estate.groups.town] },
  'amenity-reservations': { amenity: room, user: boss.id, date: '2031-05-05', timeSlots: { from: 0, to: 3_600 } },
  amenities: { name: 'Sauna', domains: [estate.groups.town], accessRules: [lobby] },
  'elevator-access-rules': { name: 'To the first', users: [boss.id], elevators: [{ elevator, floors: [1] }] },
  integrations: { name: 'Events', url: 'https://hooks.example.org/', secret: 'Signing-secret-0' },
  'mail-templates': { subject: 'Welcome', body: '{{link}}' },
  announces: { title: 'Water', body: '<p>Off</p>', users: [boss.id] },
  schedules: { name: 'Nights' },
  'access-rules': { name: 'Front doors', devices: [door] },
  'guest-identifiers': {
    name: 'Visitor',
    type: 'card',
    value: '00AB12CE',
    domain: estate.groups.town,
    selectedAccessRules: [lobby],
    validatePeriod: { from: '2026-03-02T10:00:00.000Z', to: '2026-03-02T11:00:00.000Z' },
  },
  identifiers: { name: 'Spare card', value: '00AB12CD' },
  ukey2: { name: 'Key of the boss', owner: boss.id },
  'sip-trunks': { name: 'Provider', termination_uri: 'sip.example.org', groups: [estate.groups.town] },
});
/** Alarms come about by themselves: the catalogue lets nobody make one. */
const made = areaNames.filter((area) => !modelOf(area).readOnly && scopesOf({ permissions: permissionCodes }, 'create', area).length > 0);

/** A value without what a row shows besides: names of what it refers to, derived fields. */
const asWritten = (area: AreaName, row: Json): Json => modelOf(area).toWire(modelOf(area).fromRow(row));

describe('a row made of what it must have', () => {
  it('is known for every area that people write', () => expect(Object.keys(required()).toSorted()).toEqual(made.toSorted()));

  it.each(made)('%s: takes for the rest what a new record has, as the document says', async (area) => {
    const body = required()[area] ?? {};
    const model = modelOf(area);
    const answer = await boss.client.put(`/${model.path}`, body);
    expect(answer.statusCode, answer.body).toBe(200);
    const row = asWritten(area, dataOf<Json>(await boss.client.get(`/${model.path}/${dataOf<string>(answer)}`)));
    const wanted = { ...model.toWire(model.initial), ...body };
    const compared = Object.keys(model.fields).filter(
      (field) => field in row && !model.secrets.includes(field) && !(model.fields[field] as { isOptional?: () => boolean }).isOptional?.(),
    );
    expect(Object.fromEntries(compared.map((field) => [field, row[field]]))).toEqual(
      Object.fromEntries(compared.map((field) => [field, wanted[field]])),
    );
    const document = (await server.app.inject('/api/v0/openapi.json')).json() as {
      paths: Record<string, Record<string, { requestBody: { content: Record<string, { schema: { required?: string[] } }> } }>>;
    };
    const asked = document.paths[`/${model.path}`]?.['put']?.requestBody.content['application/json']?.schema.required ?? [];
    expect(Object.keys(body)).toEqual(expect.arrayContaining(asked));
    for (const field of asked) {
      const { [field]: _left, ...rest } = body;
      expect((await boss.client.put(`/${model.path}`, rest)).statusCode, field).toBe(422);
    }
  });

  it('may hold blocks of which only a part is said', async () => {
    const answer = await boss.client.put('/users', { ...required().users, login: 'second', profile: { phone: '+12025550123' } });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(dataOf<Json>(await boss.client.get(`/users/${dataOf<string>(answer)}`))).toMatchObject({
      profile: { phone: '+12025550123', address: null },
    });
    const misspelt = await boss.client.put('/users', { ...required().users, login: 'third', profile: { fone: '+12025550123' } });
    expect(misspelt.statusCode).toBe(422);
  });
});
