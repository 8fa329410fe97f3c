import { randomBytes } from 'node:crypto';
import { and, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { hashToken } from '#server/access/principal.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { recoveryCodes, secondFactors } from '#server/db/schema/index.ts';
import { unseal } from '#server/devices/secrets.ts';
import { stepOfCode, toBase32 } from './totp.ts';

const codesGiven = 10;

/** A recovery code as the database keeps it: with whose it is, so that equal ones look different. */
const hashCode = (userId: string, code: string): string => hashToken(`${userId} ${code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '')}`);

/** Of these accounts those with a second factor that is turned on. */
export async function withFactor(db: Db, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ id: secondFactors.userId })
    .from(secondFactors)
    .where(and(isNotNull(secondFactors.confirmedAt), inArray(secondFactors.userId, [...userIds])));
  return new Set(rows.map(({ id }) => id));
}

/** Gives new recovery codes in the place of any before; they are told once. */
export async function giveRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: codesGiven }, () => toBase32(randomBytes(10)).replace(/^(.{8})/, '$1-'));
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, hash: hashCode(userId, code) })));
  return codes;
}

/** Takes a code of the app, once: the code of a step that was used, or of one before it, is refused. */
export async function takeAppCode({ config, now }: Services, tx: Db, userId: string, code: string): Promise<boolean> {
  const [factor] = await tx.select().from(secondFactors).where(eq(secondFactors.userId, userId));
  const step = factor ? stepOfCode(unseal({ config }, factor.secretCipher), code.replaceAll(/\s/g, ''), now()) : null;
  if (step === null) return false;
  const taken = await tx
    .update(secondFactors)
    .set({ lastStep: step })
    .where(and(eq(secondFactors.userId, userId), or(isNull(secondFactors.lastStep), lt(secondFactors.lastStep, step))))
    .returning({ id: secondFactors.userId });
  return taken.length > 0;
}

/** Takes a code of the app or a recovery code, each once. */
export async function takeCode(services: Services, tx: Db, userId: string, code: string): Promise<boolean> {
  if (await takeAppCode(services, tx, userId, code)) return true;
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: services.now() })
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hashCode(userId, code)), isNull(recoveryCodes.usedAt)))
    .returning({ id: recoveryCodes.userId });
  return used.length > 0;
}

/** How many recovery codes are left. */
export async function codesLeft(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return row?.count ?? 0;
}

/** Takes the authenticator app away, with its recovery codes. @returns whether there was one */
export async function removeFactor(tx: Db, userId: string): Promise<boolean> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const gone = await tx.delete(secondFactors).where(eq(secondFactors.userId, userId)).returning({ at: secondFactors.confirmedAt });
  return gone.some(({ at }) => at !== null);
}
