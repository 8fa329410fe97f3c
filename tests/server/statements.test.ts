import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInMemory } from '#server/db/embedded.ts';
import { type OpenDatabase, priorityOf } from '#server/db/database.ts';
import { migrationsFolder } from '#server/db/open.ts';

let open: OpenDatabase;
const ask = async (text: string): Promise<unknown[]> => (await open.db.execute(sql.raw(text))).rows;
const prepared = async (like: string): Promise<number> => {
  const { rows } = await open.db.execute<{ count: number }>(
    sql`select count(*)::int as count from pg_prepared_statements where statement like ${`${like}%`}`,
  );
  return rows[0]?.count ?? 0;
};
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof Error ? (error.cause as { code?: string }).code : error),
  );

beforeAll(async () => {
  open = await openInMemory(migrationsFolder());
  await ask('create table samples (id int primary key, word text)');
  // Made whole, with all migrations.
});
afterAll(() => open.close());

describe('statements of the embedded database', () => {
  it('are prepared once, the second time they are asked', async () => {
    const one = (id: number) => open.db.execute<{ id: number }>(sql`select ${id}::int as id, 'once' as word`);
    await one(1);
    expect(await prepared('select $1::int as id, ')).toBe(0);
    for (const id of [2, 3, 4]) expect((await one(id)).rows).toEqual([{ id, word: 'once' }]);
    expect(await prepared('select $1::int as id, ')).toBe(1);
  });

  it('of what must not wait go before those that have not begun', async () => {
    const order: string[] = [];
    const put = async (db: typeof open.db, word: string): Promise<void> => {
      await db.execute(sql`select ${word}::text as word`);
      order.push(word);
    };
    await Promise.all([put(open.db, 'first'), put(open.db, 'second'), put(open.db, 'third'), put(priorityOf(open.db), 'priority')]);
    expect(order).toEqual(['first', 'priority', 'second', 'third']);
  });

  it('say what is wrong with the code of the database, and work again after that', async () => {
    const put = (id: number) => open.db.execute(sql`insert into samples values (${id}, 'word')`);
    for (const id of [1, 2, 3]) await put(id);
    expect(await codeOf(put(3))).toBe('23505');
    expect(await codeOf(ask('select nothing from samples'))).toBe('42703');
    await put(4);
    expect(await ask('select count(*)::int as count from samples')).toEqual([{ count: 4 }]);
  });

  it('are undone with their transaction, also when they are prepared in it', async () => {
    const put = (tx: typeof open.db, id: number) => tx.execute(sql`insert into samples (word, id) values ('undone', ${id})`);
    const failing = open.db.transaction(async (tx) => {
      for (const id of [11, 12, 13, 13]) await put(tx, id);
    });
    expect(await codeOf(failing)).toBe('23505');
    await open.db.transaction((tx) => put(tx, 11));
    expect(await ask(`select id from samples where word = 'undone'`)).toEqual([{ id: 11 }]);
  });

  it('are prepared anew where their table has changed', async () => {
    const all = () => ask('select * from samples where id = 1');
    for (let at = 0; at < 3; at += 1) expect(await all()).toEqual([{ id: 1, word: 'word' }]);
    await ask('alter table samples add column more int');
    await all().catch(() => undefined);
    expect(await all()).toEqual([{ id: 1, word: 'word', more: null }]);
  });

  it('take no more memory than three hundred plans', async () => {
    for (let at = 0; at < 400; at += 1) for (let time = 0; time < 2; time += 1) await ask(`select ${at} as many`);
    expect(await prepared('')).toBeLessThanOrEqual(300);
    expect(await ask('select 0 as many')).toEqual([{ many: 0 }]);
  });

  it('give others their turn also within a long transaction', async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    await open.db.transaction(async (tx) => {
      setImmediate(count);
      for (let at = 0; at < 20; at += 1) await tx.execute(sql`select sum(n) from generate_series(1, 50000) n`);
    });
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});
