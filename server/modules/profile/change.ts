import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { mayAct } from '#models/permissions.ts';
import { wholeHours } from '#models/zone.ts';
import type { accountRemoval, passwordChange, profilePatch } from '#models/profile.ts';
import { administratorRemains, isAdministrator } from '#server/access/administrators.ts';
import { groupsOf } from '#server/access/belonging.ts';
import { audit, changesBetween } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { sessions, users } from '#server/db/schema/index.ts';
import { removeFile } from '#server/files.ts';
import { HttpError } from '#server/http-error.ts';
import { mailPasswordChanged } from '../account-mails.ts';
import { refusedField } from '../roles/rules.ts';
import { prove } from '../session/limiter.ts';
import { hashChosen } from '../session/passwords.ts';
import { accountsThatFit } from '../session/sign-in.ts';

type UserChange = Partial<typeof users.$inferInsert>;

/** Changes columns of the principal's own user and says so in the audit trail; what stays the same leaves no trace. */
export async function changeOwnUser(services: Services, principal: Principal, change: UserChange): Promise<void> {
  const at = services.now();
  await services.db.transaction(async (tx) => {
    const before = await lockUser(tx, principal.id);
    const changes = changesBetween(pick(before, change), change as Record<string, unknown>);
    if (Object.keys(changes).length === 0) return;
    const closed = mayAct(principal, 'editOwnProfile') ? undefined : personal.find((column) => column in changes);
    if (closed) throw refusedField(closed, 'not_allowed');
    await tx
      .update(users)
      .set({ ...change, version: sql`${users.version} + 1`, updatedAt: at })
      .where(eq(users.id, principal.id));
    const named = Object.fromEntries(Object.entries(changes).map(([column, values]) => [wireNames[column] ?? column, values]));
    await audit(tx, principal, { area: 'users', action: 'update', entityId: principal.id, entityName: before.name, changes: named }, at);
  });
}

/** What is changed by permission alone. */
const personal = ['name', 'email', 'phone', 'address'];
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
  if (!user) throw new HttpError('not_authorized');
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
export async function columnsOf({ db, now }: Services, principal: Principal, patch: z.output<typeof profilePatch>): Promise<UserChange> {
  const { profile = {}, ...own } = patch;
  const [stored] = await db.select({ timeZoneName: users.timeZoneName }).from(users).where(eq(users.id, principal.id));
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
 * The accounts under the principal's login whose password this is, the principal's own among them.
 * @throws HttpError `wrong_old_password`; too many tries are limited like sign-in.
 */
export async function provenAccounts(services: Services, principal: Principal, password: string) {
  const [self] = await services.db.select({ login: users.login }).from(users).where(eq(users.id, principal.id));
  if (!self) throw new HttpError('not_authorized');
  return prove(services, { login: self.login, origin: principal, wrong: 'wrong_old_password' }, async () => {
    const accounts = await accountsThatFit(services, self.login, password);
    return accounts.some(({ id }) => id === principal.id) ? accounts : null;
  });
}

/**
 * Changes the password of every account under the principal's login that had the old one. All their sessions but this end.
 * @throws HttpError `wrong_old_password`; too many tries are limited like sign-in.
 */
export async function changePassword(services: Services, principal: Principal, body: z.output<typeof passwordChange>): Promise<void> {
  const accounts = await provenAccounts(services, principal, body.old);
  const passwordHash = await hashChosen(body.new, 'new');
  const ids = accounts.map(({ id }) => id);
  const at = services.now();
  await services.db.transaction(async (tx) => {
    // Whoever was given a password and now chooses their own has done what a registration asks for.
    const activatedAt = sql<number>`case when ${users.activatedAt} > 0 then ${users.activatedAt} else ${Math.floor(at.getTime() / 1_000)} end`;
    await tx.update(users).set({ passwordHash, activatedAt, updatedAt: at }).where(inArray(users.id, ids));
    await tx.delete(sessions).where(and(inArray(sessions.userId, ids), ne(sessions.id, principal.sessionId)));
    for (const account of accounts) {
      const { id, name, projectId } = account;
      await audit(tx, { ...principal, id, name, projectId }, { area: 'users', action: 'password_change', entityId: id, entityName: name }, at);
      await mailPasswordChanged(tx, services, account, principal);
    }
  });
}

/**
 * Deletes the principal's account.
 * @throws HttpError `forbidden` for those who may not edit it; `wrong_old_password` without the password; `deleting_prohibited` for the last one in the project who may put right anything.
 */
export async function deleteAccount(services: Services, principal: Principal, { password }: z.output<typeof accountRemoval>): Promise<void> {
  if (!mayAct(principal, 'editOwnProfile')) throw new HttpError('forbidden');
  await provenAccounts(services, principal, password);
  const avatar = await services.db.transaction(async (tx) => {
    const user = await lockUser(tx, principal.id);
    if (isAdministrator(principal.permissions) && !(await administratorRemains(tx, principal.projectId, { userId: principal.id })))
      throw new HttpError('deleting_prohibited');
    const belonged = (await groupsOf(tx, 'users', [principal.id])).get(principal.id) ?? [];
    await tx.delete(users).where(eq(users.id, principal.id));
    await audit(tx, principal, { area: 'users', action: 'delete', entityId: principal.id, entityName: user.name, belonged }, services.now());
    return user.avatarFile;
  });
  if (avatar) await removeFile(services, avatar);
}
