import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PresentedCard } from '#models/enrolment.ts';
import type { TransferEffect } from '#models/identifier-calls.ts';
import type { Identifier } from '#models/identifiers.ts';
import { permissionCodes, type PermissionCode } from '#models/permission-catalogue.ts';
import { auditEvents, deviceTasks } from '#server/db/schema/index.ts';
import { type DeviceServer, openDeviceServer } from './devices-support.ts';
import { codeOf, dataOf, makePerson, type Person } from './estate.ts';

let side: DeviceServer;
let boss: Person;
let anna: Person;
let boris: Person;
let card: string;
let made = 0;

beforeAll(async () => {
  side = await openDeviceServer();
  boss = await makePerson(side.server, side.estate, { permissions: permissionCodes, in: [side.estate.groups.town], name: 'Boss' });
});
afterAll(() => side.close());
beforeEach(async () => {
  made += 1;
  const { n1, south } = side.estate.groups;
  anna = await makePerson(side.server, side.estate, { in: [n1], name: `Anna ${made}` });
  boris = await makePerson(side.server, side.estate, { in: [south], name: `Boris ${made}` });
  card = dataOf<string>(await boss.client.put('/identifiers', { name: `Card ${made}`, type: 'card', value: `00CA${1000 + made}`, owner: anna.id }));
});

const read = async (): Promise<Identifier> => dataOf<Identifier>(await boss.client.get(`/identifiers/${card}`));
const effect = (to: string, who = boss) => who.client.get(`/identifiers/${card}/transfer/${to}`);
const move = (from: string, to: string, who = boss) => who.client.post(`/identifiers/${card}/transfer`, { from, to });
const clerk = (...permissions: PermissionCode[]) => makePerson(side.server, side.estate, { permissions, in: [side.estate.groups.north] });

describe('a card that is given to somebody else', () => {
  it('says first which doors it will open and which no more, and then does so: in the trail and at the doors', async () => {
    const { groups } = side.estate;
    const [north, south] = [await side.add({ domainId: groups.north }), await side.add({ domainId: groups.south })];
    for (const [name, device, group] of [
      [`North ${made}`, north.id, groups.n1],
      [`South ${made}`, south.id, groups.south],
    ] as const) {
      const answer = await boss.client.put('/access-rules', { name, devices: [device], domains: [group] });
      expect(answer.statusCode, answer.body).toBe(200);
    }
    await side.server.services.db.delete(deviceTasks);
    expect(dataOf<TransferEffect>(await effect(boris.id))).toEqual({
      from: { id: anna.id, name: `Anna ${made}` },
      to: { id: boris.id, name: `Boris ${made}` },
      opens: [{ id: south.id, name: south.name }],
      closes: [{ id: north.id, name: north.name }],
      hours: [],
    });
    expect((await read()).owner?.id).toBe(anna.id);

    expect((await move(anna.id, boris.id)).statusCode).toBe(200);
    expect((await read()).owner?.id).toBe(boris.id);
    const tasks = await side.server.services.db.select({ id: deviceTasks.deviceId }).from(deviceTasks).where(eq(deviceTasks.kind, 'synchronise'));
    expect(tasks.map(({ id }) => id).toSorted()).toEqual([north.id, south.id].toSorted());
    const [entry] = await side.server.services.db
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.entityId, card), eq(auditEvents.action, 'update')));
    expect(entry?.changes).toEqual({ owner: { before: { id: anna.id, name: `Anna ${made}` }, after: { id: boris.id, name: `Boris ${made}` } } });
  });

  it('is given once: whoever saw another owner is told so', async () => {
    const answers = await Promise.all([move(anna.id, boris.id), move(anna.id, boss.id)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 412]);
    expect(codeOf(await move(anna.id, boris.id))).toBe('conflict');
  });

  it('is for those who see both people and may change both', async () => {
    const all = ['can_view_all_identifiers', 'can_edit_identifiers'] as const;
    for (const [who, code] of [
      [await clerk('can_view_all_identifiers'), 'forbidden'],
      // Who has it is out of their sight.
      [await clerk(...all, 'can_edit_all_users'), 'editing_prohibited'],
      [await clerk(...all, 'can_view_all_users'), 'forbidden'],
      // Who is to get it is out of their sight.
      [await clerk(...all, 'can_view_users', 'can_edit_all_users'), 'not_found'],
      // The card itself is out of their sight.
      [await clerk('can_edit_identifiers', 'can_edit_all_users', 'can_view_all_users'), 'not_found'],
    ] as const)
      expect([codeOf(await effect(boris.id, who)), codeOf(await move(anna.id, boris.id, who))]).toEqual([code, code]);
    expect((await read()).owner?.id).toBe(anna.id);
    expect((await move(anna.id, boris.id, await clerk(...all, 'can_view_all_users', 'can_edit_all_users'))).statusCode).toBe(200);
  });

  it('is not that of a guest, and not one that nobody has', async () => {
    await boss.client.patch(`/identifiers/${card}`, { owner: null });
    expect(codeOf(await move(anna.id, boris.id))).toBe('editing_prohibited');
    await boss.client.patch(`/identifiers/${card}`, { owner: anna.id, owner_type: 'guest', guest_type: 'guest' });
    expect(codeOf(await effect(boris.id))).toBe('editing_prohibited');
  });

  it('is told by its number while somebody adds it: whose it is, as far as they may know', async () => {
    const ask = (value: string, who = boss) => who.client.post('/identifiers/lookup', { type: 'card', value });
    const number = `00CA${1000 + made}`;
    expect(dataOf<PresentedCard>(await ask(number)).known).toMatchObject({ identifier: { id: card }, owner: { id: anna.id } });
    expect(dataOf<PresentedCard>(await ask(number.toLowerCase())).value).toBe(number);
    expect(dataOf<PresentedCard>(await ask('00FFFFFF')).known).toBeNull();
    const blind = await clerk('can_create_identifiers');
    expect(dataOf<PresentedCard>(await ask(number, blind)).known).toEqual({ identifier: null, owner: null });
    expect(codeOf(await ask(number, await clerk('can_view_all_identifiers')))).toBe('forbidden');
    expect(codeOf(await ask('no number'))).toBe('invalid_data');
  });
});
