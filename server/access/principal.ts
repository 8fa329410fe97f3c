import { createHash, randomBytes } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Principal, Services } from '../context.ts';

/** A fresh token of 256 bits, as it is told to its holder once. */
export const makeToken = (): string => randomBytes(32).toString('base64url');

/** A token as the database keeps it. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The bearer token of a request. Only the Authorization header counts: an address is logged and remembered. */
export function tokenOf(request: FastifyRequest): string | null {
  const match = /^Bearer ([\w~+/.=-]{16,512})$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

/** From where somebody asks. */
export interface Origin {
  ip: string;
  userAgent: string | null;
}

/** From where a request comes, as audit and session list tell it. */
export const originOf = (request: FastifyRequest): Origin => ({
  ip: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
});

interface PrincipalRow extends Record<string, unknown> {
  session_id: string;
  seen: string;
  expires: string | number;
  id: string;
  project_id: string;
  role_id: string;
  name: string;
  locale: string;
  permissions: string[];
  domains: string[];
  available: string[];
  version: string;
  must_enrol: boolean;
}

/**
 * All that a profile shows, boiled down: the person, their role and what it may assign, their groups, the project's licence.
 * The tables are named as the surrounding statement names them.
 */
export function profileVersion(user: string, role: string, project: string) {
  const [u, r, p] = [sql.raw(user), sql.raw(role), sql.raw(project)];
  return sql`left(md5(concat_ws('|', ${u}.id, ${u}.version, ${r}.id, ${r}.version, ${p}.version,
    (select string_agg(a.available_id::text, ',' order by a.available_id) from available_roles a where a.role_id = ${r}.id),
    (select string_agg(g.id::text || ':' || g.version, ',' order by g.id) from user_domains d join groups g on g.id = d.group_id where d.user_id = ${u}.id))), 16)`;
}

/** Whether a role requires a second factor that its holder has yet to set up; the tables are named as the surrounding statement names them. */
export function mustEnrol(user: string, role: string) {
  const [u, r] = [sql.raw(user), sql.raw(role)];
  return sql`(${r}.requires_second_factor and not exists (select from second_factors f where f.user_id = ${u}.id and f.confirmed_at is not null)
    and not exists (select from passkeys k where k.user_id = ${u}.id))`;
}

/**
 * Whether a session was begun by a password alone though the role requires more and there is more: it was begun before the role did, or
 * beside the passkeys. Who knows only the password could add a passkey of their own, so such a session is over.
 */
export function isTooWeak(session: string, user: string, role: string) {
  const [s, u, r] = [sql.raw(session), sql.raw(user), sql.raw(role)];
  return sql`(${r}.requires_second_factor and not ${s}.with_second_factor and exists (select from passkeys k where k.user_id = ${u}.id)
    and not exists (select from second_factors f where f.user_id = ${u}.id and f.confirmed_at is not null))`;
}

const seenEvery = 60_000;

/** A session as it stands this moment: who it belongs to and until when (ms since 1970) its access token holds. */
export interface OpenSession {
  principal: Principal;
  expiresAt: number;
}

/** The session that a condition on `sessions s` names, if its access token has not run out; who it belongs to is read with it. */
async function readSession({ db, now, log }: Services, condition: SQL, origin: Origin): Promise<OpenSession | null> {
  const at = now();
  const { rows } = await db.execute<PrincipalRow>(sql`
    select s.id as session_id, least(s.last_seen_at, coalesce(u.last_seen_at, 'epoch'))::text as seen, extract(epoch from s.token_expires_at) * 1000 as expires, u.id, u.project_id, u.role_id, u.name, u.locale,
      to_json(r.permissions) as permissions,
      to_json(array(select d.group_id from user_domains d where d.user_id = u.id order by 1)) as domains,
      to_json(array(select a.available_id from available_roles a where a.role_id = r.id order by 1)) as available,
      ${profileVersion('u', 'r', 'p')} as version,
      ${mustEnrol('u', 'r')} as must_enrol
    from sessions s join users u on u.id = s.user_id join roles r on r.id = u.role_id join projects p on p.id = u.project_id
    where ${condition} and s.token_expires_at > ${at.toISOString()}::timestamptz and not ${isTooWeak('s', 'u', 'r')}`);
  const [row] = rows;
  if (!row) return null;
  if (at.getTime() - Date.parse(row.seen) > seenEvery)
    await markSeen(db, row, at).catch((error: unknown) => log.warn({ err: error }, 'the moment somebody was seen could not be kept'));
  return { principal: asPrincipal(row, origin), expiresAt: Number(row.expires) };
}

const asPrincipal = (row: PrincipalRow, { ip, userAgent }: Origin): Principal => ({
  id: row.id,
  projectId: row.project_id,
  sessionId: row.session_id,
  name: row.name,
  locale: row.locale === 'ru' ? 'ru' : 'en',
  roleId: row.role_id,
  permissions: row.permissions,
  domains: row.domains,
  availableRoles: row.available,
  profileVersion: row.version,
  mustEnrol: row.must_enrol,
  ip,
  userAgent,
});

/**
 * Whose access token this is, as the database knows them this moment; null when it is unknown, outdated or its user is
 * gone. A change of role or groups is therefore in force with the next request.
 */
export const sessionOfToken = (services: Services, token: string, origin: Origin): Promise<OpenSession | null> =>
  readSession(services, sql`s.token_hash = ${hashToken(token)}`, origin);

/** A session looked at again, whatever token it has by now. */
export const sessionAgain = (services: Services, { sessionId, ip, userAgent }: Principal): Promise<OpenSession | null> =>
  readSession(services, sql`s.id = ${sessionId}`, { ip, userAgent });

/** Somebody whose work goes on without a request of theirs, as the database knows them this moment; null when they are gone. */
export async function principalOf({ db }: Pick<Services, 'db'>, userId: string, origin: Origin): Promise<Principal | null> {
  const { rows } = await db.execute<PrincipalRow>(sql`
    select '' as session_id, '' as seen, 0 as expires, u.id, u.project_id, u.role_id, u.name, u.locale,
      to_json(r.permissions) as permissions,
      to_json(array(select d.group_id from user_domains d where d.user_id = u.id order by 1)) as domains,
      to_json(array(select a.available_id from available_roles a where a.role_id = r.id order by 1)) as available,
      '' as version, false as must_enrol
    from users u join roles r on r.id = u.role_id where u.id = ${userId}`);
  return rows[0] ? asPrincipal(rows[0], origin) : null;
}

async function markSeen(db: Services['db'], row: PrincipalRow, at: Date): Promise<void> {
  const moment = at.toISOString();
  await db.execute(sql`with seen as (update sessions set last_seen_at = ${moment}::timestamptz where id = ${row.session_id})
    update users set last_seen_at = ${moment}::timestamptz where id = ${row.id}`);
}
