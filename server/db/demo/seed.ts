import { and, eq, like, ne, or } from 'drizzle-orm';
import { demoPassword } from '#models/demo-accounts.ts';
import { defaultRoles } from '#models/default-roles.ts';
import { lengthOf, utc } from '#models/time.ts';
import type { Config } from '#server/config.ts';
import type { Services } from '#server/context.ts';
import { demoAddresses, demoPort } from '#server/devices/addresses.ts';
import { seal } from '#server/devices/secrets.ts';
import { groupsOf } from '#server/access/belonging.ts';
import { secondDemoUid } from '#server/access/operator.ts';
import { hashPassword } from '#server/modules/session/passwords.ts';
import type { Db } from '../database.ts';
import {
  auditEvents,
  availableRoles,
  devices,
  groups,
  groupTypes,
  instance,
  markers,
  mobileClients,
  projects,
  projectSettings,
  roles,
  userDomains,
  userMarkers,
  users,
} from '../schema/index.ts';
import { seedAccess } from './access.ts';
import { seedConversations } from './conversations.ts';
import { seedAnnounces } from './announces.ts';
import { demoId, dice } from './chance.ts';
import { demoHistory } from './history.ts';
import { seedLicences } from './licences.ts';
import { seedLicenceUse } from './licence-use.ts';
import { seedMobileKeys } from './mobile-keys.ts';
import { phoneModels } from './names.ts';
import { seedEmergencyAlerts } from './emergency-alerts.ts';
import { seedAmenities } from './amenities.ts';
import { seedAlarms } from './seed-alarms.ts';
import { seedElevators } from './elevators.ts';
import { seedDevices } from './seed-devices.ts';
import { seedTelephony } from './seed-telephony.ts';
import { demoAccount, demoPeople, type DemoPerson, residents } from './people.ts';
import { type DemoGroup, demoTree, harbourBuildings, riversideBuildings } from './tree.ts';

const seedMark = 'demo.seeded';
const demoMarkers = [
  ['VIP', '#9a6700'],
  ['Courier', '#2b5bd7'],
  ['Cleaning', '#12805c'],
  ['Board', '#7a3db8'],
  ['Fees overdue', '#c62f3c'],
] as const;
const groupTypeNames = [
  ['Complex', false],
  ['Building', true],
  ['Floor', true],
  ['Apartment', true],
] as const;

