import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { eq, sql } from 'drizzle-orm';
import { drizzle, type PgliteDatabase } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nothingLicensed } from '#models/licence-info.ts';
import { type BackupKind, backupKinds } from '#models/backups.ts';
import { archiveFormat, filesName, manifestName, partName, product, secretMark, signatureName, signManifest } from '#server/backups/manifest.ts';
import { list, named, plannedTables } from '#server/backups/plan.ts';
import { restoreBackup } from '#server/backups/restore.ts';
import { unfollowed } from '#server/backups/write.ts';
import { ZipWriter } from '#server/backups/zip-write.ts';
import { hashPassword } from '#server/modules/session/passwords.ts';
import { migrationsFolder } from '#server/db/open.ts';
import { auditEvents, deviceEvents, groups, identifiers, projects, users } from '#server/db/schema/index.ts';
import { password, openTestServer, type TestServer } from './support.ts';

/** A release before announcements, conversations, amenities and emergency alerts were there. */
const earlier = '0030_call_parents';
const [projectId, groupId, personId] = [
  '10000000-0000-4000-8000-000000000001',
  '10000000-0000-4000-8000-000000000002',
  '10000000-0000-4000-8000-000000000003',
];
const actor = { id: '00000000-0000-0000-0000-000000000000', name: 'operator', ip: '', userAgent: null };

let server: TestServer;
let folder: string;
let old: { db: PgliteDatabase; close: () => Promise<void> };

interface Journal {
  entries: { idx: number; tag: string }[];
}
/** The migrations as that release had them. */
async function earlierMigrations(): Promise<string> {
  const to = join(folder, 'migrations');
  await mkdir(join(to, 'meta'), { recursive: true });
  const journal = JSON.parse(await readFile(join(migrationsFolder(), 'meta', '_journal.json'), 'utf8')) as Journal;
  const entries = journal.entries.slice(0, journal.entries.findIndex(({ tag }) => tag === earlier) + 1);
  expect(entries.at(-1)?.tag).toBe(earlier);
  for (const { tag } of entries) await cp(join(migrationsFolder(), `${tag}.sql`), join(to, `${tag}.sql`));
  await writeFile(join(to, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }));
  return to;
}

/** A small house as that release kept it. */
async function fillEarlier(): Promise<void> {
  const client = new PGlite({ extensions: { pg_trgm } });
  const db = drizzle(client);
  old = { db, close: () => client.close() };
  await migrate(db, { migrationsFolder: await earlierMigrations() });
  const hash = await hashPassword(password);
  await db.execute(sql`insert into projects (id, uid, name) values (${projectId}, 'old-house', 'Old house')`);
  await db.execute(sql`with role as (insert into roles (project_id, name, permissions) values (${projectId}, 'Keeper', array['can_view_all_users', 'can_view_users']) returning id)
    insert into users (id, project_id, role_id, login, name, password_hash, license_info, activated_at)
      select ${personId}, ${projectId}, id, 'keeper', 'The keeper', ${hash}, ${JSON.stringify(nothingLicensed)}::jsonb, 1 from role`);
  await db.execute(sql`insert into groups (id, project_id, name, path, guest_limits, whitelabel, apple_wallet, licence)
    values (${groupId}, ${projectId}, 'Court', array[${groupId}::uuid], '{"max_passes_count":null,"max_period_days":null}', '{}', '{}', '{}')`);
  await db.execute(sql`insert into user_domains (user_id, group_id) values (${personId}, ${groupId})`);
  await db.execute(
    sql`insert into identifiers (project_id, name, type, value, user_id) values (${projectId}, 'Blue card', 'card', '00AA11BB', ${personId})`,
  );
  await db.execute(sql`insert into device_events (project_id, device_name, type, user_id, user_name, occurred_at)
    select ${projectId}, 'Gate', 'access_granted', ${personId}, 'The keeper', '2026-01-05T08:00:00Z'::timestamptz + n * interval '1 minute' from generate_series(1, 2500) n`);
  await db.execute(sql`insert into audit_events (project_id, area, action, entity_name) values (${projectId}, 'groups', 'create', 'Court')`);
}

