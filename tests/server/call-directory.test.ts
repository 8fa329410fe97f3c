import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultDeviceSettings } from '#models/device-settings.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { callInterceptions, devices, groups, sipNumbers } from '#server/db/schema/index.ts';
import { callable } from '#server/telephony/callable.ts';
import {
  deskOf,
  groupByAddress,
  groupById,
  hasDesk,
  type Holder,
  holderOfNumber,
  interceptorsOf,
  monitorsOfGroup,
  nearestQueue,
  numbersOfGroup,
} from '#server/telephony/calls/directory.ts';
import { mayCall } from '#server/telephony/calls/may-call.ts';
import { buildEstate, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

type Place = keyof Estate['groups'];
/** Every group with those above it. */
const above: Record<Place, readonly Place[]> = {
  town: ['town'],
  north: ['town', 'north'],
  n1: ['town', 'north', 'n1'],
  n2: ['town', 'north', 'n2'],
  south: ['town', 'south'],
  s1: ['town', 'south', 's1'],
  abroad: ['abroad'],
};
const places: readonly Place[] = ['town', 'north', 'n1', 'n2', 'south', 's1'];
interface Entry {
  number: string;
  of: 'person' | 'panel' | 'monitor' | 'group' | 'nobody';
  in: Place;
  isActive?: boolean;
}
const entries: readonly Entry[] = [
  ...places.flatMap((place, at): Entry[] => [
    { number: `1${at}`, of: 'person', in: place },
    { number: `2${at}`, of: 'panel', in: place },
    { number: `3${at}`, of: 'group', in: place },
  ]),
  { number: '40', of: 'nobody', in: 'north' },
  { number: '41', of: 'person', in: 'north', isActive: false },
  { number: '42', of: 'monitor', in: 'n1' },
  { number: '50', of: 'person', in: 'abroad' },
  { number: '51', of: 'group', in: 'abroad' },
];

let server: TestServer;
let estate: Estate;
/** Somebody at a desk of the north and of s1; somebody at that of the town. */
let [desk, townDesk] = [] as unknown as [Person, Person];
let interceptor: Person;
const db = () => server.services.db;
const groupIds = (names: readonly Place[]): string[] => names.map((name) => estate.groups[name]);
const pathOf = (place: Place): string[] => groupIds(above[place]);

async function deviceIn(place: Place, over: Partial<typeof devices.$inferInsert>): Promise<string> {
  const projectId = place === 'abroad' ? estate.there : estate.here;
  const [row] = await db()
    .insert(devices)
    .values(deviceRow({ projectId, domainId: estate.groups[place], name: `Device in ${place}`, ...over }))
    .returning();
  return row?.id ?? '';
}
async function giveNumber(number: string, over: Partial<typeof sipNumbers.$inferInsert>): Promise<void> {
  await db()
    .insert(sipNumbers)
    .values({ projectId: estate.here, number, name: `Number ${number}`, ...over });
}
async function ownerOf({ of, in: place }: Entry): Promise<Partial<typeof sipNumbers.$inferInsert>> {
  const project = place === 'abroad' ? estate.there : estate.here;
  if (of === 'nobody') return {};
  if (of === 'group') return { domainId: estate.groups[place] };
  if (of === 'person') return { userId: (await makePerson(server, estate, { name: `Person of ${place}`, in: [estate.groups[place]], project })).id };
  return { deviceId: await deviceIn(place, of === 'monitor' ? { type: 'monitor', model: 'IM-7' } : {}) };
}

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  for (const entry of entries) {
    const projectId = entry.in === 'abroad' ? estate.there : estate.here;
    await giveNumber(entry.number, { projectId, isActive: entry.isActive ?? true, ...(await ownerOf(entry)) });
  }
  const permissions: PermissionCode[] = ['can_receive_call_as_concierge'];
  desk = await makePerson(server, estate, { name: 'Desk', permissions, in: groupIds(['north', 's1']) });
  townDesk = await makePerson(server, estate, { name: 'Desk of the town', permissions, in: groupIds(['town']) });
  interceptor = await makePerson(server, estate, { permissions: ['can_intercept_call_like_concierge'], in: groupIds(['town']) });
  await giveNumber('900', { userId: desk.id });
  await giveNumber('901', { userId: townDesk.id });
  await giveNumber('902', { userId: interceptor.id });
});
afterAll(() => server.close());

const numbersIn = (found: readonly { number: string }[]): string[] => found.map(({ number }) => number);
const holder = async (number: string): Promise<Holder> => {
  const found = await holderOfNumber(db(), number);
  if (!found) throw new Error(`nobody has ${number}`);
  return found;
};

