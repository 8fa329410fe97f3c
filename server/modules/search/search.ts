import { and, not, type SQL, sql } from 'drizzle-orm';
import type { Feature } from '#models/licence-info.ts';
import { modelOf } from '#models/index.ts';
import { scopesOf } from '#models/permissions.ts';
import { type Found, type SearchArea, searchAreas } from '#models/search.ts';
import { folded, inOtherLayout } from '#models/typed-text.ts';
import { idArray } from '#server/access/measures.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { jsonObject } from '#server/crud/json.ts';
import { HttpError } from '#server/http-error.ts';
import { requireFeature } from '#server/licences/features.ts';
import { areaScopes } from '../scopes.ts';
import { nameMatches } from './patterns.ts';
import { searched } from './searched.ts';

/** So many rows of an area are told. */
const most = 6;

/**
 * The ways a row may match, the best first, none of them met by two: rows are looked for way by way until there are enough. Rows
 * used lately come first.
 */
function waysOf(area: SearchArea, principal: Principal, typed: string, recent: readonly string[]): SQL[] {
  const { name, further } = searched[area];
  const { id } = areaScopes[area].table;
  const isRecent = sql`${id} = any(${idArray(recent)})`;
  if (typed === '') return [isRecent];
  const [starts, word, contains] = nameMatches(name, typed);
  const more = further(scopeOf(principal), typed);
  const ways = [starts, word, contains, ...more];
  const apart = ways.map((way, at) => and(way, ...ways.slice(0, at).map((before) => not(sql`coalesce(${before}, false)`))) ?? sql`false`);
  if (recent.length === 0) return apart;
  return [and(isRecent, contains) ?? isRecent, ...apart.map((way) => and(way, sql`not (${isRecent} and ${contains})`) ?? way)];
}

async function searchArea({ db }: Services, principal: Principal, area: SearchArea, typed: string, recent: readonly string[]): Promise<Found[]> {
  const scope = scopeOf(principal);
  const { table } = areaScopes[area];
  const { order, title, detail } = searched[area];
  const rows = sql.join(
    waysOf(area, principal, typed, recent).map(
      (way) => sql`(select ${table.id} as id from ${table} where ${viewable(scope, area)} and ${way} order by ${order}, ${table.id} limit ${most})`,
    ),
    sql` union all `,
  );
  const row = jsonObject({ area: sql`${area}::text`, id: table.id, name: title, detail: detail(scope, typed) });
  const answer = await db.execute<{ rows: Found[] }>(sql`
    select coalesce(json_agg(${row} order by place.at), '[]'::json) as rows
    from (select id, row_number() over () as at from (select id from (${rows}) ways limit ${most}) found) place join ${table} on ${table.id} = place.id`);
  return answer.rows[0]?.rows ?? [];
}

/** Whether a licensed area is open to somebody; one that belongs to no feature always is. */
async function isLicensed(services: Services, principal: Principal, feature: Feature | undefined): Promise<boolean> {
  if (!feature) return true;
  try {
    await requireFeature(services, principal, feature);
    return true;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}

/** Areas whose rows somebody may read at all. */
async function readable(services: Services, principal: Principal): Promise<SearchArea[]> {
  const areas = searchAreas.filter((area) => scopesOf(principal, 'view', area).length > 0);
  const licensed = await Promise.all(areas.map((area) => isLicensed(services, principal, modelOf(area).feature)));
  return areas.filter((_area, at) => licensed[at]);
}

/** Rows of all areas that match, of what the principal may see. What finds nothing is tried as typed in the other keyboard layout. */
export async function search(services: Services, principal: Principal, text: string, recent: readonly string[]): Promise<Found[]> {
  const areas = await readable(services, principal);
  const ask = async (typed: string): Promise<Found[]> =>
    (await Promise.all(areas.map((area) => searchArea(services, principal, area, typed, recent)))).flat();
  const typed = folded(text);
  const found = await ask(typed);
  const other = typed === '' || found.length > 0 ? null : inOtherLayout(typed);
  return other ? ask(folded(other)) : found;
}
