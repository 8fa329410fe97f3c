import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AreaName, areaNames } from '#models/areas.ts';
import { modelOf } from '#models/index.ts';
import { may } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import { resources as areas } from '#src/resources/index.ts';
import type { AnyResource, AnyRow } from '#src/views/area/resource.ts';
import { actorOf } from '#src/views/profile-of.ts';
import { menu } from '#src/views/shell/menu.ts';
import { dataOf } from './estate.ts';
import { type Client, openTestServer, type TestServer } from './support.ts';

/** What a button of a row does: its request; null for one that only leads somewhere or asks what everybody may. */
type Press = readonly [method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object | undefined] | null;
const post = (path: string, body?: object): Press => ['POST', path, body];
const presses: Record<string, Press> = {
  'access-control-events.add_card': null,
  'amenities.calendar': null,
  'amenity-reservations.cancel': post('/amenity-reservations/{id}/cancel', {}),
  'announces.start': post('/announces/{id}/start'),
  'announces.stop': post('/announces/{id}/stop'),
  'announces.responses': null,
  'device-alarms.process': post('/device-alarms/{id}/process', { comment: '' }),
  'device-tasks.stop': post('/device-tasks/{id}/stop'),
  'device-tasks.retry': post('/device-tasks/{id}/retry'),
  'devices.apply_settings': post('/devices/{id}/apply-settings'),
  'devices.synchronise': post('/devices/{id}/synchronise'),
  'devices.retry_queue': post('/devices/{id}/retry'),
  'devices.restart': post('/devices/{id}/restart'),
  'devices.remote': null,
  'devices.remote_refused': null,
  'devices.call_elevator': null,
  'devices.set_protocol': post('/devices/{id}/protocol', { protocol: 'mqtt' }),
  'devices.init': post('/devices/{id}/init', { erase: false }),
  'devices.reinit': post('/devices/{id}/reinit'),
  'devices.raw': ['PATCH', '/devices/{id}', { name: 'Raw' }],
  'elevators.call': null,
  'emergency-alerts.start': post('/emergency-alerts/{id}/start', { is_drill: false }),
  'emergency-alerts.drill': post('/emergency-alerts/{id}/start', { is_drill: true }),
  'emergency-alerts.stop': post('/emergency-alerts/{id}/stop'),
  'groups.add_below': ['PUT', '/groups', {}],
  'groups.generate': post('/groups/{id}/generated', {}),
  'guest-identifiers.code': null,
  'guest-identifiers.wallet': null,
  'guest-identifiers.revoke': post('/identifiers/guests/{id}/revoke'),
  'identifiers.explain': null,
  'identifiers.code': null,
  'identifiers.wallet': null,
  'identifiers.transfer': post('/identifiers/{id}/transfer', { user: randomUUID() }),
  'identifiers.lost': post('/identifiers/{id}/lost'),
  'identifiers.found': post('/identifiers/{id}/found'),
  'identifiers.revoke': post('/identifiers/{id}/revoke'),
  'identifiers.restore': post('/identifiers/{id}/restore'),
  'roles.view_as': null,
  'roles.compare': null,
  'sip-numbers.activate': post('/sip-numbers/{id}/activation', { is_active: true }),
  'sip-numbers.deactivate': post('/sip-numbers/{id}/activation', { is_active: false }),
  'ukey2.code': post('/identifiers/ukey2/{id}/code'),
  'ukey2.revoke': post('/identifiers/ukey2/{id}/revoke'),
  'users.explain': null,
  'users.registration_link': post('/users/{id}/registration-link'),
  'users.change_password': post('/users/{id}/password', { new_password: 'Another-Pass-2026' }),
  'users.reset_second_factor': post('/users/{id}/second-factor/reset'),
};

interface Viewer {
  login: string;
  client: Client;
  profile: Profile;
}
let server: TestServer;
let boss: Viewer;
const others: Viewer[] = [];
const resources = new Map<AreaName, AnyResource>();
const rows = new Map<AreaName, AnyRow[]>();

