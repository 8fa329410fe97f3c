import { and, eq, isNotNull, isNull, ne } from 'drizzle-orm';
import type { SecondFactor } from '#models/second-factor-calls.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { roles, secondFactors, sessions, users } from '#server/db/schema/index.ts';
import { seal } from '#server/devices/secrets.ts';
import { HttpError } from '#server/http-error.ts';
import { mailSecondFactor } from '../account-mails.ts';
import { countPasskeys } from '../passkeys/stored.ts';
import { provenAccounts } from '../profile/change.ts';
import { prove } from '../session/limiter.ts';
import { codesLeft, giveRecoveryCodes, removeFactor, takeAppCode } from './factor.ts';
import { makeSecret, otpauthUri } from './totp.ts';

/** Whether the principal's role requires a second factor. */
export async function isRequired({ db }: Pick<Services, 'db'>, { roleId }: Principal): Promise<boolean> {
  const [role] = await db.select({ is: roles.requiresSecondFactor }).from(roles).where(eq(roles.id, roleId));
  return role?.is ?? false;
}
/** Whether the principal has an authenticator app that counts. */
export async function isOn({ db }: Pick<Services, 'db'>, { id }: Principal): Promise<boolean> {
  const own = and(eq(secondFactors.userId, id), isNotNull(secondFactors.confirmedAt));
  return (await db.select({ id: secondFactors.userId }).from(secondFactors).where(own)).length > 0;
}

/** How the principal stands with the second factor. */
export async function readFactor(services: Services, principal: Principal): Promise<SecondFactor> {
  return {
    is_on: await isOn(services, principal),
    is_required: (await isRequired(services, principal)) && (await countPasskeys(services.db, principal.id)) === 0,
    recovery_codes_left: await codesLeft(services.db, principal.id),
  };
}

/** Makes the secret of an authenticator app; nothing asks for it before one of its codes was confirmed. @throws HttpError `wrong_old_password`, `not_unique` where one is on */
export async function beginFactor(services: Services, principal: Principal, password: string): Promise<{ secret: string; uri: string }> {
  await provenAccounts(services, principal, password);
  const secret = makeSecret();
  const [user] = await services.db.select({ login: users.login }).from(users).where(eq(users.id, principal.id));
  const secretCipher = seal(services, secret);
  const set = { secretCipher, lastStep: null, createdAt: services.now() };
  const stored = await services.db
    .insert(secondFactors)
    .values({ userId: principal.id, ...set })
    .onConflictDoUpdate({ target: secondFactors.userId, set, setWhere: isNull(secondFactors.confirmedAt) })
    .returning({ id: secondFactors.userId });
  if (stored.length === 0) throw new HttpError('not_unique');
  return { secret, uri: otpauthUri(secret, { issuer: 'Doorward', account: user?.login ?? principal.name }) };
}

const trail = { area: 'users', action: 'update' } as const;
const turned = (before: string, after: string) => ({ second_factor: { before, after } });

/** Turns the second factor on by a code of the app. Sessions begun without it end, but for this one. @throws HttpError `second_factor_invalid` */
export async function confirmFactor(services: Services, principal: Principal, code: string): Promise<{ recovery_codes: string[] }> {
  const at = services.now();
  const mine = eq(secondFactors.userId, principal.id);
  return prove(services, { login: `second factor of ${principal.id}`, origin: principal, wrong: 'second_factor_invalid' }, () =>
    services.db.transaction(async (tx) => {
      const [waiting] = await tx
        .select({ id: secondFactors.userId })
        .from(secondFactors)
        .where(and(mine, isNull(secondFactors.confirmedAt)))
        .for('update');
      if (!waiting || !(await takeAppCode(services, tx, principal.id, code))) return null;
      await tx.update(secondFactors).set({ confirmedAt: at }).where(mine);
      await tx.update(sessions).set({ withSecondFactor: true }).where(eq(sessions.id, principal.sessionId));
      await tx.delete(sessions).where(and(eq(sessions.userId, principal.id), ne(sessions.id, principal.sessionId)));
      const recovery = await giveRecoveryCodes(tx, principal.id);
      await audit(tx, principal, { ...trail, entityId: principal.id, entityName: principal.name, changes: turned('off', 'on') }, at);
      return { recovery_codes: recovery };
    }),
  );
}

/** New recovery codes. @throws HttpError `wrong_old_password`, `not_found` without a second factor */
export async function renewCodes(services: Services, principal: Principal, password: string): Promise<{ recovery_codes: string[] }> {
  await provenAccounts(services, principal, password);
  if (!(await isOn(services, principal))) throw new HttpError('not_found');
  return services.db.transaction(async (tx) => {
    const codes = await giveRecoveryCodes(tx, principal.id);
    const changes = { recovery_codes: { before: null, after: 'renewed' } };
    await audit(tx, principal, { ...trail, entityId: principal.id, entityName: principal.name, changes }, services.now());
    return { recovery_codes: codes };
  });
}

/** Turns the second factor off; its owner is told. @throws HttpError `wrong_old_password`, `second_factor_required` by the role */
export async function turnOff(services: Services, principal: Principal, password: string): Promise<void> {
  await provenAccounts(services, principal, password);
  await services.db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, principal.id)).for('update');
    // A passkey is enough for the role.
    if ((await isRequired({ db: tx }, principal)) && (await countPasskeys(tx, principal.id)) === 0) throw new HttpError('second_factor_required');
    if (!(await removeFactor(tx, principal.id))) return;
    await audit(tx, principal, { ...trail, entityId: principal.id, entityName: principal.name, changes: turned('on', 'off') }, services.now());
    const [user] = await tx.select().from(users).where(eq(users.id, principal.id));
    if (user) await mailSecondFactor(tx, services, user, principal);
  });
}
