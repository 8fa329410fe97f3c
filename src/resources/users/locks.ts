import { hasPermission, mayAct } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import { actorOf } from '#src/views/profile-of.ts';

interface Asked {
  profile: Profile;
  row: { id: string } | null;
}
const isSelf = ({ profile, row }: Asked): boolean => row?.id === profile.id;

/** Of oneself one changes nothing without the permission for it. */
export const closedToSelf = (facts: Asked): boolean => isSelf(facts) && !mayAct(actorOf(facts.profile), 'editOwnProfile');

/** Of oneself one changes only name, e-mail, description and how to be reached, unless one may edit everybody. */
export const ownRecord = (facts: Asked): boolean => isSelf(facts) && !hasPermission(actorOf(facts.profile), 'can_edit_all_users');

/** Where one belongs decides what one sees: nobody moves themselves higher, but those who see all groups anyway. */
export const ownGroups = (facts: Asked): boolean => isSelf(facts) && !hasPermission(actorOf(facts.profile), 'can_view_all_groups');

/** Giving somebody another role is a permission of its own. */
export const anotherRole = (facts: Asked): boolean =>
  ownRecord(facts) || (facts.row !== null && !hasPermission(actorOf(facts.profile), 'can_edit_users_role'));
