import { describe, expect, it } from 'vitest';
import { defaultRoles } from '#models/default-roles.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import type { Db } from '#server/db/database.ts';
import type { CalledGroup, Holder } from '#server/telephony/calls/directory.ts';
import { mayCall } from '#server/telephony/calls/may-call.ts';

/** Calls of groups are decided without the database. */
const noDb = new Proxy({}, { get: () => expect.fail('the database is not asked') }) as Db;
const [project, tower, floor, flat, other] = ['project', 'tower', 'floor', 'flat', 'other'];

/** Somebody of the floor, with these rights. */
const caller = (permissions: readonly PermissionCode[], over: Partial<Holder> = {}): Holder => ({
  number: '1001',
  numberId: 'number',
  name: 'Anna',
  projectId: 'riverside',
  userId: 'anna',
  deviceId: null,
  domainId: null,
  groupId: floor,
  path: [project, tower, floor],
  place: [],
  groups: [floor],
  paths: [project, tower, floor],
  permissions,
  forwardMode: 'disabled',
  hasDoor: false,
  talkSeconds: null,
  door: null,
  ...over,
});
const group = (path: readonly string[]): CalledGroup => ({ id: path.at(-1) ?? '', path }) as CalledGroup;
const groups = {
  above: group([project, tower]),
  own: group([project, tower, floor]),
  below: group([project, tower, floor, flat]),
  elsewhere: group([project, other]),
};
type Place = keyof typeof groups;
const places = Object.keys(groups) as Place[];
const reached = async (who: Holder | null): Promise<Place[]> => {
  const answers = await Promise.all(places.map(async (place) => ({ place, may: await mayCall(noDb, who, null, groups[place]) })));
  return answers.filter(({ may }) => may).map(({ place }) => place);
};

describe('who may call a group by its logical address', () => {
  it.each<[PermissionCode[], Place[]]>([
    [[], ['above', 'own']],
    [['can_call_own_group'], ['above', 'own']],
    [['can_call_descendants'], ['above', 'own', 'below']],
    [
      ['can_call_own_group', 'can_call_descendants'],
      ['above', 'own', 'below'],
    ],
    [['can_call_all'], ['above', 'own', 'below', 'elsewhere']],
    [['can_receive_call_as_concierge'], ['above', 'own']],
  ])('with %j: %j', async (permissions, wanted) => {
    expect(await reached(caller(permissions))).toEqual(wanted);
  });

  it('somebody of several groups: the own of each with the right, what is below each', async () => {
    const second = { groups: [floor, other], paths: [project, tower, floor, other] };
    expect(await reached(caller([], second))).toEqual(['above', 'own']);
    expect(await reached(caller(['can_call_own_group'], second))).toEqual(['above', 'own', 'elsewhere']);
    expect(await reached(caller(['can_call_descendants'], second))).toEqual(places);
  });

  it.each(defaultRoles.map(({ key, permissions }) => ({ key, permissions })))('as $key: by the codes of the role alone', async ({ permissions }) => {
    const may = (code: PermissionCode): boolean => permissions.includes(code);
    const wanted = places.filter((place) => {
      if (may('can_call_all') || place === 'above' || place === 'own') return true;
      return place === 'below' && may('can_call_descendants');
    });
    expect(await reached(caller(permissions))).toEqual(wanted);
  });

  it('panels and calls from outside reach every group of the project; nobody reaches a group that is not there', async () => {
    expect([await reached(caller([], { userId: null, deviceId: 'panel' })), await reached(null)]).toEqual([places, places]);
    expect(await mayCall(noDb, caller(['can_call_all']), null, null)).toBe(false);
  });
});
