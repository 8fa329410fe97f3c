import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { instance } from '../db/schema/index.ts';

/** A fact of this installation that is made up once and then stays; two who ask first get the same. */
export async function lastingFact(db: Db, key: string, make: () => string): Promise<string> {
  const [known] = await db.select().from(instance).where(eq(instance.key, key));
  if (known) return known.value;
  const value = make();
  const [made] = await db.insert(instance).values({ key, value }).onConflictDoNothing().returning();
  if (made) return made.value;
  const [theirs] = await db.select().from(instance).where(eq(instance.key, key));
  return theirs?.value ?? value;
}

/** The id by which licences are bound to this installation. */
export const instanceId = (db: Db): Promise<string> => lastingFact(db, 'instance.id', randomUUID);
