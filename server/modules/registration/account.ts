import { randomUUID } from 'node:crypto';
import { and, eq, or, sql } from 'drizzle-orm';
import { licenceOf } from '#models/project-settings.ts';
import { utc } from '#models/time.ts';
import { audit } from '#server/audit.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { newUserColumns } from '#server/settings/general.ts';
import { readBlock } from '#server/settings/store.ts';
import { mailRegistered } from '../account-mails.ts';
import type { Origin } from '../session/tokens.ts';
import type { Client } from './open.ts';

/** Somebody who becomes a user by themselves. */
export interface Newcomer {
  projectId: string;
  login: string;
  name: string;
  /** Proved by mail; null where there is none. */
  email: string | null;
  objectName: string | null;
  locale: string | null;
  passwordHash: string;
}

/** The account that has this login or address already. */
export async function accountWith(db: Db, { projectId, login, email }: Pick<Newcomer, 'projectId' | 'login' | 'email'>) {
  const isSame = or(
    eq(sql`lower(${users.login})`, login.toLowerCase()),
    email === null ? undefined : eq(sql`lower(${users.email})`, email.toLowerCase()),
  );
  const [found] = await db
    .select()
    .from(users)
    .where(and(eq(users.projectId, projectId), isSame))
    .limit(1);
  return found;
}

/** What the administrator reads where somebody gave no address. */
const none = '—';

/**
 * Makes the account of somebody who registered by themselves: the role and features that the settings name for them, and no group, so
 * that no door opens before somebody who knows them has added them to one.
 */
export async function makeAccount(services: Services, tx: Db, person: Newcomer, client: Client, origin: Origin): Promise<void> {
  const at = services.now();
  const { projectId, login, name, email, objectName, locale, passwordHash } = person;
  if (await accountWith(tx, person))
    throw email === null
      ? new HttpError('not_unique', { issues: [{ path: ['login'], rule: 'not_unique', params: {} }] })
      : new HttpError('email_used');
  const { features, role, license_period_days: days } = client;
  const row = {
    ...(await newUserColumns(tx, projectId, at)),
    ...(locale !== null && { locale }),
    id: randomUUID(),
    projectId,
    roleId: role,
    login,
    name,
    email,
    address: objectName,
    passwordHash,
    licenseInfo: licenceOf(features),
    licenceEndsAt: days === null ? null : utc(at).add(days, 'day').toDate(),
    activatedAt: Math.floor(at.getTime() / 1_000),
    isVerified: email !== null,
    createdAt: at,
    updatedAt: at,
  };
  await tx.insert(users).values(row);
  const changes = { role: { before: null, after: role }, registered_as: { before: null, after: client.type } };
  await audit(tx, { projectId, id: row.id, name, ...origin }, { area: 'users', action: 'create', entityId: row.id, entityName: name, changes }, at);
  const { value } = await readBlock(tx, projectId, 'general');
  if (value.admin_email === null) return;
  const to = { projectId, name: '', locale: value.locale, email: value.admin_email };
  await mailRegistered(tx, services, to, { name, email: email ?? login, object: objectName ?? none });
}
