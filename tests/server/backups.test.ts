import { readFileSync } from 'node:fs';
import { unlink, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BackupOverview, backupKinds } from '#models/backups.ts';
import type { Job } from '#models/job.ts';
import { lastMigration, signManifest } from '#server/backups/manifest.ts';
import { list, named, type PlannedTable, plannedTables } from '#server/backups/plan.ts';
import { makeScheduled } from '#server/backups/schedule.ts';
import { archivePath } from '#server/backups/store.ts';
import { ZipReader } from '#server/backups/zip-read.ts';
import { ZipWriter } from '#server/backups/zip-write.ts';
import {
  amenities,
  announcePictures,
  announces,
  auditEvents,
  devices,
  files,
  groups,
  identifiers,
  projects,
  sipNumbers,
  textPictures,
  users,
} from '#server/db/schema/index.ts';
import { readFile, storedPath, storeFile } from '#server/files.ts';
import { inTime } from '#tests/support/in-time.ts';
import { dataOf, jobIsOver, makePerson, makeRole } from './estate.ts';
import { form } from './hostile-files.ts';
import { freePort } from './process.ts';
import { makePostgres } from './postgres.ts';
import { type Client, openTestServer, type TestServer } from './support.ts';

const postgres = makePostgres(await freePort());
afterAll(() => postgres?.remove());

const places: { place: string; url: string | null }[] = [
  { place: 'the embedded database', url: null },
  ...(postgres ? [{ place: 'PostgreSQL', url: postgres.url }] : []),
];