describe('who may call a number', () => {
  const codes: readonly (readonly PermissionCode[])[] = [
    [],
    ['can_call_own_group'],
    ['can_call_descendants'],
    ['can_call_panel'],
    ['can_call_all'],
    ['can_call_own_group', 'can_call_panel'],
    ['can_receive_call_as_concierge'],
  ];
  const callers: readonly (readonly Place[])[] = [['north'], ['town'], ['s1'], ['n1', 'south'], []];
  const table = codes.flatMap((permissions) => callers.map((own) => ({ permissions, own })));

  /** By the words of the permissions, one entry after the other. */
  function expected(permissions: readonly PermissionCode[], own: readonly Place[], { of, in: place, isActive = true }: Entry): boolean {
    if (!isActive || place === 'abroad' || of === 'nobody') return false;
    const [isOwn, isBelow] = [own.includes(place), above[place].some((group) => own.includes(group))];
    const isAbove = own.some((group) => above[group].includes(place));
    if (permissions.includes('can_call_all')) return true;
    if (permissions.includes('can_call_own_group') && isOwn) return true;
    if (permissions.includes('can_call_descendants') && isBelow) return true;
    if (permissions.includes('can_call_panel') && (of === 'panel' || of === 'monitor') && (isBelow || isAbove)) return true;
    return of === 'group' && isAbove;
  }

  it.each(table)('with $permissions, of $own: as the permissions say', async ({ permissions, own }) => {
    const who = { id: interceptor.id, projectId: estate.here, permissions, domains: groupIds(own) };
    const found = await db().select({ number: sipNumbers.number }).from(sipNumbers).where(callable(who));
    const wanted = entries.filter((entry) => expected(permissions, own, entry)).map(({ number }) => number);
    expect(
      numbersIn(found)
        .filter((number) => !number.startsWith('9'))
        .toSorted(),
    ).toEqual(wanted.toSorted());
  });

  it('everybody may call who sits at the desk of their own group or of one above, by that number too', async () => {
    const [below, beside] = [await holder('12'), await holder('14')];
    const called = await holder('900');
    expect([await mayCall(db(), below, called, null), await mayCall(db(), beside, called, null)]).toEqual([true, false]);
    expect(await mayCall(db(), beside, await holder('901'), null)).toBe(true);
    expect(await mayCall(db(), below, await holder('10'), null)).toBe(false);
    expect(await mayCall(db(), below, await holder('31'), null)).toBe(true);
  });
});

it('questions of one moment are answered each for itself', async () => {
  const [below, beside] = [await holder('12'), await holder('14')];
  const called = await holder('22');
  const allowed = { ...below, permissions: ['can_call_all'] };
  const asked = [allowed, beside, allowed, beside, below];
  expect(await Promise.all(asked.map((who) => mayCall(db(), who, called, null)))).toEqual([true, false, true, false, false]);
  const numbers = ['10', '11', '12', '13'];
  const found = await Promise.all(numbers.map((number) => holderOfNumber(db(), number)));
  expect(found.map((one) => one?.number)).toEqual(numbers);
});

describe('who stands behind a number', () => {
  it('a person: their first group, all their groups, and what is above those', async () => {
    const { groups: own, paths, path, place, ...found } = await holder('900');
    expect(found).toMatchObject({ name: 'Desk', projectId: estate.here, userId: desk.id, deviceId: null, domainId: null, hasDoor: false });
    expect(found).toMatchObject({ permissions: ['can_receive_call_as_concierge'], forwardMode: 'disabled', talkSeconds: null, door: null });
    const both = groupIds(['north', 's1']).toSorted();
    expect([own, found.groupId]).toEqual([both, both[0]]);
    expect(path).toEqual(pathOf(both[0] === estate.groups.north ? 'north' : 's1'));
    expect(place.map(({ id }) => id)).toEqual(path);
    expect(paths.toSorted()).toEqual(groupIds(['town', 'north', 'south', 's1']).toSorted());
  });
  it('a device: where it stands, its door, and how long it talks', async () => {
    const path = pathOf('n1');
    const place = { groupId: estate.groups.n1, path, groups: [estate.groups.n1] };
    const { talk_timeout: talkSeconds } = defaultDeviceSettings.sip;
    expect(await holder('22')).toMatchObject({
      ...place,
      name: 'Device in n1',
      userId: null,
      domainId: null,
      hasDoor: true,
      door: path,
      talkSeconds,
    });
    expect(await holder('42')).toMatchObject({ ...place, hasDoor: false, door: null });
    expect((await holder('22')).place.map(({ name }) => name)).toEqual(['town', 'north', 'n1']);
    expect((await holder('22')).permissions).toEqual([]);
    expect((await holder('22')).paths.toSorted()).toEqual(path.toSorted());
  });
  it('a group, or nobody', async () => {
    const group = { domainId: estate.groups.n1, groupId: estate.groups.n1, path: pathOf('n1'), groups: [estate.groups.n1], name: 'n1' };
    expect(await holder('32')).toMatchObject({ ...group, userId: null, deviceId: null, talkSeconds: null, door: null });
    expect(await holder('40')).toMatchObject({ name: 'Number 40', groupId: null, path: [], place: [], groups: [], paths: [] });
  });
  it('of a number that is unknown or switched off: nobody', async () => {
    expect([await holderOfNumber(db(), '41'), await holderOfNumber(db(), '99')]).toEqual([null, null]);
  });
});

