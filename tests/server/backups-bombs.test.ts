import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { openBackup } from '#server/backups/check.ts';
import { filesName, manifestName, partName } from '#server/backups/manifest.ts';
import { DamagedArchive, ZipReader } from '#server/backups/zip-read.ts';
import { inTime } from '#tests/support/in-time.ts';
import { zip, type ZipPart } from './zip-by-hand.ts';

const file = join(tmpdir(), `backup-bomb-${process.pid}.zip`);
afterAll(() => rm(file, { force: true }));

const users = partName('users');
const megabyte = 1_048_576;
const zeros = (megabytes: number): Buffer => Buffer.alloc(megabytes * megabyte, 0x30);
const whole = (name: string, bytes: Buffer): ZipPart => ({ name, bytes, says: bytes.length });

/** What a backup is refused for, and how long that takes. */
async function ruleOf(parts: readonly ZipPart[]): Promise<string | undefined> {
  await writeFile(file, zip(parts));
  const begun = performance.now();
  const said = await openBackup(file, { config: { secret: 'x'.repeat(64) }, projectId: null }).then(
    () => 'opened',
    (error: { data?: { issues?: { rule: string; params: { part?: string } }[] } }) => {
      const [issue] = error.data?.issues ?? [];
      return [issue?.rule, issue?.params.part].filter(Boolean).join(' ');
    },
  );
  expect(performance.now() - begun).toBeLessThan(inTime(2_000));
  return said;
}
/** How many bytes of a part are handed on before the archive is found out; null where it never is. */
async function handedOn(part: ZipPart): Promise<number | null> {
  await writeFile(file, zip([part]));
  const reader = await ZipReader.open(file, () => true);
  let bytes = 0;
  try {
    for await (const chunk of reader.stream(part.name)) bytes += chunk.length;
    return null;
  } catch (error) {
    if (error instanceof DamagedArchive) return bytes;
    throw error;
  } finally {
    await reader.close();
  }
}

describe('a backup that unpacks to far more than it is (C11)', () => {
  it('is refused by what its directory says', async () => {
    expect(await ruleOf([whole(manifestName, Buffer.from('{}')), whole(users, zeros(200))])).toBe(`backup_damaged ${users}`);
    expect(await ruleOf([whole(filesName, zeros(200))])).toBe(`backup_damaged ${filesName}`);
  });

  it.each([
    ['nothing', 0],
    ['one byte', 1],
    ['four megabytes', 4 * megabyte],
  ])('is found out by the bytes themselves where its directory says %s', async (_what, says) => {
    const bytes = await handedOn({ name: users, bytes: zeros(200), says });
    expect(bytes).not.toBeNull();
    expect(bytes).toBeLessThanOrEqual(says);
  });

  it('is found out where it is shorter than it says', async () => {
    expect(await handedOn({ name: users, bytes: zeros(1), says: 2 * megabyte })).toBe(megabyte);
  });

  it('is not read on where its manifest has no end', async () => {
    expect(await ruleOf([whole(manifestName, Buffer.from(`{}${' '.repeat(3 * megabyte)}`))])).toBe(`backup_damaged ${manifestName}`);
  });
});

describe('a backup of parts that are none (C11)', () => {
  it('is refused by their number before any is read', async () => {
    const many = Array.from({ length: 60_000 }, (_, at): ZipPart => ({ name: partName(`t${at}`), bytes: Buffer.alloc(0), says: 0 }));
    expect(await ruleOf(many)).toBe('backup_foreign');
  });

  it('is refused where many share the same bytes', async () => {
    const bytes = zeros(3);
    const part = { bytes, packed: deflateRawSync(bytes), says: bytes.length, at: 0 };
    const shared = Array.from({ length: 200 }, (_, at): ZipPart => ({ ...part, name: partName(`t${at}`) }));
    expect(await ruleOf(shared)).toBe('backup_foreign');
  });

  it.each(['../../etc/passwd', '/etc/passwd', 'rows/../../x.jsonl', 'rows/users.jsonl/', 'other.zip'])(
    'is refused where one is called %s',
    async (name) => {
      expect(await ruleOf([whole(name, Buffer.from('x'))])).toBe('backup_foreign');
    },
  );

  it('is refused where one stands there twice', async () => {
    const twice = [whole(users, Buffer.from('{}\n')), whole(users, Buffer.from('{}\n'))];
    expect(await ruleOf(twice)).toBe(`backup_damaged ${users}`);
  });
});
