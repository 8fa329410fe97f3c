import { type SQL, sql } from 'drizzle-orm';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import type { Db } from '../db/database.ts';
import type { integrations } from '../db/schema/index.ts';
import { notify } from '../modules/notifications/notify.ts';

type Integration = Pick<typeof integrations.$inferSelect, 'id' | 'projectId' | 'domainId' | 'name'>;

const holding = (code: PermissionCode): SQL => sql`${code} = any(holder.permissions)`;
/** Belongs to one of these groups. */
const within = (groups: SQL): SQL => sql`exists (select from user_domains place where place.user_id = person.id and place.group_id = any(${groups}))`;

/** Who may do something about an integration: of the project, or of a group (INTG-03). */
function managersOf({ projectId, domainId }: Integration): SQL {
  const path = sql`(select path from groups where id = ${domainId})`;
  const may = domainId
    ? sql`(${holding('can_edit_all_groups')} or (${holding('can_manage_own_group_integrations')} and ${within(sql`array[${domainId}::uuid]`)})
        or (${holding('can_edit_descendant_groups')} and ${within(sql`array_remove(${path}, ${domainId}::uuid)`)}))`
    : holding('can_change_project_settings');
  return sql`select person.id from users person join roles holder on holder.id = person.role_id where person.project_id = ${projectId} and ${may}`;
}

/** Tells those who may resume a webhook that it was given up. */
export const notifyStopped = async (tx: Db, integration: Integration, at: Date): Promise<void> =>
  void (await notify(
    tx,
    { projectId: integration.projectId, type: 'integration_stopped', data: { title: integration.name, integration_id: integration.id }, at },
    managersOf(integration),
  ));