/** Rows go in by portions: one statement has a limit of parameters. */
async function insertAll<Row>(rows: readonly Row[], insert: (portion: Row[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += 500) await insert(rows.slice(at, at + 500));
}

/** The six default roles of a new project, with who may assign which. Answers their ids by key. */
export async function seedRoles(db: Db, projectId: string, idOf: (key: string) => string): Promise<Map<string, string>> {
  const ids = new Map(defaultRoles.map(({ key }) => [key as string, idOf(key)]));
  await db
    .insert(roles)
    .values(defaultRoles.map(({ key, name, permissions }) => ({ id: ids.get(key), projectId, name, permissions: [...permissions].toSorted() })));
  const available = defaultRoles.flatMap(({ key, available: names }) =>
    names.map((name) => ({ roleId: ids.get(key) ?? '', availableId: ids.get(name) ?? '' })),
  );
  await db.insert(availableRoles).values(available);
  return ids;
}

async function seedGroups(db: Db, projectId: string, tree: readonly DemoGroup[], at: Date): Promise<void> {
  await db
    .insert(groupTypes)
    .values(groupTypeNames.map(([name, hasLogicAddress]) => ({ id: demoId(`${projectId} type ${name}`), projectId, name, hasLogicAddress })));
  const createdAt = utc(at).subtract(91, 'day').toDate();
  const rows = tree.map(({ type, ...group }) => ({
    ...group,
    projectId,
    typeId: demoId(`${projectId} type ${type}`),
    createdAt,
    updatedAt: createdAt,
    guestLimits: { max_passes_count: type === 'Complex' ? 10 : null, max_period_days: type === 'Complex' ? 30 : null },
    whitelabel: { is_enabled: false, name: null, address: null, email: null, phone: null },
    appleWallet: {
      is_enabled: false,
      developer_name: null,
      foreground_color: '#ffffff',
      background_color: '#2b5bd7',
      label_color: '#ffffff',
      barcode_text: null,
      back_fields: null,
    },
    licence: {},
    timeZoneName: type === 'Complex' ? 'Europe/Berlin' : null,
  }));
  await insertAll(rows, (portion) => db.insert(groups).values(portion));
}

async function seedExtras(db: Db, projectId: string, people: readonly DemoPerson[], at: Date): Promise<void> {
  const { below, pick, chance } = dice(7);
  const rows = demoMarkers.map(([name, color]) => ({ id: demoId(`${projectId} marker ${name}`), projectId, name, color }));
  await db.insert(markers).values(rows);
  const worn = people.flatMap(({ user }) => (chance(0.16) ? [{ userId: user.id, markerId: pick(rows).id }] : []));
  await insertAll(worn, (portion) => db.insert(userMarkers).values(portion));
  const phones = people.flatMap(({ user }, index) => {
    if (!user.activatedAt || !chance(0.55)) return [];
    const [platform, info] = pick(phoneModels);
    return [
      {
        id: demoId(`phone ${user.id}`),
        userId: user.id,
        clientId: `app-${demoId(`client ${index}`).slice(0, 13)}`,
        platform,
        info,
        authTime: new Date(at.getTime() - below(88) * lengthOf(1, 'day')),
        vendorId: demoId(`vendor ${index}`).toUpperCase(),
        ukey2: chance(0.3) ? demoId(`ukey2 ${user.id}`).slice(0, 8).toUpperCase() : null,
      },
    ];
  });
  await insertAll(phones, (portion) => db.insert(mobileClients).values(portion));
  await seedMobileKeys(db, projectId, phones);
}

interface DemoProject {
  uid: string;
  name: 'Riverside' | 'Harbour';
  description: string;
  tree: DemoGroup[];
  logins: readonly string[];
  seed: number;
  /** The first project is the one whose people run the installation. */
  age: number;
}

/** Entries of the trail with the groups they concern. */
async function inTheirGroups(db: Db, entries: ReturnType<typeof demoHistory>): Promise<ReturnType<typeof demoHistory>> {
  const idsIn = (area: string): string[] => [...new Set(entries.flatMap((entry) => (entry.area === area ? (entry.entityId ?? []) : [])))];
  const placed = new Map([...(await groupsOf(db, 'users', idsIn('users'))), ...(await groupsOf(db, 'groups', idsIn('groups')))]);
  return entries.map((entry) => ({ ...entry, groups: placed.get(entry.entityId ?? '') ?? [] }));
}

async function seedProject(
  db: Db,
  plan: DemoProject,
  { passwordHash, at, sealed, port, config }: { passwordHash: string; at: Date; sealed: (text: string) => string; port: number; config: Config },
): Promise<void> {
  const project = { id: demoId(`project ${plan.uid}`), uid: plan.uid };
  await db
    .insert(projects)
    .values({ ...project, name: plan.name, description: plan.description, createdAt: utc(at).subtract(plan.age, 'day').toDate() });
  await seedLicences({ db, now: () => at }, project);
  await db.insert(projectSettings).values({ projectId: project.id, block: 'general', value: { visitor_pictures: true } });
  const roleIds = await seedRoles(db, project.id, (key) => demoId(`${plan.uid} role ${key}`));
  const roleOf = (key: string): string => roleIds.get(key) ?? '';
  await seedGroups(db, project.id, plan.tree, at);
  const placeOf = (place: string): string => (place === 'root' ? demoId(`${plan.name} root`) : demoId(`${plan.name} ${place}`));
  const staff = demoPeople
    .filter(({ login }) => plan.logins.includes(login))
    .map((account): DemoPerson => ({ user: demoAccount(project, account, roleOf(account.role), passwordHash, at), groupId: placeOf(account.group) }));
  const flats = plan.tree.filter(({ type }) => type === 'Apartment');
  const people = residents(project, flats, roleOf('resident'), passwordHash, at, plan.seed);
  const everybody = [...staff, ...people];
  const livesHere = ({ user }: DemoPerson): boolean => user.roleId === roleOf('resident');
  // Doors and floors are opened to who works here, and to who lives here.
  const homes = { staff: staff.filter((person) => !livesHere(person)), people: [...people, ...staff].filter(livesHere) };
  await insertAll(everybody, (portion) => db.insert(users).values(portion.map(({ user }) => user)));
  await insertAll(everybody, (portion) => db.insert(userDomains).values(portion.map(({ user, groupId }) => ({ userId: user.id, groupId }))));
  await seedExtras(db, project.id, people, at);
  const usersOf = (some: readonly DemoPerson[]): DemoPerson['user'][] => some.map(({ user }) => user);
  const history = demoHistory(project.id, usersOf(staff.slice(0, 3)), usersOf(people), plan.tree, at);
  await insertAll(await inTheirGroups(db, history), (portion) => db.insert(auditEvents).values(portion));
  const made = await seedDevices(db, { ...plan, id: project.id, staff, people, at, seal: sealed, port });
  await seedAccess(db, { ...plan, id: project.id, ...homes, devices: made, at });
  await seedAmenities(db, { ...plan, id: project.id, staff, people, devices: made, at });
  await seedAnnounces(db, { ...plan, id: project.id, staff, people, at });
  await seedEmergencyAlerts(db, { ...plan, id: project.id, staff, people, at });
  await seedElevators(db, { ...plan, id: project.id, ...homes, devices: made, at });
  await seedTelephony(db, { ...plan, id: project.id, staff, people, devices: made, at, seal: sealed }, plan.seed);
  await seedConversations(db, project.id, staff, at);
  await seedLicenceUse({ db, config }, { id: project.id, tree: plan.tree, at });
  await seedAlarms(db, { id: project.id, tree: plan.tree, staff, devices: made, at, seed: plan.seed });
}

/** Devices that live on this machine go along when the server takes another port. */
async function moveDevices(db: Db, port: number): Promise<void> {
  const here = or(...demoAddresses.map((pattern) => like(devices.ipAddress, pattern)));
  await db
    .update(devices)
    .set({ port })
    .where(and(here, eq(devices.protocol, 'http'), ne(devices.port, port)));
}

/** Fills an empty database with the demo world, once: everything or, when it is cut short, nothing. */
export async function seedDemo({ db, now, config }: Pick<Services, 'db' | 'now' | 'config'>): Promise<void> {
  const [done] = await db.select().from(instance).where(eq(instance.key, seedMark));
  if (done) return moveDevices(db, demoPort(config));
  const passwordHash = await hashPassword(demoPassword);
  const at = now();
  const deps = { passwordHash, at, sealed: (text: string) => seal({ config }, text), port: demoPort(config), config };
  await db.transaction(async (transaction) => {
    await transaction.insert(instance).values({ key: seedMark, value: at.toISOString() });
    await seedProject(
      transaction,
      {
        uid: 'riverside',
        name: 'Riverside',
        description: 'Two towers, parking and a clubhouse on the river',
        tree: demoTree('Riverside', 'Two towers by the river', riversideBuildings),
        logins: demoPeople.map(({ login }) => login),
        seed: 1,
        age: 120,
      },
      deps,
    );
    await seedProject(
      transaction,
      {
        uid: secondDemoUid,
        name: 'Harbour',
        description: 'Offices and workshops on two piers',
        tree: demoTree('Harbour', 'The old harbour', harbourBuildings),
        logins: ['dealer'],
        seed: 2,
        age: 100,
      },
      deps,
    );
  });
}
