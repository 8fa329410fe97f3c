import { and, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { DenialReason } from '#models/device-events.ts';
import { judge } from '../access/decide.ts';
import { worldForQuestion } from '../access/load.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { accessRules, identifiers, schedules, users } from '../db/schema/index.ts';
import { devicesConcerned, queueSynchronise } from './copies.ts';
import type { Said, Reporter } from './said.ts';

type Reader = Pick<Services, 'db' | 'config'>;

/** An identifier as the server knows it, and whose it is. */
export interface Presented {
  id: string;
  owner: { id: string; name: string } | null;
  /** What a guest's key is called, which the log still says when the key is gone; null where it is no guest's. */
  guest: string | null;
  /** Why it does not open, as far as the server knows better than the device; null where it does not. */
  reason: DenialReason | null;
}

const which = ({ identifier, reason }: Said): SQL | undefined => {
  if (!identifier) return undefined;
  if (identifier.id) return eq(identifiers.id, identifier.id);
  return and(eq(identifiers.type, identifier.type), eq(identifiers.value, identifier.value), sql`${reason ?? null}::text = 'unknown_identifier'`);
};

/**
 * What was presented, and who stands behind it. A device knows only what it was sent: of an identifier that it calls unknown the server may know why it
 * does not open there. Where it should have opened, the device has missed something and is told anew.
 */
export async function presented(reader: Reader, device: Reporter, said: Said, at: Date): Promise<Presented | null> {
  const { db } = reader;
  const { projectId, id: deviceId } = device;
  if (!said.identifier) return null;
  const [found] = await db
    .select({ id: identifiers.id, ownerId: users.id, ownerName: users.name, name: identifiers.name, ownerType: identifiers.ownerType })
    .from(identifiers)
    .leftJoin(users, eq(users.id, identifiers.userId))
    .where(and(which(said), eq(identifiers.projectId, projectId)));
  if (!found) return null;
  const { id, ownerId, ownerName, name, ownerType } = found;
  const owner = ownerId !== null && ownerName !== null ? { id: ownerId, name: ownerName } : null;
  const known = { id, owner, guest: ownerType === 'guest' ? name : null };
  if (said.identifier.id) return { ...known, reason: null };
  const { reason } = judge(await worldForQuestion(reader, { projectId, deviceId, credential: { id }, at }), {
    credential: { id },
    deviceId,
    at: at.getTime(),
  });
  if (reason === null) await queueSynchronise(db, [deviceId]);
  return { ...known, reason };
}

const said = z.object({ rule_id: z.uuid().nullish(), schedule_id: z.uuid().nullish() });

/** What a rule and a schedule are called at this moment, for the log: it keeps them as they were. */
export async function namesOfDecision(
  db: Db,
  projectId: string,
  { rule, schedule }: { rule: string | null | undefined; schedule: string | null | undefined },
): Promise<{ rule?: string | null; schedule?: string | null }> {
  const nameOf = async (table: typeof accessRules | typeof schedules, id: string): Promise<string | null> => {
    const [row] = await db
      .select({ name: table.name })
      .from(table)
      .where(and(eq(table.id, id), eq(table.projectId, projectId)));
    return row?.name ?? null;
  };
  return { ...(rule && { rule: await nameOf(accessRules, rule) }), ...(schedule && { schedule: await nameOf(schedules, schedule) }) };
}

/** What the rule and the schedule by which a device decided are called now: the log says so when they are long gone. */
export async function decidedBy(db: Db, { projectId }: Reporter, { data }: Said): Promise<Record<string, unknown>> {
  const read = said.safeParse(data);
  if (!read.success) return {};
  return namesOfDecision(db, projectId, { rule: read.data.rule_id, schedule: read.data.schedule_id });
}

/** Tells the devices that an identifier has no pass left: they close it. */
async function closeWhenSpent(db: Db, id: string, { count, max }: { count: number; max: number | null }): Promise<void> {
  if (max !== null && count >= max) await queueSynchronise(db, await devicesConcerned(db, 'identifiers', [id]));
}
const passesLeft = {
  count: identifiers.passesCount,
  max: sql<number | null>`case when ${identifiers.passesRestrictActive} then ${identifiers.passesMaxCount} end`,
};

/**
 * Counts that an identifier opened. `isTaken`: its pass was taken beforehand. Otherwise the device decided alone and it has happened: what goes beyond
 * the limit is counted too, and said.
 */
export async function countUse(db: Db, id: string, { isTaken, at }: { isTaken: boolean; at: Date }): Promise<{ over_limit?: true }> {
  const moment = at.toISOString();
  const [used] = await db
    .update(identifiers)
    .set({
      passesCount: isTaken ? identifiers.passesCount : sql`${identifiers.passesCount} + 1`,
      firstUsedAt: sql`least(${identifiers.firstUsedAt}, ${moment}::timestamptz)`,
      lastUsedAt: sql`greatest(${identifiers.lastUsedAt}, ${moment}::timestamptz)`,
    })
    .where(eq(identifiers.id, id))
    .returning(passesLeft);
  if (!used || isTaken) return {};
  await closeWhenSpent(db, id, used);
  return used.max !== null && used.count > used.max ? { over_limit: true } : {};
}

/** Takes a pass for somebody who stands before an online device: of however many who want the last one, one gets it. */
export async function takePass({ db, now }: Pick<Services, 'db' | 'now'>, { projectId }: Reporter, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [taken] = await tx
      .update(identifiers)
      .set({ passesCount: sql`${identifiers.passesCount} + 1`, lastUsedAt: now() })
      .where(
        sql`${eq(identifiers.id, id)} and ${eq(identifiers.projectId, projectId)} and ${identifiers.isActive} and ${identifiers.revokedAt} is null
          and ${identifiers.lostAt} is null and (not ${identifiers.passesRestrictActive} or ${identifiers.passesMaxCount} is null
          or ${identifiers.passesCount} < ${identifiers.passesMaxCount})`,
      )
      .returning(passesLeft);
    if (taken) await closeWhenSpent(tx, id, taken);
    return taken !== undefined;
  });
}
