import { sql } from 'drizzle-orm';
import type { Services } from '#server/context.ts';
import { Refusal } from '#server/refusal.ts';

/** What tries are counted by, and how many may fail before a pause. */
interface Brake {
  key: string;
  tries: number;
  code: 'locked_out' | 'too_many_requests';
}

/** Pauses double from a minute to a quarter of an hour; a quarter of an hour without a failure forgets all. */
const firstPause = 60;
const longestPause = 900;

/** By whom, and from where. */
export const signInBrakes = ({ config }: Services, login: string, ip: string): Brake[] => [
  { key: `ip:${ip}`, tries: config.signInTriesPerIp, code: 'too_many_requests' },
  { key: `login:${login.toLowerCase()}`, tries: config.signInTries, code: 'locked_out' },
];

/**
 * Counts a try before it is made, in one statement, so that any number made at once cannot pass more than are allowed.
 * @throws Refusal with the seconds left of the pause.
 */
async function countTry({ db, now }: Services, { key, tries, code }: Brake): Promise<void> {
  const at = sql`${now().toISOString()}::timestamptz`;
  const paused = sql`(f.locked_until > ${at})`;
  const quiet = sql`(f.since < ${at} - make_interval(secs => ${longestPause}) and not coalesce(${paused}, false))`;
  const next = sql`(f.count + 1)`;
  const step = tries + 1;
  const { rows } = await db.execute<{ wait: number | null }>(sql`
    insert into sign_in_failures as f (key, count, since) values (${key}, 1, ${at})
    on conflict (key) do update set
      count = case when ${quiet} then 1 when ${paused} then f.count else ${next} end,
      since = case when ${paused} then f.since else ${at} end,
      locked_until = case when ${paused} then f.locked_until when ${quiet} then null
        when ${next} % ${step} = 0 then ${at} + make_interval(secs => least(${longestPause}, ${firstPause} * power(2, ${next} / ${step} - 1)))
        else f.locked_until end
    returning ceil(extract(epoch from f.locked_until - ${at}))::int as wait`);
  const wait = rows[0]?.wait ?? 0;
  if (wait > 0) throw new Refusal(code, { seconds: wait }, wait);
}

/** Lets a try be made, or says how long to wait. */
export async function brake(services: Services, brakes: readonly Brake[]): Promise<void> {
  for (const one of brakes) await countTry(services, one);
}

/** A try that succeeded: the login starts afresh, the address gets its try back. */
export async function release({ db }: Services, brakes: readonly Brake[]): Promise<void> {
  for (const { key, code } of brakes) {
    if (code === 'locked_out') await db.execute(sql`delete from sign_in_failures where key = ${key}`);
    else await db.execute(sql`update sign_in_failures set count = greatest(count - 1, 0) where key = ${key} and locked_until is null`);
  }
}
