import { randomUUID } from 'node:crypto';
import { allLicensed } from '#models/licence-info.ts';
import { makeToken } from '../access/asker.ts';
import type { Services } from '../context.ts';
import { hashPassword } from '../modules/session/passwords.ts';
import { seedRoles } from './demo/seed.ts';
import type { Db } from './open.ts';
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
  licence: { isEnabled: true, notifications: { period: 'everyday', notify_before: 14 }, info: allLicensed },
};

async function makeFirst(db: Db, passwordHash: string, at: Date): Promise<void> {
  const projectId = randomUUID();
  await db.insert(projects).values({ id: projectId, uid: 'main', name: 'Doorward', features: allLicensed });
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
      passwordHash,
      licenseInfo: allLicensed,
      activatedAt: Math.trunc(at.getTime() / 1_000),
      isVerified: true,
    })
    .returning({ id: users.id });
  if (admin) await db.insert(userDomains).values({ userId: admin.id, groupId });
}

/**
 * Gives an empty database its first project and administrator. Answers the administrator's password, which is told this
 * once; null when there is a project already.
 */
export async function makeFirstAdministrator({ db, now }: Services): Promise<string | null> {
  const [some] = await db.select({ id: projects.id }).from(projects).limit(1);
  if (some) return null;
  const password = `${makeToken().slice(0, 16)}-Aa1`;
  const passwordHash = await hashPassword(password);
  await db.transaction((tx) => makeFirst(tx, passwordHash, now()));
  return password;
}
