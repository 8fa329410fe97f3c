import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { vacuumOutgrown } from '#server/db/vacuum.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ demo: true });
});
afterAll(() => server.close());

describe('the embedded database', () => {
  it('vacuums a table that has grown much, once', async () => {
    const { db } = server.services;
    await db.execute(
      sql`insert into markers (project_id, name, color) select p.id, 'grown ' || n, '#000000' from generate_series(1, 3000) n, (select id from projects limit 1) p`,
    );
    // What was written reaches the statistics within a second or so.
    await vi.waitUntil(async () => (await vacuumOutgrown(server.services)).includes('markers'), 10_000);
    const { rows } = await db.execute<{ seen: number }>(sql`select relallvisible as seen from pg_class where relname = 'markers'`);
    expect(rows[0]?.seen).toBeGreaterThan(0);
    await vi.waitUntil(async () => !(await vacuumOutgrown(server.services)).includes('markers'), 10_000);
  });
});
