import { and, eq, exists, inArray, isNotNull, notExists, sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { passkeys, roles, secondFactors, users } from '#server/db/schema/index.ts';

/** How many passkeys somebody has. */
export async function countPasskeys(db: Db, userId: string): Promise<number> {
  return db.$count(passkeys, eq(passkeys.userId, userId));
}

/** Of these accounts those that no password opens: their role requires a second factor, and passkeys are all they have. */
export async function needingPasskey(db: Db, userIds: readonly string[]): Promise<Set<string>> {
  const one = { one: sql`1` };
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(
      and(
        inArray(users.id, [...userIds]),
        eq(roles.requiresSecondFactor, true),
        exists(db.select(one).from(passkeys).where(eq(passkeys.userId, users.id))),
        notExists(
          db
            .select(one)
            .from(secondFactors)
            .where(and(eq(secondFactors.userId, users.id), isNotNull(secondFactors.confirmedAt))),
        ),
      ),
    );
  return new Set(rows.map(({ id }) => id));
}
