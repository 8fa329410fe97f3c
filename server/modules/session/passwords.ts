import { hash, verify } from '@node-rs/argon2';
import { invalidField } from '#server/http-error.ts';
import { isCommonPassword } from './common-passwords.ts';

/** argon2id with 19 MiB and two passes: what OWASP asks for at least. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A password as the database keeps it. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/**
 * A password that somebody chose for a person, as the database keeps it. `field` names it in the request.
 * @throws HttpError `invalid_data` for one that everybody tries first
 */
export async function hashChosen(password: string, field: string): Promise<string> {
  if (isCommonPassword(password)) throw invalidField([field], 'common_password');
  return hashPassword(password);
}

let stranger: Promise<string> | undefined;

/**
 * Does the password fit the hash? Where there is no hash (an unknown login, a registration not finished) a stand-in is
 * tried, so that the answer takes as long.
 */
export async function fitsPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  stranger ??= hashPassword('nobody has this password');
  const fits = await verify(stored ?? (await stranger), password);
  return fits && typeof stored === 'string';
}
