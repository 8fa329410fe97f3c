import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { wholeHours } from '#models/zone.ts';
import type { accountRemoval, passwordChange, profilePatch } from '#models/profile.ts';
import { administratorRemains, isAdministrator } from '#server/access/administrators.ts';
import { groupsOf } from '#server/access/belonging.ts';
import { audit, changesBetween } from '#server/audit.ts';
import type { Asker, Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { sessions, users } from '#server/db/schema/index.ts';
import { removeFile } from '#server/files.ts';
import { Refusal } from '#server/refusal.ts';
import { prove } from '../session/limiter.ts';
import { hashChosen } from '../session/passwords.ts';
import { accountsThatFit } from '../session/sign-in.ts';

type UserChange = Partial<typeof users.$inferInsert>;

/** Changes columns of the asker's own user and says so in the audit trail; what stays the same leaves no trace. */
export async function changeOwnUser(services: Services, asker: Asker, change: UserChange): Promise<void> {
  const at = services.now();
  await services.db.transaction(async (tx) => {
    const before = await lockUser(tx, asker.id);
    const changes = changesBetween(pick(before, change), change as Record<string, unknown>);
    if (Object.keys(changes).length === 0) return;
    await tx
      .update(users)
      .set({ ...change, version: sql`${users.version} + 1`, updatedAt: at })
      .where(eq(users.id, asker.id));
    const named = Object.fromEntries(Object.entries(changes).map(([column, values]) => [wireNames[column] ?? column, values]));
    await audit(tx, asker, { area: 'users', action: 'update', entityId: asker.id, entityName: before.name, changes: named }, at);
  });
}

const wireNames: Record<string, string> = {
  timeZone: 'profile.time_zone',
  timeZoneName: 'profile.time_zone_name',
  timeFormat: 'profile.time_format',
  identifierFormat: 'profile.identifier_format',
  phone: 'profile.phone',
  address: 'profile.address',
  isAppPopupActive: 'profile.is_app_popup_active',
  notificationSettings: 'profile.notification_settings',
};
const pick = (row: Record<string, unknown>, like: object): Record<string, unknown> =>
  Object.fromEntries(Object.keys(like).map((key) => [key, row[key]]));

async function lockUser(tx: Db, id: string) {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update');
  if (!user) throw new Refusal('not_authorized');
  return user;
}

type ZonePatch = Pick<NonNullable<z.output<typeof profilePatch>['profile']>, 'time_zone' | 'time_zone_name'>;

/** Name and hours say the same: the hours follow a name; hours alone take it away, and without a name they stay what they were last. */
function zoneColumns(zone: ZonePatch, stored: { timeZoneName: string | null } | undefined, now: number): UserChange {
  const { time_zone: hours, time_zone_name: name } = zone;
  if (name) return { timeZoneName: name, timeZone: wholeHours(name, now) };
  if (hours !== undefined) return { timeZoneName: null, timeZone: hours };
  if (name === undefined) return {};
  return { timeZoneName: null, ...(stored?.timeZoneName && { timeZone: wholeHours(stored.timeZoneName, now) }) };
}

/** The columns a profile patch speaks of; fields it leaves out are left alone. */
export async function columnsOf({ db, now }: Services, asker: Asker, patch: z.output<typeof profilePatch>): Promise<UserChange> {
  const { profile = {}, ...own } = patch;
  const [stored] = await db.select({ timeZoneName: users.timeZoneName }).from(users).where(eq(users.id, asker.id));
  const columns = {
    ...own,
    phone: profile.phone,
    address: profile.address,
    ...zoneColumns(profile, stored, now().getTime()),
    timeFormat: profile.time_format,
    identifierFormat: profile.identifier_format,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

/**
 * The accounts under the asker's login whose password this is, the asker's own among them.
 * @throws Refusal `wrong_old_password`; too many tries are limited like sign-in.
 */
async function provenAccounts(services: Services, asker: Asker, password: string) {
  const [self] = await services.db.select({ login: users.login }).from(users).where(eq(users.id, asker.id));
  if (!self) throw new Refusal('not_authorized');
  return prove(services, { login: self.login, origin: asker, wrong: 'wrong_old_password' }, async () => {
    const accounts = await accountsThatFit(services, self.login, password);
    return accounts.some(({ id }) => id === asker.id) ? accounts : null;
  });
}

/**
 * Changes the password of every account under the asker's login that had the old one. All their sessions but this end.
 * @throws Refusal `wrong_old_password`; too many tries are limited like sign-in.
 */
export async function changePassword(services: Services, asker: Asker, body: z.output<typeof passwordChange>): Promise<void> {
  const accounts = await provenAccounts(services, asker, body.old);
  const passwordHash = await hashChosen(body.new, 'new');
  const ids = accounts.map(({ id }) => id);
  const at = services.now();
  await services.db.transaction(async (tx) => {
    // Whoever was given a password and now chooses their own has done what a registration asks for.
    const activatedAt = sql<number>`case when ${users.activatedAt} > 0 then ${users.activatedAt} else ${Math.floor(at.getTime() / 1_000)} end`;
    await tx.update(users).set({ passwordHash, activatedAt, updatedAt: at }).where(inArray(users.id, ids));
    await tx.delete(sessions).where(and(inArray(sessions.userId, ids), ne(sessions.id, asker.sessionId)));
    for (const { id, name, projectId } of accounts)
      await audit(tx, { ...asker, id, name, projectId }, { area: 'users', action: 'password_change', entityId: id, entityName: name }, at);
  });
}

/**
 * Deletes the asker's account.
 * @throws Refusal `wrong_old_password` without the password; `deleting_prohibited` for the last one in the project who may put right anything.
 */
export async function deleteAccount(services: Services, asker: Asker, { password }: z.output<typeof accountRemoval>): Promise<void> {
  await provenAccounts(services, asker, password);
  const avatar = await services.db.transaction(async (tx) => {
    const user = await lockUser(tx, asker.id);
    if (isAdministrator(asker.permissions) && !(await administratorRemains(tx, asker.projectId, { userId: asker.id })))
      throw new Refusal('deleting_prohibited');
    const belonged = (await groupsOf(tx, 'users', [asker.id])).get(asker.id) ?? [];
    await tx.delete(users).where(eq(users.id, asker.id));
    await audit(tx, asker, { area: 'users', action: 'delete', entityId: asker.id, entityName: user.name, belonged }, services.now());
    return user.avatarFile;
  });
  if (avatar) await removeFile(services, avatar);
}
