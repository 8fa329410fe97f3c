import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultDeviceSettings } from '#models/device-settings.ts';
import { isOver, type Job } from '#models/job.ts';
import { allLicensed } from '#models/licence-info.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import type { Services } from '#server/context.ts';
import { availableRoles, type devices, groups, groupTypes, markers, projects, roles, sessions, userDomains, users } from '#server/db/schema/index.ts';
import { beginSession } from '#server/modules/session/tokens.ts';
import type { Client, TestServer } from './support.ts';

/** Two projects: `here` with a small tree, `there` with one house, and people made as a test needs them. */
export interface Estate {
  here: string;
  there: string;
  /** Group ids by name: town > (north > (n1, n2), south > (s1)); `abroad` is the house of the other project. */
  groups: Record<'town' | 'north' | 'n1' | 'n2' | 'south' | 's1' | 'abroad', string>;
  types: Record<'house' | 'flat', string>;
  foreignType: string;
  foreignMarker: string;
}

/** Somebody a test has made, and their client. */
export interface Person {
  id: string;
  roleId: string;
  client: Client;
}

const blocks = { guestLimits: {} as never, whitelabel: {}, appleWallet: {}, licence: {} };

/** Fills an empty database with the two projects. */
export async function buildEstate({ db }: Services): Promise<Estate> {
  const [here, there] = [randomUUID(), randomUUID()];
  await db.insert(projects).values([
    { id: here, uid: 'here', name: 'Here' },
    { id: there, uid: 'there', name: 'There' },
  ]);
  const types = { house: randomUUID(), flat: randomUUID() };
  const foreignType = randomUUID();
  await db.insert(groupTypes).values([
    { id: types.house, projectId: here, name: 'House', hasLogicAddress: true },
    { id: types.flat, projectId: here, name: 'Flat', hasLogicAddress: true },
    { id: foreignType, projectId: there, name: 'House', hasLogicAddress: true },
  ]);
  const ids: Record<string, string> = {};
  const tree: [name: string, parent: string | null, project: string][] = [
    ['town', null, here],
    ['north', 'town', here],
    ['n1', 'north', here],
    ['n2', 'north', here],
    ['south', 'town', here],
    ['s1', 'south', here],
    ['abroad', null, there],
  ];
  const paths: Record<string, string[]> = {};
  for (const [name, parent, projectId] of tree) {
    const id = randomUUID();
    ids[name] = id;
    paths[name] = [...(parent ? (paths[parent] ?? []) : []), id];
    await db
      .insert(groups)
      .values({ ...blocks, id, projectId, name, parentId: parent ? (ids[parent] ?? null) : null, path: paths[name], typeId: null });
  }
  const foreignMarker = randomUUID();
  await db.insert(markers).values({ id: foreignMarker, projectId: there, name: 'Far', color: '#000000' });
  return { here, there, groups: ids as Estate['groups'], types, foreignType, foreignMarker };
}

interface Wanted {
  name?: string;
  login?: string;
  permissions?: readonly PermissionCode[];
  roleId?: string;
  in: readonly string[];
  available?: readonly string[];
  project?: string;
  email?: string | null;
}
let made = 0;

/** Makes a role straight in the database. */
export async function makeRole(
  { db }: Services,
  projectId: string,
  permissions: readonly PermissionCode[],
  createdBy: string | null = null,
): Promise<string> {
  made += 1;
  const [role] = await db
    .insert(roles)
    .values({ projectId, name: `role ${made}`, permissions: [...permissions], createdBy })
    .returning({ id: roles.id });
  if (!role) throw new Error('no role');
  return role.id;
}

/** Makes a person straight in the database and signs them in without a password. */
export async function makePerson(server: TestServer, estate: Estate, wanted: Wanted): Promise<Person> {
  const { services } = server;
  const { db } = services;
  made += 1;
  // Several may be made at once.
  const number = made;
  const projectId = wanted.project ?? estate.here;
  const roleId = wanted.roleId ?? (await makeRole(services, projectId, wanted.permissions ?? []));
  if (wanted.available?.length) await db.insert(availableRoles).values(wanted.available.map((availableId) => ({ roleId, availableId })));
  const login = wanted.login ?? `person${number}`;
  const [user] = await db
    .insert(users)
    .values({
      projectId,
      roleId,
      login,
      name: wanted.name ?? `Person ${number}`,
      email: wanted.email === undefined ? `${login}@example.org` : wanted.email,
      licenseInfo: allLicensed,
      activatedAt: 1,
    })
    .returning({ id: users.id });
  if (!user) throw new Error('no user');
  if (wanted.in.length > 0) await db.insert(userDomains).values(wanted.in.map((groupId) => ({ userId: user.id, groupId })));
  return { id: user.id, roleId, client: await clientOf(server, user.id) };
}

