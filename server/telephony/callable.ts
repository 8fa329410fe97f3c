import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import { hasPermission } from '#models/permissions.ts';
import { idArray } from '../access/measures.ts';
import type { Principal } from '../context.ts';
import { devices, groups, sipNumbers, userDomains } from '../db/schema/index.ts';

const { userId, deviceId, domainId } = sipNumbers;
type Who = Pick<Principal, 'id' | 'projectId' | 'permissions' | 'domains'>;

/** The groups somebody belongs to, those below them, and those above. */
const [ownGroups, ownTree, above] = [
  ({ domains }: Who): SQL => idArray(domains),
  ({ domains }: Who): SQL => sql`array(select ${groups.id} from ${groups} where ${groups.path} && ${idArray(domains)})`,
  ({ domains }: Who): SQL => sql`array(select unnest(${groups.path}) from ${groups} where ${groups.id} = any(${idArray(domains)}))`,
];

/** Numbers of people, devices and groups of some groups. */
const within = (some: SQL): SQL =>
  sql`(${domainId} = any(${some}) or ${deviceId} in (select ${devices.id} from ${devices} where ${devices.domainId} = any(${some}))
    or ${userId} in (select ${userDomains.userId} from ${userDomains} where ${userDomains.groupId} = any(${some})))`;

/** Panels on somebody's way home, and those of their own tree. */
const panels = (who: Who): SQL =>
  sql`${deviceId} in (select ${devices.id} from ${devices} where ${devices.domainId} = any(${above(who)} || ${ownTree(who)}))`;

/**
 * Which numbers somebody may call: those with an owner, switched on, as far as the permissions of calling reach; and everybody
 * the general numbers of their own groups and of those above, where the concierge answers.
 */
export function callable(who: Who): SQL {
  const reach = [
    hasPermission(who, 'can_call_all') ? sql`num_nonnulls(${userId}, ${deviceId}, ${domainId}) > 0` : undefined,
    hasPermission(who, 'can_call_descendants') ? within(ownTree(who)) : undefined,
    hasPermission(who, 'can_call_own_group') ? within(ownGroups(who)) : undefined,
    hasPermission(who, 'can_call_panel') ? panels(who) : undefined,
    sql`${domainId} = any(${above(who)})`,
  ];
  return and(eq(sipNumbers.projectId, who.projectId), eq(sipNumbers.isActive, true), or(...reach)) ?? sql`false`;
}
