import { and, eq, sql } from 'drizzle-orm';
import { hasDoor } from '#models/device-models.ts';
import type { DenialReason } from '#models/device-events.ts';
import type { WireCode } from '#models/problem.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { identifiers, projects } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { blocksOf } from '#server/blocks.ts';
import type { Limiter } from '#server/limiter.ts';

/** A key that stands in an address, with the project it belongs to. */
export type Key = typeof identifiers.$inferSelect & { project: string };
/** A door that a key opens at some time. */
export interface KeyDoor {
  id: string;
  name: string;
  place: string | null;
}

const limiters = new WeakMap<Db, Limiter>();
/** Wrong keys that an address may send in a minute, whatever they are. */
const wrongKeys = 20;
const unlimited = Number.MAX_SAFE_INTEGER;

/** Nobody guesses 128 bits; whoever tries waits, longer each time. */
function limiterOf({ db, now }: Services): Limiter {
  const made =
    limiters.get(db) ??
    blocksOf({ db }).limiter('guest_key', { pair: wrongKeys, address: unlimited, name: unlimited, spare: 0 }, () => now().getTime());
  limiters.set(db, made);
  return made;
}

const guesses = 'guest-access';

/** The identifier whose page this is. @throws HttpError `guest_invalid`, the same for what never was and what is gone; `too_many_requests` */
export async function findKey(services: Services, token: string, ip: string): Promise<Key> {
  const limiter = limiterOf(services);
  const wait = limiter.closed(guesses, ip);
  if (wait > 0) throw new HttpError('too_many_requests', { seconds: wait }, wait);
  const [found] = await services.db
    .select({ key: identifiers, project: projects.name })
    .from(identifiers)
    .innerJoin(projects, eq(projects.id, identifiers.projectId))
    .where(and(eq(identifiers.keyToken, token)));
  if (found) return { ...found.key, project: found.project };
  limiter.failed(guesses, ip);
  throw new HttpError('guest_invalid');
}

const codes: Partial<Record<DenialReason, WireCode>> = { expired: 'guest_expired', passes_used: 'guest_passes_used' };
/** A refusal as a guest is told it: by the catalogue, with the reason where the catalogue has none of its own. */
export const guestError = (reason: DenialReason): HttpError => new HttpError(codes[reason] ?? 'guest_invalid', { reason });

/** What makes a key useless at every door. @throws HttpError as `guestRefusal` */
export function requireUsable(key: Key, at: Date): void {
  if (key.revokedAt) throw guestError('revoked');
  if (key.lostAt || !key.isActive) throw guestError('blocked');
  if (key.periodRestrictActive && key.periodRestrictTo && key.periodRestrictTo <= at) throw guestError('expired');
  if (passesLeft(key) === 0) throw guestError('passes_used');
}

/** How often a key still opens; null is as often as one likes. */
export const passesLeft = ({
  passesRestrictActive,
  passesMaxCount,
  passesCount,
}: Pick<Key, 'passesRestrictActive' | 'passesMaxCount' | 'passesCount'>): number | null =>
  passesRestrictActive && passesMaxCount !== null ? Math.max(0, passesMaxCount - passesCount) : null;

/** The doors of the rules that a key was given, and of those that reach its owner, by name. */
export async function doorsOfKey(db: Db, { id, projectId, userId }: Key): Promise<KeyDoor[]> {
  const { rows } = await db.execute<{ id: string; name: string; place: string | null; type: string; model: string }>(sql`
    select device.id, device.name, place.name as place, device.type, device.model from devices device join groups place on place.id = device.domain_id
    where device.project_id = ${projectId} and device.protocol <> 'none' and device.id in (
      select named.device_id from access_rule_devices named join access_rules rule on rule.id = named.rule_id
      where not rule.prohibition and (rule.id in (select rule_id from access_rule_identifiers where identifier_id = ${id})
        or rule.id in (select rule_id from access_rule_users where user_id = ${userId})
        or rule.id in (select reaching.rule_id from access_rule_groups reaching join groups held on reaching.group_id = any(held.path)
          join user_domains people on people.group_id = held.id where people.user_id = ${userId})))
    order by lower(device.name), device.id`);
  return rows.filter(hasDoor).map((door) => ({ id: door.id, name: door.name, place: door.place }));
}
