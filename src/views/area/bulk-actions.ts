import { type BulkAction, bulkActionsOf } from '#models/bulk.ts';
import { hasPermission } from '#models/permissions.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import type { Profile } from '#models/profile.ts';
import { actorOf } from '../profile-of.ts';
import { mayDo } from './areas.tsx';
import type { AnyResource } from './resource.ts';

/** What an action needs besides the right to change rows of the area. */
const codes: Partial<Record<BulkAction, PermissionCode>> = {
  role: 'can_edit_users_role',
  markers_add: 'can_apply_markers_to_user',
  markers_remove: 'can_apply_markers_to_user',
  activate: 'can_activate_sip_numbers',
  deactivate: 'can_activate_sip_numbers',
};

/** What the person may do to many rows of the area at once; the server asks again for each row. */
export const bulkActionsFor = (profile: Profile, resource: AnyResource): readonly BulkAction[] =>
  bulkActionsOf(resource.model).filter((action) => {
    const code = codes[action];
    if (code && !hasPermission(actorOf(profile), code)) return false;
    return action === 'activate' || action === 'deactivate' || mayDo(profile, resource, action === 'delete' ? 'delete' : 'edit');
  });

export const bulkIcons: Readonly<Record<BulkAction, `pi-${string}`>> = {
  role: 'pi-id-card',
  groups_add: 'pi-sitemap',
  groups_remove: 'pi-sitemap',
  markers_add: 'pi-tag',
  markers_remove: 'pi-tag',
  registration_link: 'pi-envelope',
  activate: 'pi-play',
  deactivate: 'pi-pause',
  delete: 'pi-trash',
};
