import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { numberCalls, NumberRange } from '#models/sip-numbers.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { sipNumbers } from '#server/db/schema/index.ts';
import { seal } from '#server/devices/secrets.ts';
import type { Work } from '#server/jobs/jobs.ts';
import { invalidField } from '#server/http-error.ts';
import { requireTotalLimit } from '#server/telephony/number-seats.ts';
import { madePassword } from './of-device.ts';

type Wanted = z.output<(typeof numberCalls)['generateNumbers']['body']>;

/** The numbers of a range, each as long as the first at least: 098, 099, 100. @throws HttpError when they get too long */
function numbersOf({ from, count }: Pick<Wanted, 'from' | 'count'>): string[] {
  const first = BigInt(from);
  const numbers = Array.from({ length: count }, (_, at) => String(first + BigInt(at)).padStart(from.length, '0'));
  if ((numbers.at(-1) ?? '').length > 15) throw invalidField(['from'], 'max_length', { length: 15 });
  return numbers;
}

/** Which numbers are taken at all, and of those the ones in the principal's sight: a number is given once in the whole installation. */
async function takenOf(db: Db, principal: Principal, numbers: readonly string[]): Promise<{ all: number; seen: ReadonlySet<string> }> {
  const rows = await db
    .select({ number: sipNumbers.number, isSeen: sql<boolean>`coalesce(${viewable(scopeOf(principal), 'sip-numbers')}, false)` })
    .from(sipNumbers)
    .where(sql`${sipNumbers.number} in (select * from json_array_elements_text(${JSON.stringify(numbers)}::json))`);
  return { all: rows.length, seen: new Set(rows.flatMap(({ number, isSeen }) => (isSeen ? [number] : []))) };
}

/** What a range comes to before anything is made. */
export async function previewRange({ db }: Services, principal: Principal, range: Pick<Wanted, 'from' | 'count'>): Promise<NumberRange> {
  const numbers = numbersOf(range);
  const { all, seen } = await takenOf(db, principal, numbers);
  const taken = numbers.filter((number) => seen.has(number));
  return { first: numbers[0] ?? '', last: numbers.at(-1) ?? '', free: numbers.length - all, taken, unusable: all - taken.length };
}

const atOnce = 200;
const named = ({ name }: Wanted, number: string): string => `${name ? `${name} ` : ''}${number}`.slice(-31).trim();

/** Makes the free numbers of a range, a portion at a time; what somebody else took meanwhile is left out. */
export function generateNumbers(services: Services, principal: Principal, wanted: Wanted): Work {
  const numbers = numbersOf(wanted);
  return async (progress) => {
    const { db, now } = services;
    progress.total(numbers.length);
    for (let from = 0; from < numbers.length; from += atOnce) {
      const part = numbers.slice(from, from + atOnce);
      await db.transaction(async (tx) => {
        const made = await tx
          .insert(sipNumbers)
          .values(part.map((number) => rowOf(services, principal, wanted, number)))
          .onConflictDoNothing()
          .returning({ id: sipNumbers.id, number: sipNumbers.number });
        await requireTotalLimit(tx, principal.projectId);
        for (const { id, number } of made)
          await audit(tx, principal, { area: 'sip-numbers', action: 'create', entityId: id, entityName: number }, now());
      });
      await progress.done(part.length);
    }
  };
}

function rowOf(services: Services, { projectId, id }: Principal, wanted: Wanted, number: string): typeof sipNumbers.$inferInsert {
  const at = services.now();
  const passwordCipher = seal(services, madePassword());
  return {
    projectId,
    number,
    name: named(wanted, number),
    isReserved: wanted.is_reserved,
    passwordCipher,
    createdBy: id,
    createdAt: at,
    updatedAt: at,
  };
}
