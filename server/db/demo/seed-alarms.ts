import { defaultRoles } from '#models/default-roles.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { lengthOf } from '#models/time.ts';
import type { Db } from '../database.ts';
import { alarmCalls, deviceAlarms, notifications } from '../schema/index.ts';
import { type DemoAlarm, demoAlarmCalls, demoAlarms } from './alarms.ts';
import type { DemoDevice } from './devices.ts';
import { insertRows } from './insert-rows.ts';
import { demoNotices } from './notices.ts';
import { type DemoPerson, demoPeople } from './people.ts';
import type { DemoGroup } from './tree.ts';

interface Deps {
  id: string;
  tree: readonly DemoGroup[];
  staff: readonly DemoPerson[];
  devices: readonly DemoDevice[];
  at: Date;
  seed: number;
}

const roleOf = (login: string) => defaultRoles.find(({ key }) => key === demoPeople.find((one) => one.login === login)?.role);
const mayOf = (login: string, code: PermissionCode): boolean => roleOf(login)?.permissions.includes(code) ?? false;
/** Who sits at the desk; an installer may process alarms, and leaves it to the house. */
const sitsAtDesk = ({ user }: DemoPerson): boolean => ['administrator', 'concierge'].includes(roleOf(user.login)?.key ?? '');

/** The alarms and SOS calls of a demo project, and what its people were told of them and of all else. */
export async function seedAlarms(db: Db, { id, tree, staff, devices, at, seed }: Deps): Promise<void> {
  const groups = new Map(tree.map((group) => [group.id, group]));
  const sees = ({ user, groupId }: DemoPerson, domainId: string | null | undefined): boolean =>
    mayOf(user.login, 'can_view_device_alarms') &&
    (mayOf(user.login, 'can_view_all_devices') || (groups.get(domainId ?? '')?.path.includes(groupId) ?? false));
  const deskOf = ({ domainId }: DemoDevice) => staff.filter((person) => sitsAtDesk(person) && sees(person, domainId)).map(({ user }) => user);
  const watched = devices.filter((device) => deskOf(device).length > 0);
  const world = { projectId: id, devices: watched, deskOf, at, seed: seed + 70 };
  const many = watched.length > 30;
  const alarms = watched.length > 0 ? demoAlarms(world, many ? 46 : 9) : [];
  const lately = alarms.filter(({ enabledAt }) => at.getTime() - enabledAt.getTime() < lengthOf(25, 'day'));
  const readers = staff.map((person) => ({
    user: person.user,
    sees: ({ domainId }: DemoAlarm) => sees(person, domainId),
    managesDevices: mayOf(person.user.login, 'can_edit_devices'),
  }));
  await insertRows(db, deviceAlarms, alarms);
  await insertRows(db, alarmCalls, demoAlarmCalls({ ...world, devices }, many ? 22 : 4));
  const noticed = lately.map((alarm) => ({ alarm, group: groups.get(alarm.domainId ?? '')?.name ?? '' }));
  await insertRows(db, notifications, demoNotices({ projectId: id, devices, people: staff.map(({ user }) => user), at }, readers, noticed));
}