/** An archive as that release wrote it: the tables and columns that it had, signed with the installation's secret. */
async function archiveOf(name: string, migration: { at: number; name: string }, more: Record<string, unknown> = {}): Promise<string> {
  const path = join(folder, name);
  const zip = await ZipWriter.create(path);
  const { rows: columns } = await old.db.execute<{ table_name: string; column_name: string }>(
    sql`select table_name, column_name from information_schema.columns where table_schema = 'public'`,
  );
  const tables: unknown[] = [];
  for (const table of plannedTables) {
    const there = columns.filter(({ table_name: one }) => one === table.name).map(({ column_name: column }) => column);
    const compared = there.filter((column) => !table.moment.includes(column));
    if (compared.length === 0) continue;
    const { rows } = await old.db.execute<{ line: string }>(
      sql`select row_to_json(page)::text as line from (select ${list(compared)} from ${named(table.name)} where ${table.own(projectId)}) page`,
    );
    const part = await zip.add(
      partName(table.name),
      (async function* () {
        for (const { line } of rows) yield `${line}\n`;
      })(),
    );
    tables.push({ table: table.name, columns: compared, rows: rows.length, ...part });
  }
  const once = async function* (text: string) {
    yield text;
  };
  const files = { ...(await zip.add(filesName, once(''))), count: 0 };
  const { config } = server.services;
  const manifest = JSON.stringify({
    product,
    format: archiveFormat,
    version: '0.0.9',
    migration,
    project: { id: projectId, name: 'Old house' },
    secret: secretMark(config),
    name: 'Before the upgrade',
    entities: backupKinds satisfies readonly BackupKind[],
    made_at: '2026-01-06T00:00:00.000Z',
    tables,
    files,
    ...more,
  });
  await zip.add(manifestName, once(manifest));
  await zip.add(signatureName, once(signManifest(config, manifest)));
  await zip.finish();
  await zip.close();
  return path;
}
const restore = (path: string) => restoreBackup(server.services, path, { actor, projectId: null }, unfollowed);
const count = async () => (await server.services.db.select().from(projects)).length;

beforeAll(async () => {
  server = await openTestServer();
  folder = await mkdtemp(join(tmpdir(), 'doorward-earlier-'));
  await fillEarlier();
});
afterAll(async () => {
  await server.close();
  await old.close();
  await rm(folder, { recursive: true, force: true });
});

it('a backup of a newer release is refused whole, by its migrations and by its format', async () => {
  const newer = await archiveOf(`newer-${Date.now()}.zip`, { at: 9_999, name: '9999_later' });
  const shaped = await archiveOf(`shaped-${Date.now()}.zip`, { at: 30, name: earlier }, { format: archiveFormat + 1 });
  for (const path of [newer, shaped])
    await expect(restore(path)).rejects.toMatchObject({
      code: 'invalid_data',
      data: { issues: [{ rule: 'backup_newer', params: { version: '0.0.9' } }] },
    });
  expect(await count()).toBe(0);
  const { rows } = await server.services.db.execute(sql`select relname from pg_class where relname like 'restoring%'`);
  expect(rows).toEqual([]);
});

it('a backup of an earlier release restores: its rows with their ids, what has come since at its default, and people sign in', async () => {
  const { db } = server.services;
  await restore(await archiveOf(`earlier-${Date.now()}.zip`, { at: 30, name: earlier }));
  expect(await db.select().from(projects)).toMatchObject([{ id: projectId, uid: 'old-house', name: 'Old house' }]);
  const [person] = await db.select().from(users).where(eq(users.id, personId));
  expect(person).toMatchObject({ login: 'keeper', name: 'The keeper', licenceEndsAt: null });
  expect(await db.select().from(groups)).toMatchObject([{ id: groupId, name: 'Court', path: [groupId] }]);
  expect(await db.select().from(identifiers)).toMatchObject([{ name: 'Blue card', value: '00AA11BB', userId: personId }]);
  expect(await db.$count(deviceEvents)).toBe(2_500);
  expect((await db.select().from(auditEvents)).map(({ action }) => action).toSorted()).toEqual(['create', 'restore']);
  const keeper = await server.signIn('keeper');
  const answer = await keeper.get('/users?size=20');
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json<{ data: { name: string }[] }>().data.map(({ name }) => name)).toEqual(['The keeper']);
});