beforeAll(async () => {
  server = await openTestServer({ demo: true });
  const viewer = async (login: string): Promise<Viewer> => {
    const client = await server.signIn(login);
    return { login, client, profile: dataOf<Profile>(await client.get('/profile')) };
  };
  boss = await viewer('admin');
  for (const login of ['resident', 'concierge', 'manager']) others.push(await viewer(login));
  for (const { area, load } of areas) {
    const { default: resource } = await load();
    resources.set(area, resource);
    rows.set(area, dataOf<AnyRow[]>(await boss.client.get(`/${resource.model.path}?size=10`)));
  }
});
afterAll(() => server.close());

/** A request that must not do anything: who sends it is not shown its button. */
async function refused(viewer: Viewer, button: string, [method, path, body]: NonNullable<Press>): Promise<string | null> {
  const answer = await viewer.client.send(method, path, body);
  return [403, 404].includes(answer.statusCode) ? null : `${viewer.login} ${button}: ${answer.statusCode} ${answer.body.slice(0, 120)}`;
}
const rowsOf = (area: AreaName): AnyRow[] => rows.get(area) ?? [];

it('every button of a row is known with the request it makes', () => {
  const shown = [...resources].flatMap(([area, { actions }]) => actions.map(({ key }) => `${area}.${key}`));
  expect(shown.toSorted()).toEqual(Object.keys(presses).toSorted());
});

describe('a button that is hidden from somebody is refused by the server (P7)', () => {
  let tried = 0;

  it.each(areaNames)('%s: add, edit, delete and what its rows offer', async (area) => {
    const resource = resources.get(area);
    if (!resource) return;
    const { model, actions, subject } = resource;
    const path = `/${model.path}`;
    const through: (string | null)[] = [];
    const press = async (...given: Parameters<typeof refused>): Promise<void> => {
      tried += 1;
      through.push(await refused(...given));
    };
    for (const viewer of others) {
      const actor = actorOf(viewer.profile);
      if (!model.readOnly && !may(actor, 'create', area)) await press(viewer, `${area}: add`, ['PUT', path, {}]);
      for (const row of rowsOf(area)) {
        const own = `${path}/${row.id}`;
        if (!model.readOnly && !may(actor, 'edit', area, subject(row))) await press(viewer, `${area}: edit`, ['PATCH', own, {}]);
        if (!model.readOnly && !may(actor, 'delete', area, subject(row))) await press(viewer, `${area}: delete`, ['DELETE', own]);
        for (const { key, show = () => true } of actions) {
          const request = presses[`${area}.${key}`];
          // Hidden by the row's own state, it is hidden from the administrator too.
          if (!request || show(row, viewer.profile) || !show(row, boss.profile)) continue;
          await press(viewer, `${area}: ${key}`, [request[0], request[1].replace('{id}', row.id), request[2]]);
        }
      }
    }
    expect(through.filter((one) => one !== null)).toEqual([]);
    // Nothing of what was refused has happened; logs grow by the refusals.
    const versionsOf = (some: readonly AnyRow[]) => some.map(({ id, version }) => `${id} ${String(version)}`);
    const now = model.readOnly ? rowsOf(area) : dataOf<AnyRow[]>(await boss.client.get(`${path}?size=10`));
    expect(versionsOf(now)).toEqual(versionsOf(rowsOf(area)));
  });

  it('entries of the menu that need a permission: their lists are refused', async () => {
    const through: string[] = [];
    for (const viewer of others)
      for (const { key, permissions } of menu.flatMap(({ items }) => items)) {
        const entry = areas.find((one) => one.menu === key);
        if (!permissions || !entry || may(actorOf(viewer.profile), 'view', entry.area)) continue;
        tried += 1;
        const answer = await viewer.client.get(`/${modelOf(entry.area).path}`);
        if (answer.statusCode !== 403) through.push(`${viewer.login} ${key}: ${answer.statusCode}`);
      }
    expect(through).toEqual([]);
  });

  it('enough of them were tried', () => expect(tried).toBeGreaterThanOrEqual(50));
});
