import { randomUUID } from 'node:crypto';
import { asc, gt } from 'drizzle-orm';
import { allLicensed } from '#models/licence-info.ts';
import type { Services } from '../context.ts';
import { makeRegistrationLink } from '../modules/mail.ts';
import { seedRoles } from './demo/seed.ts';
import type { Db } from './database.ts';
import { groups, projects, userDomains, users } from './schema/index.ts';

const plainGroup = {
  guestLimits: { max_passes_count: null, max_period_days: null },
  whitelabel: { is_enabled: false, name: null, address: null, email: null, phone: null },
  appleWallet: {
    is_enabled: false,
    developer_name: null,
    foreground_color: '#ffffff',
    background_color: '#2b5bd7',
    label_color: '#ffffff',
    barcode_text: null,
    back_fields: null,
  },
  licence: {},
};

async function bootstrap(db: Db): Promise<void> {
  const projectId = randomUUID();
  await db.insert(projects).values({ id: projectId, uid: 'main', name: 'Doorward' });
  const roleIds = await seedRoles(db, projectId, () => randomUUID());
  const groupId = randomUUID();
  await db.insert(groups).values({ id: groupId, projectId, name: 'Doorward', path: [groupId], ...plainGroup });
  const [admin] = await db
    .insert(users)
    .values({
      projectId,
      roleId: roleIds.get('administrator') ?? '',
      login: 'admin',
      name: 'Administrator',
      licenseInfo: allLicensed,
      isInvited: true,
    })
    .returning({ id: users.id });
  if (admin) await db.insert(userDomains).values({ userId: admin.id, groupId });
}

/**
 * Gives an empty database its first project and administrator. As long as nobody has chosen a password, answers a fresh
 * link by which the administrator does, and the one before stops working; null once somebody has.
 */
export const inviteFirstAdministrator = (services: Services): Promise<string | null> =>
  services.db.transaction(async (tx) => {
    const [active] = await tx.select({ id: users.id }).from(users).where(gt(users.activatedAt, 0)).limit(1);
    if (active) return null;
    const [some] = await tx.select({ id: projects.id }).from(projects).limit(1);
    if (!some) await bootstrap(tx);
    const [first] = await tx.select({ id: users.id, projectId: users.projectId }).from(users).orderBy(asc(users.createdAt)).limit(1);
    return first ? makeRegistrationLink(tx, services, first) : null;
  });
