import { and, eq, inArray, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { toIssues } from '#models/issues.ts';
import { type GeneralSettings, type SettingBlock, settingBlocks } from '#models/project-settings.ts';
import { audit, changesBetween } from '../audit.ts';
import type { Principal, Services } from '../context.ts';
import { transact } from '../crud/write.ts';
import type { Db } from '../db/database.ts';
import { projects, projectSettings as table } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';

type Blocks = typeof settingBlocks;
/** What a block holds. */
export type BlockOf<B extends SettingBlock> = z.output<Blocks[B]['schema']>;
type Stored = typeof table.$inferSelect;
/** Some of it, as a request brings it. */
export type Patch<T> = { [K in keyof T]?: T[K] | undefined };
type Values = Partial<Pick<Stored, 'secretCipher' | 'logoFile'>>;

const filled = <B extends SettingBlock>(block: B, value: object = {}): BlockOf<B> => ({ ...settingBlocks[block].initial, ...value }) as BlockOf<B>;

/** A block as it is kept: what was set, the sealed secret and the file that belong to it. */
export async function readBlock<B extends SettingBlock>(
  db: Db,
  projectId: string,
  block: B,
): Promise<{ value: BlockOf<B>; secretCipher: string | null; logoFile: string | null }> {
  const [stored] = await db
    .select()
    .from(table)
    .where(and(eq(table.projectId, projectId), eq(table.block, block)));
  return { value: filled(block, stored?.value), secretCipher: stored?.secretCipher ?? null, logoFile: stored?.logoFile ?? null };
}

/** Everything that was set for a project, gaps filled: what the rest of the server goes by. Secrets are not among it. */
export async function projectSettings(
  db: Db,
  projectId: string,
): Promise<{
  general: GeneralSettings;
  self_registration: BlockOf<'self_registration'>;
  mail: BlockOf<'mail'>;
  white_label: BlockOf<'white_label'>;
}> {
  const [[project], rows] = await Promise.all([
    db.select({ name: projects.name, description: projects.description }).from(projects).where(eq(projects.id, projectId)),
    db.select().from(table).where(eq(table.projectId, projectId)),
  ]);
  if (!project) throw new HttpError('not_found');
  const of = <B extends SettingBlock>(block: B): BlockOf<B> => filled(block, rows.find((row) => row.block === block)?.value);
  return { general: { ...project, ...of('general') }, self_registration: of('self_registration'), mail: of('mail'), white_label: of('white_label') };
}

/** One block of several projects, or of all, by project; projects that set nothing are not in it. */
export async function blockOfProjects<B extends SettingBlock>(db: Db, block: B, ids?: readonly string[]): Promise<Map<string, BlockOf<B>>> {
  const rows = await db
    .select({ projectId: table.projectId, value: table.value })
    .from(table)
    .where(and(eq(table.block, block), ids && inArray(table.projectId, [...ids])));
  return new Map(rows.map(({ projectId, value }) => [projectId, filled(block, value)]));
}

/** What a change of a block comes to besides its value, worked out within the transaction that holds the project. */
export interface BlockChange<B extends SettingBlock> {
  tx: Db;
  before: { value: BlockOf<B>; secretCipher: string | null; logoFile: string | null };
  /** As it will be, and is right in itself. */
  after: BlockOf<B>;
}

/**
 * Changes a block, or parts of it, and writes the trail; `besides` refuses, and answers what else is kept. The secret never
 * reaches the trail: only that it was changed does.
 */
export function changeBlock<B extends SettingBlock>(
  services: Services,
  principal: Principal,
  block: B,
  patch: Patch<BlockOf<B>>,
  besides: (change: BlockChange<B>, later: (task: () => Promise<void>) => void) => Promise<Values> | Values = () => ({}),
): Promise<void> {
  const { projectId } = principal;
  return transact(services, async (tx, later) => {
    await tx.execute(sql`select ${projects.id} from ${projects} where ${projects.id} = ${projectId} for update`);
    const before = await readBlock(tx, projectId, block);
    const after = whole(block, { ...before.value, ...patch });
    const more = await besides({ tx, before, after }, later);
    const next = { secretCipher: before.secretCipher, logoFile: before.logoFile, ...more };
    const value = after as Record<string, unknown>;
    const set = { value, ...next };
    await tx
      .insert(table)
      .values({ projectId, block, ...set })
      .onConflictDoUpdate({ target: [table.projectId, table.block], set });
    await writeTrail(services, tx, principal, block, { ...before.value, ...marks(before) }, { ...value, ...marks(next, before) });
  });
}

/** A block whose parts go together. @throws HttpError `invalid_data` */
function whole<B extends SettingBlock>(block: B, value: object): BlockOf<B> {
  const result = settingBlocks[block].schema.safeParse(value);
  if (!result.success) throw new HttpError('invalid_data', { issues: toIssues(result.error) });
  return result.data as BlockOf<B>;
}

/** What the trail is told of secret and picture: whether there is one, and that it is another. */
function marks(stored: Required<Values>, before?: Required<Values>): Record<string, unknown> {
  const shown = (key: keyof Values): string | null => {
    if (stored[key] === null) return null;
    return before && before[key] !== null && before[key] !== stored[key] ? 'changed' : 'set';
  };
  return { secret: shown('secretCipher'), logo: shown('logoFile') };
}

/** Tells the trail of a change of settings, where there is one. */
export async function writeTrail(
  services: Services,
  tx: Db,
  principal: Principal,
  block: string,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Promise<void> {
  const changes = changesBetween(before, after);
  if (Object.keys(changes).length === 0) return;
  const named = Object.fromEntries(Object.entries(changes).map(([field, change]) => [`${block}.${field}`, change]));
  await audit(tx, principal, { area: 'project-settings', action: 'update', changes: named }, services.now());
}
