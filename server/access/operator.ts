import { asc, type SQL, sql } from 'drizzle-orm';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { projects } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';

/** The second project of the demo. */
export const secondDemoUid = 'harbour';

/**
 * Projects as they were made, the operator's first. Demo data of earlier versions has both projects of the same instant: there the uid decides,
 * not the alphabet, or the dealer's second project would run the installation.
 */
export const inOrderMade = (): SQL[] => [asc(projects.createdAt), asc(sql`${projects.uid} = ${secondDemoUid}`), asc(projects.uid)];

/** The project whose people run the installation: the first that was made. */
export async function operatorProject(db: Db): Promise<string | null> {
  const [first] = await db
    .select({ id: projects.id })
    .from(projects)
    .orderBy(...inOrderMade())
    .limit(1);
  return first?.id ?? null;
}

/**
 * Whether somebody is of the project whose people run the installation. Log, blocked addresses and services are the installation's, and name
 * people and addresses of all projects.
 */
export const isOperator = async ({ db }: Pick<Services, 'db'>, { projectId }: Principal): Promise<boolean> =>
  (await operatorProject(db)) === projectId;

/** @throws HttpError `forbidden` for people of other projects */
export async function requireOperator(services: Pick<Services, 'db'>, principal: Principal): Promise<void> {
  if (!(await isOperator(services, principal))) throw new HttpError('forbidden');
}