/** A client signed in as a user. */
export async function clientOf(server: TestServer, userId: string): Promise<Client> {
  const { token } = await beginSession(server.services.db, userId, { ip: '127.0.0.1', userAgent: 'test' }, server.services.now());
  return server.as(token);
}

/** Are there sessions of this user? */
export const isSignedIn = async ({ db }: Services, userId: string): Promise<boolean> =>
  (await db.select({ userId: sessions.userId }).from(sessions)).some((session) => session.userId === userId);

/** The whole body of a user as the form sends it. */
export const userBody = (over: Record<string, unknown>): Record<string, unknown> => ({
  login: 'somebody',
  name: 'Somebody',
  description: null,
  email: null,
  role: null,
  domains: [],
  profile: { phone: null, address: null },
  markers: [],
  access_rules: [],
  identifiers: [],
  sip_numbers: [],
  license_info: allLicensed,
  elevator_access_disabled: false,
  ...over,
});

/** The whole body of a group as the form sends it. */
export const groupBody = (over: Record<string, unknown>): Record<string, unknown> => ({
  name: 'A group',
  description: null,
  parent_id: null,
  domain_type_id: null,
  logic_address: null,
  users: [],
  access_rules: [],
  devices: [],
  elevators: [],
  integrations: [],
  mail_templates: [],
  forward_rules: [],
  sip_number: null,
  guest_identifier_limits: { max_passes_count: null, max_period_days: null },
  device_status_notify: [],
  whitelabel: { is_enabled: false, name: null, address: null, email: null, phone: null },
  apple_wallet: {
    is_enabled: false,
    developer_name: null,
    foreground_color: '#ffffff',
    background_color: '#2b5bd7',
    label_color: '#ffffff',
    barcode_text: null,
    back_fields: null,
  },
  ...over,
});

/** The whole body of a virtual number as the form sends it. */
export const numberBody = (over: Record<string, unknown>): Record<string, unknown> => ({
  number: '5000',
  name: 'A number',
  password: null,
  is_active: true,
  is_reserved: false,
  is_system: false,
  user: null,
  device: null,
  domain: null,
  forward_mode: 'disabled',
  picked_numbers: [],
  forward_numbers: [],
  ...over,
});

/** A device as it lies in the database. */
export const deviceRow = (over: Partial<typeof devices.$inferInsert> & { projectId: string; domainId: string }): typeof devices.$inferInsert => {
  const { password: _none, ...sip } = defaultDeviceSettings.sip;
  return {
    name: 'A panel',
    type: 'panel',
    model: 'DP-140',
    login: `T${randomUUID().slice(0, 12)}`,
    protocol: 'mqtt',
    passwordCipher: 'sealed',
    management: { heartbeat: true, realtime_logging: false },
    settings: { ...defaultDeviceSettings, sip },
    token: randomUUID() + randomUUID(),
    ...over,
  };
};

/** The whole body of a device as the form sends it. */
export const deviceBody = (over: Record<string, unknown>): Record<string, unknown> => ({
  name: 'A panel',
  description: null,
  type: 'panel',
  model: 'DP-140',
  login: `T${randomUUID().slice(0, 12)}`,
  domain: null,
  access_rules: [],
  protocol: 'mqtt',
  ip_address: null,
  port: 80,
  password: 'Secret-Of-A-Panel',
  device_login: null,
  device_password: null,
  location: { latitude: null, longitude: null },
  get_logs: false,
  management: { heartbeat: true, realtime_logging: false },
  device_settings: defaultDeviceSettings,
  ...over,
});

/** What an answer carries. */
export const dataOf = <T = Record<string, unknown>>(answer: { json: () => unknown }): T => (answer.json() as { data: T }).data;
/** The code of a refusal, or the status where there is none. */
export const codeOf = (answer: { json: () => unknown; statusCode: number }): string | number =>
  (answer.json() as { error?: { code: string } }).error?.code ?? answer.statusCode;

/** Asks after long work until it is over. */
export async function jobIsOver(client: Client, job: Job): Promise<Job> {
  for (let at = job; ; at = dataOf<Job>(await client.get(`/jobs/${job.id}`))) {
    if (isOver(at)) return at;
    await pause(20);
  }
}
