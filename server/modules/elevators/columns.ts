import { type SQL, sql } from 'drizzle-orm';
import type { ViewScope } from '#server/access/scope.ts';
import { onlySeen } from '#server/crud/json.ts';
import { elevators, groups } from '#server/db/schema/index.ts';

/** What the group of an elevator is called; null where it is out of sight. */
export const seenGroupName = (scope: ViewScope): SQL =>
  sql`(select ${groups.name} from ${groups} where ${groups.id} = ${elevators.domainId} and ${onlySeen(scope, 'groups', groups.id) ?? sql`true`})`;