describe.each(places)('backups on $place', ({ url }) => {
  let server: TestServer;
  let admin: Client;
  let projectId: string;
  let otherId: string;
  const db = () => server.services.db;
  const enter = async () => {
    admin = await server.signIn('admin');
  };

  beforeAll(async () => {
    vi.stubEnv('TEST_DATABASE_URL', url ?? '');
    server = await openTestServer({ demo: true });
    vi.unstubAllEnvs();
    // The demo's sixty days of events and calls would be read whole before and after each test; rows of many portions are restored in backups-earlier.
    for (const log of ['device_events', 'calls']) await db().execute(sql`delete from ${sql.identifier(log)} where right(id::text, 1) > '1'`);
    await enter();
    const [own] = await db().select().from(users).where(eq(users.login, 'admin'));
    projectId = own?.projectId ?? '';
    const [other] = await db()
      .select()
      .from(projects)
      .where(sql`id <> ${projectId}`);
    otherId = other?.id ?? '';
  }, inTime(120_000));
  afterAll(() => server.close());

  const rowsOf = async ({ name, columns, own }: PlannedTable, project = projectId): Promise<string[]> => {
    const { rows } = await db().execute<{ line: string }>(
      sql`select row_to_json(page)::text as line from (select ${list(columns)} from ${named(name)} where ${own(project)}) page`,
    );
    return rows.map(({ line }) => line).toSorted();
  };
  const worldOf = async (project = projectId): Promise<Record<string, string[]>> => {
    const found: Record<string, string[]> = {};
    for (const table of plannedTables) found[table.name] = await rowsOf(table, project);
    return found;
  };
  const overview = async () => dataOf<BackupOverview>(await admin.get('/backups'));
  const make = async (name: string, entities: readonly string[] = backupKinds) => {
    const answer = await admin.post('/backups', { name, entities });
    expect(answer.statusCode, answer.body).toBe(202);
    expect((await jobIsOver(admin, dataOf<Job>(answer))).state).toBe('completed');
    const made = (await overview()).backups.find((one) => one.name === name);
    if (!made) throw new Error('the backup is not in the list');
    return made;
  };
  /** Restores, waits until everybody is signed out, and signs in anew. */
  const apply = async (id: string) => {
    const answer = await admin.post(`/backups/${id}/apply`);
    expect(answer.statusCode, answer.body).toBe(202);
    await vi.waitFor(async () => expect((await admin.get('/profile')).statusCode).toBe(401), { timeout: inTime(50_000), interval: 50 });
    await enter();
    const job = await jobIsOver(admin, dataOf<Job>(answer));
    expect(job).toMatchObject({ state: 'completed', problem: null });
    return job;
  };
  const upload = async (bytes: Buffer) => {
    const { body, headers } = form({}, bytes, 'backup.zip', 'application/zip', 'backup');
    return admin.send('POST', '/backups/apply', body, headers);
  };
  const issueOf = (answer: { json: () => unknown }) =>
    (answer.json() as { data?: { issues?: { rule: string; params: object }[] } }).data?.issues?.[0];

  const picture = (kind: 'text' | 'amenity') =>
    storeFile(server.services, { projectId, kind, contentType: 'image/webp', bytes: Buffer.from('a picture') });

  it(
    'brings back everything that was deleted, changed and added, ids included, and leaves other projects alone',
    async () => {
      const avatar = await storeFile(server.services, {
        projectId,
        kind: 'avatar',
        contentType: 'image/png',
        bytes: Buffer.from('a picture\nof two lines'),
      });
      await db().update(users).set({ avatarFile: avatar }).where(eq(users.login, 'resident'));
      const [inText, ofRoom] = [await picture('text'), await picture('amenity')];
      await db().insert(textPictures).values({ id: inText, projectId, width: 4, height: 3 });
      const [announce] = await db().select().from(announces).where(eq(announces.projectId, projectId)).limit(1);
      await db()
        .insert(announcePictures)
        .values({ announceId: announce?.id ?? '', pictureId: inText });
      await db().update(amenities).set({ imageFile: ofRoom }).where(eq(amenities.projectId, projectId));
      const made = await make('Before the fire');
      expect(made).toMatchObject({
        state: 'ready',
        is_scheduled: false,
        entities: [...backupKinds],
        created_by: { name: expect.any(String) as string },
      });
      const before = await worldOf();
      const beside = await worldOf(otherId);
      expect(before['identifiers']?.length).toBeGreaterThan(10);

      await db().execute(sql`delete from identifiers where project_id = ${projectId}`);
      await db().execute(sql`delete from amenities where project_id = ${projectId}`);
      await db().execute(sql`delete from access_rules where project_id = ${projectId}`);
      await db().execute(sql`delete from elevators where project_id = ${projectId}`);
      await db().execute(
        sql`delete from devices where id in (select id from devices where project_id = ${projectId} and id not in (select device_id from elevator_controllers) limit 5)`,
      );
      await db().update(users).set({ name: 'Somebody else', avatarFile: null }).where(eq(users.login, 'resident'));
      await db().delete(files).where(eq(files.id, avatar));
      await unlink(storedPath(server.services, avatar));
      await db().delete(announcePictures);
      await db()
        .delete(files)
        .where(inArray(files.id, [inText, ofRoom]));
      for (const id of [inText, ofRoom]) await unlink(storedPath(server.services, id));
      await db().update(groups).set({ name: 'Renamed' }).where(eq(groups.projectId, projectId));
      const role = await makeRole(server.services, projectId, ['can_view_users']);
      await db().insert(sipNumbers).values({ projectId, number: '990001', name: 'Added since', passwordCipher: 'x' });
      await apply(made.id);

      const after = await worldOf();
      for (const { name, isLog } of plannedTables) {
        const found = after[name] ?? [];
        const known = new Set(before[name]);
        expect(isLog ? found.filter((line) => known.has(line)) : found, name).toEqual(before[name]);
      }
      expect(after['roles']?.some((line) => line.includes(role))).toBe(false);
      expect(await worldOf(otherId)).toEqual(beside);
      const contentOf = async (id: string) => Buffer.concat(await (await readFile(server.services, id)).stream.toArray());
      expect((await contentOf(avatar)).toString()).toBe('a picture\nof two lines');
      for (const id of [inText, ofRoom]) expect(await contentOf(id)).toHaveLength(9);
      const [entry] = await db()
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.area, 'backups'), eq(auditEvents.action, 'restore')));
      expect(entry).toMatchObject({ entityName: 'Before the fire', projectId });
      expect((await overview()).backups.map(({ name }) => name)).toContain('Before the fire');
    },
    inTime(120_000),
  );

  it(
    'keeps every constraint that was there',
    async () => {
      const constraints = async () =>
        (
          await db().execute<{ line: string }>(
            sql`select conrelid::regclass::text || conname || pg_get_constraintdef(oid) as line from pg_constraint where contype = 'f' order by 1`,
          )
        ).rows;
      const before = await constraints();
      await apply((await make('Constraints')).id);
      expect(await constraints()).toEqual(before);
      const left = await db().execute(sql`select relname from pg_class where relname like 'restoring%'`);
      expect(left.rows).toEqual([]);
    },
    inTime(60_000),
  );

  it(
    'restores some kinds of entities alone, and takes only what is really gone from the others',
    async () => {
      const made = await make('Telephony', ['telephony']);
      const before = await worldOf();
      await db().delete(sipNumbers).where(eq(sipNumbers.projectId, projectId));
      await db().update(users).set({ phone: '+4912345678' }).where(eq(users.login, 'resident'));
      await apply(made.id);
      const after = await worldOf();
      expect(after['sip_numbers']).toEqual(before['sip_numbers']);
      expect(after['users']).not.toEqual(before['users']);
      expect(after['user_domains']).toEqual(before['user_domains']);
    },
    inTime(60_000),
  );

  it(
    'leaves how devices stand as it is',
    async () => {
      const made = await make('Standing', ['devices']);
      const [one] = await db().select().from(devices).where(eq(devices.projectId, projectId)).limit(1);
      await db()
        .update(devices)
        .set({ name: 'Changed', firmware: '9.9.9' })
        .where(eq(devices.id, one?.id ?? ''));
      await apply(made.id);
      const [after] = await db()
        .select()
        .from(devices)
        .where(eq(devices.id, one?.id ?? ''));
      expect(after).toMatchObject({ name: one?.name, firmware: '9.9.9' });
    },
    inTime(60_000),
  );

  describe('what cannot be restored', () => {
    let path: string;
    let archive: Buffer;
    beforeAll(async () => {
      path = archivePath(server.services, (await make('Whole')).id);
      archive = readFileSync(path);
    }, inTime(60_000));

    /** The archive with its parts changed, well formed otherwise. */
    const rewritten = async (change: (name: string, text: string) => string | null): Promise<Buffer> => {
      const zip = await ZipReader.open(path, () => true);
      const to = `${path}.changed-${Math.random()}`;
      const writer = await ZipWriter.create(to);
      for (const name of zip.names) {
        const text = Buffer.concat(await Readable.from(zip.stream(name)).toArray()).toString('latin1');
        const changed = change(name, text);
        if (changed !== null)
          await writer.add(
            name,
            (async function* () {
              yield Buffer.from(changed, 'latin1');
            })(),
          );
      }
      await writer.finish();
      await writer.close();
      await zip.close();
      return readFileSync(to);
    };
    /** With another manifest, signed as this installation would: nobody else can. */
    const manifest = (change: (read: Record<string, unknown>) => void) => {
      let written = '';
      return rewritten((name, text) => {
        if (name === 'manifest.hmac') return signManifest(server.services.config, written);
        if (name !== 'manifest.json') return text;
        const read = JSON.parse(Buffer.from(text, 'latin1').toString('utf8')) as Record<string, unknown>;
        change(read);
        written = JSON.stringify(read);
        return Buffer.from(written).toString('latin1');
      });
    };
    const refusedWith = async (bytes: Buffer) => {
      const before = await worldOf();
      const answer = await upload(bytes);
      expect(answer.statusCode, answer.body).toBe(422);
      expect(await worldOf()).toEqual(before);
      return issueOf(answer);
    };

    it('is refused where a byte is another', async () => {
      for (const at of [200, Math.floor(archive.length / 2), Math.floor(archive.length * 0.8)]) {
        const damaged = Buffer.from(archive);
        damaged[at] = (damaged[at] ?? 0) ^ 0xff;
        expect((await refusedWith(damaged))?.rule).toBe('backup_damaged');
      }
    });
    it('is refused where it is cut short, or is no backup at all', async () => {
      expect((await refusedWith(archive.subarray(0, archive.length - 100)))?.rule).toBe('backup_foreign');
      expect((await refusedWith(Buffer.from('not a zip')))?.rule).toBe('backup_foreign');
      expect((await refusedWith(await rewritten((name, text) => (name === 'manifest.json' ? '{"product":"other"}' : text))))?.rule).toBe(
        'backup_foreign',
      );
    });
    it('is refused where rows were changed or a part is missing', async () => {
      const changed = await rewritten((name, text) => (name === 'rows/roles.jsonl' ? text.replaceAll('can_view_users', 'can_view_rolez') : text));
      expect(await refusedWith(changed)).toMatchObject({ rule: 'backup_damaged', params: { part: 'rows/roles.jsonl' } });
      expect((await refusedWith(await rewritten((name, text) => (name === 'rows/users.jsonl' ? null : text))))?.rule).toBe('backup_damaged');
    });
    it('is refused where a newer version made it', async () => {
      expect(await refusedWith(await manifest((read) => (read['migration'] = { at: lastMigration().at + 1, name: 'later' })))).toMatchObject({
        rule: 'backup_newer',
      });
      expect((await refusedWith(await manifest((read) => (read['format'] = 2))))?.rule).toBe('backup_newer');
    });
    it('is refused where it is of another project or another installation', async () => {
      const other = { id: otherId, name: 'Harbour' };
      expect(await refusedWith(await manifest((read) => (read['project'] = other)))).toMatchObject({
        rule: 'backup_of_other_project',
        params: { name: 'Harbour' },
      });
      expect((await refusedWith(await manifest((read) => (read['secret'] = 'another'))))?.rule).toBe('backup_other_secret');
    });
    it('is refused where its manifest was written by somebody without the secret, or is not signed', async () => {
      const widened = await rewritten((name, text) => (name === 'manifest.json' ? text.replace('"name": "Whole"', '"name": "Other"') : text));
      expect((await refusedWith(widened))?.rule).toBe('backup_changed');
      expect((await refusedWith(await rewritten((name, text) => (name === 'manifest.hmac' ? null : text))))?.rule).toBe('backup_changed');
    });
    it('is refused by name where a column has no place any more', async () => {
      const changed = await manifest((read) => {
        for (const table of read['tables'] as { table: string; columns: string[] }[]) if (table.table === 'markers') table.columns.push('shape');
      });
      expect(await refusedWith(changed)).toMatchObject({ rule: 'backup_columns', params: { table: 'markers', columns: 'shape' } });
    });
    it('is refused where a part has a name that leads elsewhere, or unpacks to far more than it is', async () => {
      for (const [name, content] of [
        ['up/up/etc/passwd', 'x'],
        ['rows/users.jsonl', '0'.repeat(80_000_000)],
      ] as const) {
        const to = `${path}.hostile-${Math.random()}`;
        const writer = await ZipWriter.create(to);
        await writer.add(
          name,
          (async function* () {
            yield content;
          })(),
        );
        await writer.finish();
        await writer.close();
        // Nobody's library writes such a name: it is put in afterwards.
        const hostile = Buffer.from(readFileSync(to).toString('latin1').replaceAll('up/up/', '../../'), 'latin1');
        expect(['backup_foreign', 'backup_damaged']).toContain((await refusedWith(hostile))?.rule);
      }
    });
    it(
      'changes nothing where its rows are of another project, or lean on rows that are not there',
      async () => {
        const { createHash } = await import('node:crypto');
        const forged = async (table: string, change: (row: Record<string, unknown>) => void) => {
          let bytes = 0;
          let sha256 = '';
          const first = await rewritten((name, text) => {
            if (name !== `rows/${table}.jsonl`) return text;
            const lines = Buffer.from(text, 'latin1')
              .toString('utf8')
              .trimEnd()
              .split('\n')
              .map((line) => {
                const row = JSON.parse(line) as Record<string, unknown>;
                change(row);
                return JSON.stringify(row);
              });
            const content = Buffer.from(`${lines.join('\n')}\n`);
            bytes = content.length;
            sha256 = createHash('sha256').update(content).digest('hex');
            return content.toString('latin1');
          });
          await writeFile(`${path}.forged`, first);
          const whole = path;
          path = `${path}.forged`;
          try {
            return await manifest((read) => {
              for (const part of read['tables'] as { table: string }[]) if (part.table === table) Object.assign(part, { bytes, sha256 });
            });
          } finally {
            path = whole;
          }
        };
        const before = await worldOf();
        const [strange] = await db().select().from(groups).where(eq(groups.projectId, otherId)).limit(1);
        for (const bytes of [
          await forged('markers', (row) => (row['project_id'] = otherId)),
          await forged('user_domains', (row) => (row['group_id'] = strange?.id)),
          await forged('users', (row) => (row['role_id'] = '11111111-1111-4111-8111-111111111111')),
          await forged('roles', (row) => (row['version'] = 'many')),
        ]) {
          const answer = await upload(bytes);
          expect(answer.statusCode, answer.body).toBe(202);
          expect((await jobIsOver(admin, dataOf<Job>(answer))).state).toBe('failed');
          expect(await worldOf()).toEqual(before);
        }
      },
      inTime(60_000),
    );
    it(
      'restores a whole archive that is uploaded, with new columns at their defaults',
      async () => {
        const older = await manifest((read) => {
          for (const table of read['tables'] as { table: string; columns: string[] }[])
            if (table.table === 'identifiers') table.columns = table.columns.filter((column) => column !== 'passes_count');
        });
        await db().update(identifiers).set({ passesCount: 3 }).where(eq(identifiers.projectId, projectId));
        const answer = await upload(older);
        expect(answer.statusCode, answer.body).toBe(202);
        await vi.waitFor(async () => expect((await admin.get('/profile')).statusCode).toBe(401), { timeout: inTime(30_000), interval: 50 });
        await enter();
        const [counted] = await db().select().from(identifiers).where(eq(identifiers.projectId, projectId)).limit(1);
        expect(counted?.passesCount).toBe(0);
      },
      inTime(60_000),
    );
  });

  it(
    'is made every day at its hour, of which so many are kept',
    async () => {
      const answer = await admin.put('/backups/schedule', { is_active: true, hour: 9, keep: 2, entities: ['telephony'] });
      expect(answer.statusCode, answer.body).toBe(200);
      for (let day = 0; day < 4; day += 1) {
        server.pass(24 * 3_600_000);
        const today = server.services.now().toISOString();
        await enter();
        const scheduledBackups = async () => (await overview()).backups.filter((one) => one.is_scheduled).map((one) => one.created_at);
        const wanted = [today, expect.any(String)].slice(0, day + 1);
        await vi.waitFor(async () => expect(await scheduledBackups()).toEqual(wanted), { timeout: inTime(10_000), interval: 50 });
        // Once a day, however often it is looked.
        await makeScheduled(server.services);
      }
      const { backups, schedule } = await overview();
      expect(backups.filter((one) => one.is_scheduled)).toHaveLength(2);
      expect(schedule).toMatchObject({ is_active: true, hour: 9, keep: 2 });
      expect(backups.filter((one) => !one.is_scheduled).length).toBeGreaterThan(2);
    },
    inTime(60_000),
  );

  it(
    'is for those alone who hold its permissions, project by project; downloads are in the trail',
    async () => {
      const made = await make('Permissions', ['telephony']);
      const none = await makePerson(server, { here: projectId, groups: {} } as never, { permissions: ['can_view_users'], in: [] });
      for (const [method, path, body] of [
        ['GET', '/backups', undefined],
        ['POST', '/backups', { name: 'Mine', entities: ['people'] }],
        ['PUT', '/backups/schedule', { is_active: true, hour: 1, keep: 1, entities: ['people'] }],
        ['DELETE', `/backups/${made.id}`, undefined],
        ['GET', `/backups/${made.id}/file`, undefined],
        ['POST', `/backups/${made.id}/apply`, undefined],
      ] as const)
        expect((await none.client.send(method, path, body)).statusCode, `${method} ${path}`).toBe(403);
      const file = await admin.get(`/backups/${made.id}/file`);
      expect(file.statusCode).toBe(200);
      expect(file.rawPayload.length).toBe(made.bytes);
      const trail = await db()
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.area, 'backups'), eq(auditEvents.action, 'download')));
      expect(trail).toMatchObject([{ entityId: made.id, entityName: 'Permissions' }]);
      expect((await admin.delete(`/backups/${made.id}`)).statusCode).toBe(200);
      expect((await admin.get(`/backups/${made.id}/file`)).statusCode).toBe(404);
    },
    inTime(60_000),
  );
});
