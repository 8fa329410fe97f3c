import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { GeneratedGroup } from '#models/groups.ts';
import { idArray } from '#server/access/measures.ts';
import { scopeOf, visibleIds } from '#server/access/scope.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { groups } from '#server/db/schema/index.ts';
import type { Progress, Work } from '#server/jobs/jobs.ts';
import { unknownRelated } from '#server/http-error.ts';
import { groupDefaults } from './repository.ts';
import { measure } from './generate.ts';
import { requirePlace, holdTree } from './tree-moves.ts';

/** A group ready to be stored, with its place in the tree. */
interface Placed {
  id: string;
  parent_id: string;
  type_id: string;
  name: string;
  logic_address: string | null;
  path: string;
}

function* placed(proposal: readonly GeneratedGroup[], above: readonly string[]): Generator<Placed> {
  for (const group of proposal) {
    const id = randomUUID();
    const path = [...above, id];
    yield {
      id,
      parent_id: above.at(-1) ?? '',
      type_id: group.domain_type_id,
      name: group.name,
      logic_address: group.logic_address || null,
      path: `{${path.join(',')}}`,
    };
    yield* placed(group.children, path);
  }
}

/** Every type that a proposal names must be there. @throws HttpError `invalid_related` */
export async function requireTypes(db: Db, principal: Principal, ids: Iterable<string>): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id::text as id from unnest(${idArray([...new Set(ids)])}) id where id not in ${visibleIds(scopeOf(principal), 'group-types')}`,
  );
  if (rows.length > 0) throw unknownRelated(rows.map(({ id }) => id));
}

const atOnce = 1_000;

async function store(tx: Db, services: Services, principal: Principal, rows: readonly Placed[], progress: Progress): Promise<void> {
  const [limits, label, wallet, licence] = [
    groupDefaults.guestLimits,
    groupDefaults.whitelabel,
    groupDefaults.appleWallet,
    groupDefaults.licence,
  ].map((part) => JSON.stringify(part));
  const at = services.now().toISOString();
  for (let from = 0; from < rows.length; from += atOnce) {
    await turn();
    progress.stopIfCancelled();
    const part = JSON.stringify(rows.slice(from, from + atOnce));
    await tx.execute(sql`
      insert into ${groups} (id, project_id, parent_id, type_id, name, logic_address, path, guest_limits, whitelabel, apple_wallet, licence, created_by, created_at, updated_at)
      select id, ${principal.projectId}::uuid, parent_id, type_id, name, logic_address, path::uuid[], ${limits}::jsonb, ${label}::jsonb, ${wallet}::jsonb, ${licence}::jsonb,
        ${principal.id}::uuid, ${at}::timestamptz, ${at}::timestamptz
      from jsonb_to_recordset(${part}::jsonb) as given(id uuid, parent_id uuid, type_id uuid, name text, logic_address text, path text)`);
  }
}

/** Stores a proposed tree below a group, all of it or nothing, as long work. */
export const saveGenerated =
  (services: Services, principal: Principal, id: string, proposal: readonly GeneratedGroup[]): Work =>
  async (progress) => {
    const { size, levels } = measure(proposal);
    progress.total(size);
    await services.db.transaction(async (tx) => {
      await holdTree(tx, principal.projectId, 'share');
      const above = await requirePlace(tx, principal, id, levels);
      const rows = [...placed(proposal, above)];
      await requireTypes(
        tx,
        principal,
        rows.map(({ type_id }) => type_id),
      );
      await store(tx, services, principal, rows, progress);
      const changes = { groups: { before: null, after: size } };
      await audit(tx, principal, { area: 'groups', action: 'generate', entityId: id, changes }, services.now());
    });
    await progress.done(size);
  };
