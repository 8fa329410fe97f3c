import { createHash, randomInt } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { lengthOf } from '#models/time.ts';
import { activationCode, plainCode } from '#models/ukey2.ts';
import { audit } from '#server/audit.ts';
import type { Origin } from '#server/access/principal.ts';
import type { Principal, Services } from '#server/context.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { holdRow, transact } from '#server/crud/write.ts';
import type { Db } from '#server/db/database.ts';
import { identifiers, projects, ukey2Activations, users } from '#server/db/schema/index.ts';
import { notifyingDevices } from '#server/devices/copies.ts';
import { HttpError } from '#server/http-error.ts';
import { isApiKey } from '#server/settings/mobile.ts';
import { blocksOf } from '#server/blocks.ts';
import type { Limiter } from '#server/limiter.ts';
import { makeKey } from '../identifiers/rules.ts';
import { ukey2Repository } from './repository.ts';

/** How long a code may be used. */
const codeLasts = lengthOf(1, 'day');

const hashOf = (code: string): string => createHash('sha256').update(plainCode(code)).digest('hex');

/** Whoever could foresee it would hold the key. */
function makeCode(): string {
  const { groups, groupLength, letters } = activationCode;
  const group = (): string => Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

/**
 * A new code for a key that waits for its phone; the one before it ends.
 * @throws HttpError `not_found`, `editing_prohibited` once a phone holds the key or it was revoked
 */
export const newCode = (services: Services, principal: Principal, id: string): Promise<{ code: string; until: string }> =>
  auditRefused(services, principal, { area: 'ukey2', verb: 'edit', id }, () =>
    transact(services, async (tx) => {
      const row = await holdRow(tx, ukey2Repository, principal, 'edit', id);
      if (row['activated_at'] !== null || row['revoked_at'] !== null) throw new HttpError('editing_prohibited');
      const at = services.now();
      const [code, until] = [makeCode(), new Date(at.getTime() + codeLasts)];
      const given = { codeHash: hashOf(code), codeUntil: until };
      await tx
        .insert(ukey2Activations)
        .values({ identifierId: id, ...given })
        .onConflictDoUpdate({ target: ukey2Activations.identifierId, set: given });
      await grow(tx, id, at);
      const changes = { code_until: { before: row['code_until'], after: until.toISOString() } };
      await audit(tx, principal, { area: 'ukey2', action: 'update', entityId: id, entityName: String(row['name']), changes }, at);
      return { code, until: until.toISOString() };
    }),
  );

const grow = (tx: Db, id: string, at: Date, value?: string) =>
  tx
    .update(identifiers)
    .set({ ...(value !== undefined && { value }), version: sql`${identifiers.version} + 1`, updatedAt: at })
    .where(eq(identifiers.id, id));

const limiters = new WeakMap<Db, Limiter>();
/** Wrong codes that an address may send in a minute, whatever they are. */
const wrongCodes = 10;
const unlimited = Number.MAX_SAFE_INTEGER;
function limiterOf({ db, now }: Services): Limiter {
  const made =
    limiters.get(db) ??
    blocksOf({ db }).limiter('activation_code', { pair: wrongCodes, address: unlimited, name: unlimited, spare: 0 }, () => now().getTime());
  limiters.set(db, made);
  return made;
}
const guesses = 'ukey2-activation';

/** The key that a code is good for, held; null for a code that never was, was used or is over. */
async function held(tx: Db, code: string, at: Date) {
  const [found] = await tx
    .select({ id: identifiers.id, name: identifiers.name, projectId: identifiers.projectId, project: projects.name, owner: users })
    .from(ukey2Activations)
    .innerJoin(identifiers, eq(identifiers.id, ukey2Activations.identifierId))
    .innerJoin(projects, eq(projects.id, identifiers.projectId))
    .innerJoin(users, eq(users.id, identifiers.userId))
    .where(
      sql`${ukey2Activations.codeHash} = ${hashOf(code)} and ${ukey2Activations.codeUntil} > ${at.toISOString()}::timestamptz
        and ${identifiers.revokedAt} is null`,
    )
    .for('update', { of: [ukey2Activations, identifiers] });
  return found ?? null;
}

/**
 * A phone takes a key: the code is spent, the devices are told the key that only the phone knows.
 * @throws HttpError `outdated_link` for a code that is no good, or comes without the API key the project asks for; `too_many_requests`
 */
export async function activate(
  services: Services,
  { code, phone, apiKey }: { code: string; phone: string; apiKey: unknown },
  { ip, userAgent }: Origin,
) {
  const limiter = limiterOf(services);
  const wait = limiter.closed(guesses, ip);
  if (wait > 0) throw new HttpError('too_many_requests', { seconds: wait }, wait);
  const taken = await transact(services, async (tx) => {
    const at = services.now();
    const found = await held(tx, code, at);
    // A code alone tells nobody that it is good: the app has to be one of the project's.
    if (!found || !(await isApiKey(services, tx, found.projectId, apiKey))) return null;
    const { id, name, projectId, project, owner } = found;
    const key = makeKey();
    await notifyingDevices(tx, 'ukey2', [id], () => grow(tx, id, at, key));
    await tx.update(ukey2Activations).set({ codeHash: null, codeUntil: null, phone, activatedAt: at }).where(eq(ukey2Activations.identifierId, id));
    const changes = { phone: { before: null, after: phone }, activated_at: { before: null, after: at.toISOString() } };
    const actor = { projectId, id: owner.id, name: owner.name, ip, userAgent };
    await audit(tx, actor, { area: 'ukey2', action: 'update', entityId: id, entityName: name, changes }, at);
    return { key, name, project };
  });
  if (taken) return taken;
  limiter.failed(guesses, ip);
  throw new HttpError('outdated_link');
}
