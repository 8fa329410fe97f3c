import { useSelector } from '@xstate/react';
import type { Actor } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import { usePreview, useSession } from './system.ts';

/** The signed-in person with all their own rights; only below the signed-in shell. */
export function useOwnProfile(): Profile {
  const profile = useSelector(useSession(), (snapshot) => snapshot.context.profile);
  if (!profile) throw new Error('nobody is signed in: the view stands outside the signed-in shell');
  return profile;
}

/** The signed-in person as screens know them: with no more rights than the role they view as; only below the signed-in shell. */
export function useProfile(): Profile {
  const own = useOwnProfile();
  return useSelector(usePreview(), (snapshot) => snapshot?.context.shown) ?? own;
}

/** The signed-in person as permissions measure them: codes of the role, ids of the groups. */
export const actorOf = ({ id, role, domains }: Profile): Actor => ({
  id,
  permissions: role?.permissions ?? [],
  domains: domains.map((group) => group.id),
});
