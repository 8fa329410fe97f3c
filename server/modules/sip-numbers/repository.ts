import { eq, sql } from 'drizzle-orm';
import type { ViewScope } from '#server/access/scope.ts';
import { byRules } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { oneGroup } from '#server/crud/group-path.ts';
import { jsonObject, oneNamed, onlySeen, stampsOf } from '#server/crud/json.ts';
import { devices, groupForwardNumbers, groupForwardQueues, groups, sipNumberForwards, sipNumbers, users } from '#server/db/schema/index.ts';
import { addressOf, groupOfNumber } from '#server/telephony/places.ts';
import { forwardNumbers, isFree, pickedNumbers } from './columns.ts';
import { beforeNumberDelete, prepareNumber, settleNumber } from './rules.ts';

const { userId, deviceId, domainId } = sipNumbers;
const user = (scope: ViewScope) =>
  sql`(select ${jsonObject({ id: users.id, name: users.name, email: users.email })} from ${users}
    where ${eq(users.id, userId)} and ${onlySeen(scope, 'users', users.id) ?? sql`true`})`;
const device = (scope: ViewScope) => oneNamed(devices, deviceId, onlySeen(scope, 'devices', devices.id));
const domain = (scope: ViewScope) => oneNamed(groups, domainId, onlySeen(scope, 'groups', groups.id));

/** Who has the number, as far as that may be seen, with the way to their group. */
const owner = (scope: ViewScope) =>
  sql`(select json_build_object('kind', held.kind, 'id', held.one ->> 'id', 'name', held.one ->> 'name', 'address', ${addressOf(scope, groupOfNumber)})
    from (values ('user', ${user(scope)}), ('device', ${device(scope)}), ('domain', ${domain(scope)})) held(kind, one) where held.one is not null)`;

/** Virtual numbers in the database. A number that rings in a group's queue, or that another forwards to, is not deleted before it is let go there. */
export const sipNumbersRepository = defineRepository({
  area: 'sip-numbers',
  table: sipNumbers,
  compared: {
    // Numbers are ordered as numbers are.
    number: { column: sipNumbers.number, order: sql`lpad(${sipNumbers.number}, 15, '0')` },
    name: { column: sipNumbers.name },
    // What people look a number up by: itself, its name, and whoever of its owners they may see.
    words: {
      columnFor: (scope) =>
        sql`concat_ws(' ', ${sipNumbers.number}, ${sipNumbers.name}, ${user(scope)} ->> 'name', ${device(scope)} ->> 'name', ${domain(scope)} ->> 'name')`,
    },
    onlyFree: { column: isFree },
    is_active: { column: sipNumbers.isActive },
    is_reserved: { column: sipNumbers.isReserved },
    is_system: { column: sipNumbers.isSystem },
    user: { column: userId, area: 'users' },
    device: { column: deviceId, area: 'devices' },
    domain: { column: domainId, area: 'groups' },
    forward_mode: { column: sipNumbers.forwardMode },
    created_at: { column: sipNumbers.createdAt },
    updated_at: { column: sipNumbers.updatedAt },
  },
  shown: (scope) => ({
    ...stampsOf(sipNumbers),
    number: sql`${sipNumbers.number}`,
    name: sql`${sipNumbers.name}`,
    is_active: sql`${sipNumbers.isActive}`,
    is_reserved: sql`${sipNumbers.isReserved}`,
    is_system: sql`${sipNumbers.isSystem}`,
    user: user(scope),
    device: device(scope),
    domain: oneGroup(scope, domainId),
    owner_info: owner(scope),
    onlyFree: isFree,
    forward_mode: sql`${sipNumbers.forwardMode}`,
    picked_numbers: pickedNumbers,
    forward_numbers: forwardNumbers,
    has_password: sql`(${sipNumbers.passwordCipher} is not null)`,
    created_by: sql`${sipNumbers.createdBy}`,
  }),
  dependants: [
    {
      area: 'sip-numbers',
      where: (id) =>
        sql`${sipNumbers.id} in (select ${sipNumberForwards.numberId} from ${sipNumberForwards} where ${sipNumberForwards.pickedId} = ${id})`,
    },
    {
      area: 'groups',
      where: (id) => sql`${groups.id} in (select ${groupForwardQueues.groupId} from ${groupForwardQueues}
        join ${groupForwardNumbers} on ${groupForwardNumbers.queueId} = ${groupForwardQueues.id} where ${groupForwardNumbers.numberId} = ${id})`,
    },
  ],
  written: {
    number: 'number',
    name: 'name',
    password: byRules,
    is_active: 'isActive',
    is_reserved: 'isReserved',
    is_system: 'isSystem',
    user: 'userId',
    device: 'deviceId',
    domain: 'domainId',
    forward_mode: 'forwardMode',
    picked_numbers: byRules,
    forward_numbers: byRules,
  },
  prepare: prepareNumber,
  settle: settleNumber,
  beforeDelete: beforeNumberDelete,
});