describe('where calls of a place go', () => {
  it('to whoever is at the desk of one of its groups', async () => {
    const desks = async (place: Place, project = estate.here) => numbersIn(await deskOf(db(), project, pathOf(place)));
    expect([await desks('n2'), await desks('s1'), await desks('south')]).toEqual([['900', '901'], ['900', '901'], ['901']]);
    expect(await desks('n2', estate.there)).toEqual([]);
  });
  it('to the general number of the nearest group that has a desk of its own', async () => {
    const queue = async (place: Place) => (await nearestQueue(db(), pathOf(place)))?.number;
    expect([await queue('n1'), await queue('north'), await queue('s1'), await queue('south'), await queue('abroad')]).toEqual([
      '31',
      '31',
      '35',
      '30',
      undefined,
    ]);
    const desks = await Promise.all(places.map((place) => hasDesk(db(), estate.groups[place])));
    expect(places.filter((_, at) => desks[at])).toEqual(['town', 'north', 's1']);
  });
  it('to interceptors while they intercept one of its groups', async () => {
    const found = async (place: Place, project = estate.here) => numbersIn(await interceptorsOf(db(), project, pathOf(place)));
    const set = async (isActive: boolean) => {
      const values = { isActive, updatedAt: new Date(), groupIds: groupIds(['north']) };
      await db()
        .insert(callInterceptions)
        .values([interceptor, desk].map(({ id }) => ({ userId: id, projectId: estate.here, ...values })))
        .onConflictDoUpdate({ target: callInterceptions.userId, set: values });
    };
    expect(await found('n1')).toEqual([]);
    await set(true);
    expect([await found('n1'), await found('north'), await found('town'), await found('south')]).toEqual([['902'], ['902'], [], []]);
    expect(await found('n1', estate.there)).toEqual([]);
    await set(false);
    expect(await found('n1')).toEqual([]);
  });
  it('to the people of a group and its own number, or to its monitors', async () => {
    expect(numbersIn(await numbersOfGroup(db(), estate.groups.north))).toEqual(['11', '31', '900']);
    const monitors = async (place: Place, protocol: 'all' | 'mqtt' | 'http') =>
      numbersIn(await monitorsOfGroup(db(), estate.groups[place], protocol as Parameters<typeof monitorsOfGroup>[2]));
    expect([await monitors('n1', 'all'), await monitors('n1', 'mqtt'), await monitors('n1', 'http')]).toEqual([['42'], ['42'], []]);
    expect(await monitors('n2', 'all')).toEqual([]);
  });
});

describe('a group by its logical address', () => {
  const address = async (place: Place, logicAddress: string): Promise<void> => {
    await db().update(groups).set({ logicAddress }).where(eq(groups.id, estate.groups[place]));
  };
  const found = async (from: Place, text: string, project = estate.here) => (await groupByAddress(db(), project, pathOf(from), text))?.name;

  it('is the nearest: below the place, else below what is above it', async () => {
    for (const place of ['n1', 's1', 'abroad'] as const) await address(place, '22A');
    await address('south', 'S');
    expect([await found('north', '22a'), await found('n2', '22A'), await found('south', '22a')]).toEqual(['n1', 'n1', 's1']);
    expect([await found('n1', 's'), await found('n1', '23'), await found('abroad', '22a')]).toEqual(['south', undefined, undefined]);
    expect(await found('abroad', '22a', estate.there)).toBe('abroad');
  });
  it('below one place is the deeper one', async () => {
    await address('north', '7');
    await address('n2', '7');
    expect([await found('town', '7'), await found('north', '7'), await found('n2', '7')]).toEqual(['n2', 'n2', 'n2']);
  });
  it('says whether its calls go through queues', async () => {
    await db().update(groups).set({ forwardEnabled: true }).where(eq(groups.id, estate.groups.n1));
    const called = { id: estate.groups.n1, name: 'n1', path: pathOf('n1'), forwardEnabled: true };
    expect(await groupById(db(), estate.groups.n1)).toEqual(called);
    expect(await groupById(db(), estate.groups.n2)).toMatchObject({ forwardEnabled: false });
    expect(await groupById(db(), interceptor.id)).toBeNull();
    expect(await groupByAddress(db(), estate.here, pathOf('north'), '22a')).toEqual(called);
  });
});
