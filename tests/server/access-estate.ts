import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { defaultDeviceSettings } from '#models/device-settings.ts';
import { allLicensed } from '#models/licence-info.ts';
import type { Db } from '#server/db/database.ts';
import {
  accessRuleDevices,
  accessRuleGroups,
  accessRuleIdentifiers,
  accessRules,
  accessRuleSchedules,
  accessRuleUsers,
  devices,
  elevatorAccessRules,
  elevatorControllers,
  elevatorRuleFloors,
  elevatorRuleUsers,
  elevators,
  groupHolidays,
  groups,
  identifiers,
  schedules,
  users,
} from '#server/db/schema/index.ts';
import { buildEstate, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import type { TestServer } from './support.ts';

/** A Wednesday, noon in Berlin. */
export const noon = new Date('2026-06-17T10:00:00.500Z');
export const minutesAgo = (minutes: number): Date => new Date(noon.getTime() - minutes * 60_000);

/** Doors with clocks, holidays and areas of their own, with rules, schedules and cards, by the names that tests give them. */
export interface AccessEstate {
  db: Db;
  estate: Estate;
  /** Of n1 and s1. */
  anna: Person;
  /** Of n2. */
  bob: Person;
  /** Of s1. */
  cleo: Person;
  device: Record<'lobby' | 'garage' | 'lift' | 'yard', string>;
  rule: Record<'open' | 'closed' | 'other' | 'floors', string>;
  schedule: Record<'late' | 'early', string>;
  card: Record<'anna' | 'guest' | 'bob' | 'nobody' | 'plate', string>;
}

/** The id of what was stored. */
export const one = ([row]: readonly { id: string }[]): string => {
  if (!row) throw new Error('nothing was stored');
  return row.id;
};
type Passback = NonNullable<(typeof defaultDeviceSettings)['additional']['anti_passback']>;
async function deviceIn(world: AccessEstate, domainId: string, name: string, passback?: Partial<Passback>): Promise<string> {
  const { sip: _sip, ...settings } = defaultDeviceSettings;
  const additional = { ...settings.additional, ...(passback && { anti_passback: { way: 'off', area: null, forgiven_after: null, ...passback } }) };
  const row = deviceRow({ projectId: world.estate.here, domainId, name });
  return one(
    await world.db
      .insert(devices)
      .values({ ...row, settings: { ...row.settings, additional } as typeof row.settings })
      .returning(),
  );
}
async function ruleFor(world: AccessEstate, name: string, to: { devices: string[]; prohibition?: boolean }): Promise<string> {
  const ruleId = one(
    await world.db
      .insert(accessRules)
      .values({ projectId: world.estate.here, name, prohibition: to.prohibition ?? false })
      .returning(),
  );
  await world.db.insert(accessRuleDevices).values(to.devices.map((deviceId) => ({ ruleId, deviceId })));
  return ruleId;
}
const identifierOf = async (world: AccessEstate, over: Partial<typeof identifiers.$inferInsert>): Promise<string> =>
  one(
    await world.db
      .insert(identifiers)
      .values({ projectId: world.estate.here, name: 'Card', type: 'card', value: randomUUID(), ...over })
      .returning(),
  );
async function placeDoors(world: AccessEstate): Promise<void> {
  const { n1, s1 } = world.estate.groups;
  world.device.lobby = await deviceIn(world, n1, 'Lobby', { way: 'in', area: ' Hall ', forgiven_after: 90 });
  world.device.yard = await deviceIn(world, n1, 'Yard', { way: 'out', area: 'hall' });
  world.device.garage = await deviceIn(world, s1, 'Garage', { way: 'in', area: ' ' });
  world.device.lift = await deviceIn(world, s1, 'Lift');
  const elevatorId = one(await world.db.insert(elevators).values({ projectId: world.estate.here, domainId: s1, name: 'Lift' }).returning());
  await world.db.insert(elevatorControllers).values({ deviceId: world.device.lift, elevatorId, mode: 'access' });
  world.rule.floors = one(await world.db.insert(elevatorAccessRules).values({ projectId: world.estate.here, name: 'Floors' }).returning());
  await world.db.insert(elevatorRuleFloors).values({ ruleId: world.rule.floors, elevatorId, floors: [1, 3] });
  await world.db.insert(elevatorRuleUsers).values({ ruleId: world.rule.floors, userId: world.bob.id });
}
async function makeRules(world: AccessEstate): Promise<void> {
  const { here: projectId, groups: placed } = world.estate;
  const late = { fromSeconds: 64_800, toSeconds: 79_200, validFrom: '2026-01-02', validTo: '2026-12-30', mon: false, sat: true } as const;
  const times = { ...late, isAllDay: true, repeatMode: 'weekly', holidayMode: 'own_hours', holidayFrom: 60, holidayTo: 120 } as const;
  world.schedule.late = one(
    await world.db
      .insert(schedules)
      .values({ projectId, name: 'late', ...times })
      .returning(),
  );
  world.schedule.early = one(await world.db.insert(schedules).values({ projectId, name: 'Early', fromSeconds: 1, toSeconds: 2 }).returning());
  world.rule.open = await ruleFor(world, 'b: open', { devices: [world.device.lobby, world.device.garage] });
  world.rule.closed = await ruleFor(world, 'A: closed', { devices: [world.device.lobby], prohibition: true });
  world.rule.other = await ruleFor(world, 'Other', { devices: [world.device.yard] });
  await world.db
    .insert(accessRuleSchedules)
    .values([world.schedule.late, world.schedule.early].map((scheduleId) => ({ ruleId: world.rule.open, scheduleId })));
  await world.db.insert(accessRuleGroups).values({ ruleId: world.rule.open, groupId: placed.north });
  await world.db.insert(accessRuleIdentifiers).values({ ruleId: world.rule.open, identifierId: world.card.nobody });
  await world.db.insert(accessRuleUsers).values([
    { ruleId: world.rule.closed, userId: world.anna.id },
    { ruleId: world.rule.closed, userId: world.cleo.id },
    { ruleId: world.rule.other, userId: world.cleo.id },
  ]);
}
async function makeCards(world: AccessEstate): Promise<void> {
  world.card.anna = await identifierOf(world, { userId: world.anna.id, value: 'AA', lockNumbers: [2], isActive: false });
  const period = { periodRestrictActive: true, periodRestrictFrom: minutesAgo(60), periodRestrictTo: null };
  world.card.guest = await identifierOf(world, {
    ...period,
    userId: world.anna.id,
    ownerType: 'guest',
    guestType: 'guest',
    value: 'BB',
    passesRestrictActive: true,
    passesMaxCount: 3,
    passesCount: 1,
    lostAt: noon,
  });
  world.card.bob = await identifierOf(world, { userId: world.bob.id, value: 'CC', revokedAt: noon, periodRestrictFrom: noon, passesMaxCount: 3 });
  world.card.nobody = await identifierOf(world, { value: 'DD' });
  world.card.plate = await identifierOf(world, { userId: world.cleo.id, type: 'license_plate', value: 'B1' });
}

/** Fills an empty database with it. */
export async function buildAccessEstate(server: TestServer): Promise<AccessEstate> {
  const estate = await buildEstate(server.services);
  const { db } = server.services;
  const { town, north, south, n1, n2, s1 } = estate.groups;
  const world: AccessEstate = {
    db,
    estate,
    anna: await makePerson(server, estate, { in: [n1, s1] }),
    bob: await makePerson(server, estate, { in: [n2] }),
    cleo: await makePerson(server, estate, { in: [s1] }),
    device: { lobby: '', garage: '', lift: '', yard: '' },
    rule: { open: '', closed: '', other: '', floors: '' },
    schedule: { late: '', early: '' },
    card: { anna: '', guest: '', bob: '', nobody: '', plate: '' },
  };
  await db
    .update(users)
    .set({ elevatorAccessDisabled: true, licenseInfo: { ...allLicensed, ukey2: { ...allLicensed.ukey2, is_enabled: false } } })
    .where(eq(users.id, world.anna.id));
  await db.update(groups).set({ timeZoneName: 'Europe/Berlin' }).where(eq(groups.id, town));
  await db.update(groups).set({ timeZoneName: 'Asia/Kolkata' }).where(eq(groups.id, north));
  await db.insert(groupHolidays).values([
    { groupId: town, date: '2026-12-25', name: 'Of the town' },
    { groupId: south, date: '2026-06-19', name: 'Later' },
    { groupId: south, date: '2026-06-18', name: 'Sooner' },
  ]);
  await makeCards(world);
  await placeDoors(world);
  await makeRules(world);
  return world;
}
