import { type SQL, sql } from 'drizzle-orm';
import { type CountedFeature, countedFeatures } from '#models/seats.ts';
import type { Db } from '#server/db/database.ts';
import { auditEvents, projects } from '#server/db/schema/index.ts';
import { noneUsed, placedSeats, seatsOf, type Used } from './count.ts';

/** A time during which something took a seat, in ms; null: it still does. */
interface Span {
  since: number;
  until: number | null;
}
interface Seat extends Span {
  feature: CountedFeature;
  id: string;
}
/** One entry of the trail about something that may take a seat: whether it did before and after. */
type Step = {
  id: string;
  area: 'sip-numbers' | 'ukey2';
  action: string;
  at: number;
  before: boolean;
  after: boolean;
};

/** What takes a seat today, or did until it was revoked. */
async function presentSeats(db: Db, projectId: string, groupId: string | null): Promise<Seat[]> {
  const from: SQL = groupId === null ? sql`seat` : sql`placed where path @> array[${groupId}::uuid]`;
  const { rows } = await db.execute<{ feature: CountedFeature; id: string; since: number; until: number | null }>(sql`
    with seat as (${seatsOf(projectId)}), placed as (${placedSeats})
    select distinct on (feature, id) feature, id, (extract(epoch from since) * 1000)::float8 as since, (extract(epoch from until) * 1000)::float8 as until from ${from}`);
  return rows;
}

/**
 * What the trail says of numbers that were given and taken, and of keys that were deleted; oldest first. Of a key that is still there its own row knows
 * more.
 */
async function readSteps(db: Db, projectId: string, groupId: string | null): Promise<Step[]> {
  const held = (side: 'before' | 'after'): SQL =>
    sql`coalesce(${auditEvents.changes} #>> ${`{user,${side}}`}, ${auditEvents.changes} #>> ${`{device,${side}}`}, ${auditEvents.changes} #>> ${`{domain,${side}}`}) is not null`;
  const { rows } = await db.execute<Step>(sql`
    select entity_id as id, area, action, (extract(epoch from created_at) * 1000)::float8 as at,
      case when area = 'ukey2' then action = 'delete' and changes #>> '{revoked_at,before}' is null else ${held('before')} end as before,
      case when area = 'ukey2' then action = 'create' else ${held('after')} end as after
    from ${auditEvents}
    where project_id = ${projectId} and entity_id is not null
      and ((area = 'sip-numbers' and (action in ('create', 'delete') or changes ?| array['user', 'device', 'domain'])) or (area = 'ukey2' and action in ('create', 'delete')))
      and ${groupId === null ? sql`true` : sql`groups @> array[${groupId}::uuid]`}
    order by created_at, id`);
  return rows;
}

/** The times a number was somebody's, by the trail; before its first entry it was what that entry says it had been. */
function spansOf(steps: readonly Step[], { begun, endsHeld }: { begun: number; endsHeld: boolean }): Span[] {
  const spans: Span[] = [];
  const [first] = steps;
  let since = first && first.action !== 'create' && first.before ? begun : null;
  for (const { at, action, after } of steps) {
    const holds = action !== 'delete' && after;
    if (since !== null && !holds) spans.push({ since, until: at });
    if (!holds) since = null;
    else since ??= at;
  }
  if (since !== null && endsHeld) spans.push({ since, until: null });
  return spans;
}

const byId = (steps: readonly Step[]): Map<string, Step[]> => {
  const found = new Map<string, Step[]>();
  for (const step of steps) found.set(step.id, [...(found.get(step.id) ?? []), step]);
  return found;
};

/** The index of the first of some ascending moments that is not before a moment. */
function firstFrom(moments: readonly number[], at: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of some spans hold each of some ascending moments. */
export function heldAt(spans: readonly Span[], moments: readonly number[]): number[] {
  const change = Array.from({ length: moments.length + 1 }, () => 0);
  for (const { since, until } of spans) {
    const [begins, ends] = [firstFrom(moments, since), until === null ? moments.length : firstFrom(moments, until)];
    if (ends <= begins) continue;
    change[begins] = (change[begins] ?? 0) + 1;
    change[ends] = (change[ends] ?? 0) - 1;
  }
  let held = 0;
  return moments.map((_, index) => (held += change[index] ?? 0));
}

/**
 * How many seats were in use at some ascending moments, from what is there and what the trail keeps. What went together with its person has no entry of
 * its own, so that the truth may have been more; groups are those of today.
 */
export async function reckonUse(db: Db, projectId: string, groupId: string | null, moments: readonly number[]): Promise<Used[]> {
  const [project] = (
    await db.execute<{ at: number }>(sql`select (extract(epoch from created_at) * 1000)::float8 as at from ${projects} where id = ${projectId}`)
  ).rows;
  const begun = project?.at ?? 0;
  const present = await presentSeats(db, projectId, groupId);
  const steps = byId(await readSteps(db, projectId, groupId));
  const there = new Map(present.map((seat) => [seat.id, seat]));
  const spans: Record<CountedFeature, Span[]> = { sip: [], mobile_app: [], ukey2: [] };
  for (const seat of present) if (seat.feature !== 'sip' || !steps.has(seat.id)) spans[seat.feature].push(seat);
  for (const [id, own] of steps) {
    const seat = there.get(id);
    const [step] = own;
    if (step?.area === 'sip-numbers')
      spans.sip.push(...spansOf(own, { begun: seat ? Math.max(begun, seat.since) : begun, endsHeld: seat !== undefined }));
    else if (!seat) spans.ukey2.push(...spansOf(own, { begun, endsHeld: false }));
  }
  const held = Object.fromEntries(countedFeatures.map((feature) => [feature, heldAt(spans[feature], moments)])) as Record<CountedFeature, number[]>;
  return moments.map((_, index) => ({
    ...noneUsed,
    ...Object.fromEntries(countedFeatures.map((feature) => [feature, held[feature][index] ?? 0])),
  }));
}
