import { eq, sql } from 'drizzle-orm';
import type { Sight } from '#server/access/scope.ts';
import { byRules } from '#server/crud/binding.ts';
import { defineBinding } from '#server/crud/define-binding.ts';
import { oneGroup } from '#server/crud/group-path.ts';
import { jsonObject, oneNamed, onlySeen, stampsOf } from '#server/crud/json.ts';
import { devices, groupForwardNumbers, groupForwardQueues, groups, sipNumberForwards, sipNumbers, users } from '#server/db/schema/index.ts';
import { addressOf, groupOfNumber } from '#server/telephony/places.ts';
import { forwardNumbers, isFree, pickedNumbers } from './columns.ts';
import { beforeNumberDelete, prepareNumber, settleNumber } from './rules.ts';

const { userId, deviceId, domainId } = sipNumbers;
const user = (sight: Sight) =>
  sql`(select ${jsonObject({ id: users.id, name: users.name, email: users.email })} from ${users}
    where ${eq(users.id, userId)} and ${onlySeen(sight, 'users', users.id) ?? sql`true`})`;
const device = (sight: Sight) => oneNamed(devices, deviceId, onlySeen(sight, 'devices', devices.id));
const domain = (sight: Sight) => oneNamed(groups, domainId, onlySeen(sight, 'groups', groups.id));

/** Who has the number, as far as that may be seen, with the way to their group. */
const owner = (sight: Sight) =>
  sql`(select json_build_object('kind', held.kind, 'id', held.one ->> 'id', 'name', held.one ->> 'name', 'address', ${addressOf(sight, groupOfNumber)})
    from (values ('user', ${user(sight)}), ('device', ${device(sight)}), ('domain', ${domain(sight)})) held(kind, one) where held.one is not null)`;

/** Virtual numbers in the database. A number that rings in a group's queue, or that another forwards to, is not deleted before it is let go there. */
export const sipNumbersBinding = defineBinding({
  area: 'sip-numbers',
  table: sipNumbers,
  compared: {
    // Numbers are ordered as numbers are.
    number: { column: sipNumbers.number, order: sql`lpad(${sipNumbers.number}, 15, '0')` },
    name: { column: sipNumbers.name },
    // What people look a number up by: itself, its name, and whoever of its owners they may see.
    words: {
      columnFor: (sight) =>
        sql`concat_ws(' ', ${sipNumbers.number}, ${sipNumbers.name}, ${user(sight)} ->> 'name', ${device(sight)} ->> 'name', ${domain(sight)} ->> 'name')`,
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
  shown: (sight) => ({
    ...stampsOf(sipNumbers),
    number: sql`${sipNumbers.number}`,
    name: sql`${sipNumbers.name}`,
    is_active: sql`${sipNumbers.isActive}`,
    is_reserved: sql`${sipNumbers.isReserved}`,
    is_system: sql`${sipNumbers.isSystem}`,
    user: user(sight),
    device: device(sight),
    domain: oneGroup(sight, domainId),
    owner_info: owner(sight),
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
