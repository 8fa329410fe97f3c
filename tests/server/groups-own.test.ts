import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groups as model } from '#models/groups.ts';
import { permissionCodes, type PermissionCode } from '#models/permission-catalogue.ts';
import { principalOf } from '#server/access/principal.ts';
import { forwardRules, mailTemplates } from '#server/db/schema/index.ts';
import { requireParts } from '#server/modules/groups/rules.ts';
import { buildEstate, codeOf, dataOf, type Estate, groupBody, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

/** What of one's own group each permission opens, as the role editor says it; of what stands nowhere here, nothing is open to its people. */
const opened: Partial<Record<PermissionCode, readonly string[]>> = {
  can_manage_own_group_general: ['name', 'description', 'domain_type_id', 'logic_address'],
  can_manage_own_group_users: ['users'],
  can_manage_own_group_access_rules: ['access_rules', 'time_zone_name', 'holidays'],
  can_manage_own_group_devices: ['devices', 'elevators'],
  can_manage_own_group_forward_settings: ['forward_rules', 'sip_number', 'forward_settings'],
  can_manage_own_group_guest_access: ['guest_identifier_limits'],
  can_manage_own_group_notifications: ['device_status_notify'],
  can_manage_own_group_white_label: ['whitelabel', 'apple_wallet'],
  can_manage_own_group_mail_templates: ['mail_templates'],
  can_manage_own_group_integrations: ['integrations'],
  // Of trunks, which are rows of their own.
  can_manage_own_group_sip_trunks: [],
};

let server: TestServer;
let estate: Estate;
let boss: Person;
const home = async (name: string): Promise<string> =>
  dataOf<string>(await boss.client.put('/groups', groupBody({ name, parent_id: estate.groups.town })));
const keeperOf = (code: PermissionCode, ...ids: string[]): Promise<Person> =>
  // Of another group too, so that they may take everybody out of this one.
  makePerson(server, estate, { permissions: [code, 'can_view_forward_rules'], in: [...ids, estate.groups.town] });

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town] });
});
afterAll(() => server.close());

describe('of one’s own group', () => {
  it.each(Object.entries(opened) as [PermissionCode, readonly string[]][])('%s opens %j, every other field stays closed', async (code, fields) => {
    const own = await home(`Home ${code.slice(-20)}`);
    const keeper = await principalOf(server.services, (await keeperOf(code, own)).id, { ip: '', userAgent: null });
    if (!keeper) throw new Error('nobody');
    const open = (id: string, ...names: string[]): Promise<boolean> =>
      requireParts(server.services.db, keeper, id, names).then(
        () => true,
        () => false,
      );
    const names = Object.keys(model.initial);
    const found = await Promise.all(names.map(async (field) => ((await open(own, field)) ? [field] : [])));
    expect(found.flat().toSorted()).toEqual(fields.toSorted());
    // Together with a closed one it is closed too; and it is open at home alone.
    expect(await Promise.all(fields.flatMap((field) => [open(own, field, 'parent_id'), open(estate.groups.n1, field)]))).toEqual(
      fields.flatMap(() => [false, false]),
    );
  });

  it('takes forwarding and mail templates from those who hold their codes, and from nobody else', async () => {
    const { db } = server.services;
    const [own, other] = [await home('Home of two'), await home('Other of two')];
    const [rule] = await db.insert(forwardRules).values({ projectId: estate.here, name: 'Soon' }).returning();
    const words = { projectId: estate.here, mailTypeId: 'registration', locale: 'en', subject: 'Welcome', body: '{{link}}' } as const;
    const [template] = await db
      .insert(mailTemplates)
      .values({ ...words, domainId: other })
      .returning();
    const [router, writer] = [
      await keeperOf('can_manage_own_group_forward_settings', own, other),
      await keeperOf('can_manage_own_group_mail_templates', own, other),
    ];
    await router.client.patch(`/groups/${own}`, { forward_rules: [rule?.id] });
    await writer.client.patch(`/groups/${own}`, { mail_templates: [template?.id] });
    for (const [who, change] of [
      [writer, { forward_rules: [] }],
      [router, { description: 'Mine' }],
      [writer, { description: 'Mine' }],
    ] as const)
      expect(codeOf(await who.client.patch(`/groups/${own}`, change))).toBe('forbidden');
    const row = dataOf<Record<string, { id: string }[]>>(await boss.client.get(`/groups/${own}`));
    expect([row['forward_rules'], row['mail_templates']]).toEqual([
      [expect.objectContaining({ id: rule?.id })],
      [expect.objectContaining({ id: template?.id })],
    ]);
  });
});
