import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { HttpError } from '#server/http-error.ts';
import { blocksOf } from '#server/blocks.ts';
import type { Limiter } from '#server/limiter.ts';
import type { Origin } from './tokens.ts';

/** Requests a minute before pauses: of one name from one address, of an address, of a name. */
const limits = { pair: 4, address: 30, name: 8, spare: 0 };
const limiters = new WeakMap<Db, Map<string, Limiter>>();

function limiterOf({ db, now }: Services, kind: string): Limiter {
  const ofDb = limiters.get(db) ?? new Map<string, Limiter>();
  limiters.set(db, ofDb);
  const found = ofDb.get(kind) ?? blocksOf({ db }).limiter('request', limits, () => now().getTime());
  ofDb.set(kind, found);
  return found;
}

/**
 * Paces what strangers may ask for, such as mails: every request counts, whatever comes of it, so that a refusal tells nothing.
 * @throws HttpError `too_many_requests`
 */
export function requirePace(services: Services, kind: string, name: string, { ip }: Origin): void {
  const limiter = limiterOf(services, kind);
  const key = name.toLowerCase();
  const closed = limiter.closed(key, ip);
  const seconds = closed > 0 ? closed : limiter.failed(key, ip).address;
  if (seconds > 0) throw new HttpError('too_many_requests', { seconds }, seconds);
}
