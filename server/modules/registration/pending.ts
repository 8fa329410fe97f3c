import { randomInt } from 'node:crypto';
import { and, eq, gt, lt, or, sql } from 'drizzle-orm';
import type { Locale } from '#models/constants.ts';
import { confirmationCodeLength } from '#models/registration-calls.ts';
import { utc } from '#models/time.ts';
import { hashToken, makeToken } from '#server/access/principal.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { pendingRegistrations as pending } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { mailAlreadyRegistered, mailConfirmation } from '../account-mails.ts';
import type { Origin } from '../session/tokens.ts';
import { accountWith, makeAccount } from './account.ts';
import { clientsOf } from './open.ts';

const lifeHours = 24;
const mostTries = 5;
const mostMails = 5;
const resendAfterSeconds = 60;

type Pending = typeof pending.$inferSelect;
/** What is known of somebody before their address is proved. */
export type Applicant = Pick<Pending, 'projectId' | 'login' | 'name' | 'email' | 'clientType' | 'objectName' | 'passwordHash'> & { locale: Locale };

const makeCode = (): string => String(randomInt(10 ** confirmationCodeLength)).padStart(confirmationCodeLength, '0');
/** Digits are few: hashed together with what only this registration has. */
const hashCode = (tokenHash: string, code: string): string => hashToken(`${tokenHash} ${code}`);

/** Writes the mail of a registration: its code and link, or to who has an account already that they have. */
async function mail(db: Db, services: Services, person: Applicant | Pending, code: string, link: string): Promise<void> {
  const owner = await accountWith(db, person);
  if (owner?.email?.toLowerCase() === person.email.toLowerCase()) return mailAlreadyRegistered(db, services, owner);
  await mailConfirmation(db, services, person, { code, token: link });
}

/** Keeps a registration until its address is proved, and mails how. The same is done and answered for an address that somebody has. @returns what its page goes on with */
export async function beginRegistration(services: Services, person: Applicant): Promise<string> {
  const at = services.now();
  const [token, link, code] = [makeToken(), makeToken(), makeCode()];
  const tokenHash = hashToken(token);
  await services.db.transaction(async (tx) => {
    const isOld = or(lt(pending.expiresAt, at), and(eq(pending.projectId, person.projectId), eq(pending.email, person.email)));
    await tx.delete(pending).where(isOld);
    await tx.insert(pending).values({
      ...person,
      tokenHash,
      linkHash: hashToken(link),
      codeHash: hashCode(tokenHash, code),
      mailedAt: at,
      expiresAt: utc(at).add(lifeHours, 'hour').toDate(),
    });
    await mail(tx, services, person, code, link);
  });
  return token;
}

const living = (at: Date) => and(gt(pending.expiresAt, at), lt(pending.tries, mostTries));

/** Mails another code and link. @throws HttpError `outdated_link`; `too_many_requests` within a minute of the last, and after five mails */
export async function resend(services: Services, token: string): Promise<void> {
  const at = services.now();
  await services.db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(pending)
      .where(and(eq(pending.tokenHash, hashToken(token)), living(at)))
      .for('update');
    if (!row) throw new HttpError('outdated_link');
    const wait = Math.ceil((row.mailedAt.getTime() + resendAfterSeconds * 1_000 - at.getTime()) / 1_000);
    if (wait > 0 || row.mails >= mostMails) throw new HttpError('too_many_requests', { seconds: Math.max(wait, 1) }, Math.max(wait, 1));
    const [link, code] = [makeToken(), makeCode()];
    await tx
      .update(pending)
      .set({ linkHash: hashToken(link), codeHash: hashCode(row.tokenHash, code), mails: row.mails + 1, mailedAt: at })
      .where(eq(pending.id, row.id));
    await mail(tx, services, row, code, link);
  });
}

/** Makes the account of a proved registration, by the settings as they are now. */
async function complete(services: Services, tx: Db, row: Pending, origin: Origin): Promise<{ login: string }> {
  const kind = row.clientType === null ? 'simple' : 'self';
  const clients = await clientsOf(tx, row.projectId, kind);
  const client = row.clientType === null ? clients[0] : clients.find(({ type }) => type === row.clientType);
  if (!client) throw new HttpError('forbidden');
  await makeAccount(services, tx, row, client, origin);
  return { login: row.login };
}

/** Confirms by the link of the mail: of any number who come with it, one does. @throws HttpError `outdated_link` */
export const confirmByLink = (services: Services, link: string, origin: Origin): Promise<{ login: string }> =>
  services.db.transaction(async (tx) => {
    const [row] = await tx
      .delete(pending)
      .where(and(eq(pending.linkHash, hashToken(link)), living(services.now())))
      .returning();
    if (!row) throw new HttpError('outdated_link');
    return complete(services, tx, row, origin);
  });

/** Confirms by the code of the mail; after five wrong ones the registration is over. @throws HttpError `confirmation_code_invalid` for whatever is wrong with it */
export async function confirmByCode(services: Services, token: string, code: string, origin: Origin): Promise<{ login: string }> {
  const { db } = services;
  const tokenHash = hashToken(token);
  // Counted before it is looked at: guesses at the same time are counted too.
  const [counted] = await db
    .update(pending)
    .set({ tries: sql`${pending.tries} + 1` })
    .where(and(eq(pending.tokenHash, tokenHash), living(services.now())))
    .returning();
  if (counted?.codeHash !== hashCode(tokenHash, code)) throw new HttpError('confirmation_code_invalid');
  return db.transaction(async (tx) => {
    const [row] = await tx.delete(pending).where(eq(pending.id, counted.id)).returning();
    if (!row) throw new HttpError('confirmation_code_invalid');
    return complete(services, tx, row, origin);
  });
}
