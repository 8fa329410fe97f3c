import { sql } from 'drizzle-orm';
import { idArray } from '#server/access/measures.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { unseal } from '#server/devices/secrets.ts';
import { allowedAddress } from '#server/integrations/guard.ts';
import { featuresFor } from '#server/licences/features.ts';
import { type Trunk, trunkPlace } from '../sip/trunk.ts';
import type { Caller } from './found.ts';

/** A line out, as a call takes it. */
export interface TrunkLine {
  uri: string;
  /** Where its server is, looked up for this call; null where that may not be called, or is not known. */
  address: string | null;
  login: string | null;
  password: string | null;
  /** The number that is shown outside. */
  outgoing: string | null;
  trunk: Trunk;
}
interface TrunkRow extends Record<string, unknown> {
  termination_uri: string;
  login: string | null;
  password_cipher: string | null;
  outgoing_number: string | null;
  id: string;
  name: string;
  groups: string[];
  panel_calls: boolean;
  panel_keys: boolean;
}

const trunkFor = (db: Db, projectId: string, groups: readonly string[]) =>
  db.execute<TrunkRow>(sql`select t.id, t.name, t.termination_uri, t.login, t.password_cipher, t.outgoing_number,
    t.allow_panel_calls as panel_calls, t.allow_panel_keys as panel_keys,
    to_json(array(select o.group_id from sip_trunk_groups o where o.trunk_id = t.id)) as groups from sip_trunks t
    join sip_trunk_groups l on l.trunk_id = t.id join groups g on g.id = l.group_id
    where t.project_id = ${projectId} and l.group_id = any(${idArray(groups)}) order by cardinality(g.path) desc, t.name limit 1`);

/** Is there a line out for this caller? Calls that came from outside do not go out again. */
export async function mayUseTrunk(db: Db, { holder, projectId }: Caller): Promise<boolean> {
  return holder !== null && (await trunkFor(db, projectId, holder.path)).rows.length > 0;
}

/** The way down to the highest of the groups that a number shown outside belongs to; null for one that no trunk has. */
export async function placeOfOutgoing(db: Db, projectId: string, number: string): Promise<readonly string[] | null> {
  const digits = (text: string): string => text.replaceAll(/\D/g, '');
  const { rows } = await db.execute<{
    path: string[];
    shown: string;
  }>(sql`select to_json(g.path) as path, t.outgoing_number as shown from sip_trunks t
    join sip_trunk_groups l on l.trunk_id = t.id join groups g on g.id = l.group_id
    where t.project_id = ${projectId} and t.outgoing_number is not null order by cardinality(g.path), t.name`);
  return rows.find(({ shown }) => digits(shown) === digits(number))?.path ?? null;
}

/** `sip:host:port;parameters` and a number: `sip:number@host:port;parameters`. */
export function dialledUri(terminationUri: string, number: string): string {
  const [, scheme = 'sip', place = terminationUri] = /^(sips?):(?:[^@]*@)?(.*)$/i.exec(terminationUri) ?? [];
  return `${scheme.toLowerCase()}:${number}@${place}`;
}

async function addressOf({ config, log }: Services, uri: string): Promise<string | null> {
  const place = trunkPlace(uri);
  if (!place) return null;
  try {
    return await allowedAddress(place.host, config.integrationLoopback);
  } catch (error) {
    log.warn({ err: error, host: place.host }, 'the server of a trunk cannot be called');
    return null;
  }
}

/** The line of the nearest group that has one, as far as it is licensed; null where there is none. */
export async function trunkLine(services: Services, projectId: string, path: readonly string[], number: string): Promise<TrunkLine | null> {
  const { rows } = await trunkFor(services.db, projectId, path);
  const [row] = rows;
  if (!row) return null;
  const { sip } = await featuresFor(services, { projectId, domains: path.slice(-1) }, services.now());
  if (!sip.is_enabled || !sip.is_sip_trunks_enabled) return null;
  const uri = dialledUri(row.termination_uri, number);
  return {
    uri,
    address: await addressOf(services, uri),
    login: row.login,
    password: row.password_cipher === null ? null : unseal(services, row.password_cipher),
    outgoing: row.outgoing_number,
    trunk: { id: row.id, name: row.name, projectId, groups: row.groups, panelCalls: row.panel_calls, panelKeys: row.panel_keys },
  };
}
