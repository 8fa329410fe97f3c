import { and, desc, eq } from 'drizzle-orm';
import type { AnswerOf, calls } from '#models/api.ts';
import { scopeOf } from '../access/scope.ts';
import type { Principal } from '../context.ts';
import type { Db } from '../db/database.ts';
import { auditEvents } from '../db/schema/index.ts';
import type { AreaRepository } from './repository.ts';
import { isoTime, personThen } from './json.ts';

/** Who changed a row last, by name as far as the principal may know it; whoever sees the row is told, without the rest of the trail. */
export async function lastChangeOf(db: Db, { area }: AreaRepository, principal: Principal, id: string): Promise<AnswerOf<typeof calls.lastChange>> {
  const { projectId, entityId, action, userId, userName, createdAt } = auditEvents;
  const [last] = await db
    .select({
      user: personThen(scopeOf(principal), userId, userName).mapWith(
        (found: unknown) => found as NonNullable<AnswerOf<typeof calls.lastChange>>['user'],
      ),
      at: isoTime(createdAt).mapWith(String),
    })
    .from(auditEvents)
    .where(and(eq(projectId, principal.projectId), eq(auditEvents.area, area), eq(entityId, id), eq(action, 'update')))
    .orderBy(desc(createdAt), desc(auditEvents.id))
    .limit(1);
  return last ?? null;
}
