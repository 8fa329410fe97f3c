import { audit } from './audit.ts';
import type { Services } from './context.ts';

/** What was guessed at: a row of an area, in whose project's trail it is told. */
export interface Guessed {
  id: string;
  name: string;
  projectId: string;
}

/** Where guesses came from, and what they tried. */
export interface Guesser {
  area: 'users' | 'devices' | 'sip-numbers';
  /** The name that was tried. */
  name: string;
  ip: string;
  userAgent: string;
}

/**
 * Tells administrators who is being guessed at, and from where; never a secret. What nobody has is told in the log alone. Nobody waits
 * for it: how long an answer takes must not say whether there is such a name.
 */
export async function notifyLimited(
  { db, log, now }: Services,
  { area, name, ip, userAgent }: Guesser,
  find: () => Promise<Guessed[]>,
): Promise<void> {
  log.warn({ area, name: name.slice(0, 100), ip }, 'too many wrong passwords');
  const changes = { cause: { before: null, after: 'too_many_tries' }, login: { before: null, after: name.slice(0, 100) } };
  try {
    for (const row of await find()) {
      const actor = { projectId: row.projectId, id: row.id, name: row.name, ip, userAgent };
      await audit(db, actor, { area, action: 'refused', entityId: row.id, entityName: row.name, changes }, now());
    }
  } catch (error) {
    log.error({ err: error }, 'guesses could not be put on record');
  }
}
