import { nothingLicensed } from '#models/licence-info.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import type { Services } from '#server/context.ts';
import { availableRoles, groups, projects, roles, userDomains, users } from '#server/db/schema/index.ts';
import { hashPassword } from '#server/modules/session/passwords.ts';
import { password } from './support.ts';

/** Two small projects: `boss` may do all in the first, `guest` nothing; `both` has an account in either. */
export async function seedWorld({ db }: Services): Promise<void> {
  const passwordHash = await hashPassword(password);
  for (const uid of ['riverside', 'harbour']) {
    const [project] = await db.insert(projects).values({ uid, name: uid }).returning();
    if (!project) throw new Error('the project was not made');
    const projectId = project.id;
    const [all, none] = await db
      .insert(roles)
      .values([
        { projectId, name: 'All', permissions: [...permissionCodes] },
        { projectId, name: 'None', permissions: [] },
      ])
      .returning();
    if (!all || !none) throw new Error('the roles were not made');
    await db.insert(availableRoles).values({ roleId: all.id, availableId: none.id });
    const [group] = await db
      .insert(groups)
      .values({ ...rootGroup(projectId), name: `House of ${uid}` })
      .returning();
    const logins = uid === 'riverside' ? ['boss', 'guest', 'both'] : ['both'];
    const made = await db
      .insert(users)
      .values(
        logins.map((login) => ({
          projectId,
          roleId: login === 'guest' ? none.id : all.id,
          login,
          name: `The ${login}`,
          email: `${login}@example.org`,
          passwordHash,
          licenseInfo: nothingLicensed,
          activatedAt: 1,
        })),
      )
      .returning();
    if (group) await db.insert(userDomains).values(made.map(({ id }) => ({ userId: id, groupId: group.id })));
  }
}

/** A group without parent; its path is itself. */
function rootGroup(projectId: string) {
  const id = crypto.randomUUID();
  return { id, projectId, path: [id], guestLimits: { max_passes_count: null, max_period_days: null }, whitelabel: {}, appleWallet: {}, licence: {} };
}
