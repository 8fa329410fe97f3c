import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { and, eq, inArray } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Services } from './context.ts';
import type { Db } from './db/database.ts';
import { files } from './db/schema/index.ts';
import { secondsLeft } from './http/picture-links.ts';
import { HttpError } from './http-error.ts';
import { base, serveToAnyone } from './serve.ts';
import { lengthOf } from '#models/time.ts';

/** What a stored file is for. Pictures are shown to whoever has a signed link to them; all else goes through a call of its own. */
export type FileKind = 'avatar' | 'logo' | 'export' | 'import' | 'event' | 'photo' | 'call' | 'amenity' | 'terms' | 'alert' | 'text';
const shownKinds: FileKind[] = ['avatar', 'logo', 'event', 'photo', 'call', 'amenity', 'terms', 'alert', 'text'];

/** A file on its way into the data folder. */
export interface NewFile {
  projectId: string;
  kind: FileKind;
  contentType: string;
  bytes: Uint8Array | AsyncIterable<string | Uint8Array>;
}

const folderOf = ({ config }: Pick<Services, 'config'>): string => join(config.data, 'files');
/** Where the bytes of a stored file lie. */
export const storedPath = (services: Pick<Services, 'config'>, id: string): string => join(folderOf(services), id);

/** Where a stored picture is read, once an answer has signed it; null where there is none. */
export const fileAddress = (id: string | null): string | null => (id === null ? null : `${base}/files/${id}`);

/**
 * Stores a file under a random name: bytes first, then the row (give a transaction to tie it to another change).
 * Answers its id.
 */
export async function storeFile(services: Services, { projectId, kind, contentType, bytes }: NewFile, db: Db = services.db): Promise<string> {
  const id = randomUUID();
  const path = storedPath(services, id);
  await mkdir(folderOf(services), { recursive: true });
  try {
    const size = await writeWhole(path, bytes);
    await db.insert(files).values({ id, projectId, kind, contentType, bytes: size, createdAt: services.now() });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return id;
}

/** Writes beside, makes sure it is on the disk, then moves into place: what is there is whole. */
async function writeWhole(path: string, bytes: NewFile['bytes']): Promise<number> {
  const beside = `${path}.part`;
  const file = await open(beside, 'wx');
  try {
    for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) await file.writeFile(chunk);
    await file.sync();
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(beside, path);
  return (await stat(path)).size;
}

/** Removes files that a process which died was writing: no writing lasts an hour. */
export async function forgetParts(services: Pick<Services, 'config' | 'now'>): Promise<void> {
  for (const name of await readdir(folderOf(services)).catch(() => [])) {
    if (!name.endsWith('.part')) continue;
    const path = storedPath(services, name);
    const found = await stat(path).catch(() => null);
    if (found && services.now().getTime() - found.mtimeMs > lengthOf(1, 'hour')) await rm(path, { force: true });
  }
}

/** Removes a stored file, row and bytes; one that is gone already is no trouble. Call it when the change that frees it stands. */
export async function removeFile(services: Services, id: string): Promise<void> {
  await services.db.delete(files).where(eq(files.id, id));
  await rm(storedPath(services, id), { force: true });
}

/**
 * Opens a stored file for reading.
 * @throws HttpError `file_not_found`.
 */
export async function readFile(services: Services, id: string): Promise<{ stream: Readable; contentType: string; bytes: number }> {
  const [row] = await services.db.select().from(files).where(eq(files.id, id));
  // Opened before anything is answered: what the disk has against it is a file that is not there, never half an answer.
  const file = row && (await open(storedPath(services, id)).catch(() => null));
  if (!file) throw new HttpError('file_not_found');
  return { stream: file.createReadStream(), contentType: row.contentType, bytes: row.bytes };
}

const fileCall = {
  method: 'GET',
  path: '/files/{id}',
  access: 'anyone',
  summary: 'An image, by the signed link of an answer, valid for a while',
  params: z.strictObject({ id: z.uuid() }),
  query: z.strictObject({ until: z.string(), signature: z.string() }).partial(),
  body: z.undefined(),
  answer: z.null(),
  download: true,
} as const;

/** Serves stored pictures. An image tag cannot send a token, so the link carries a signature, for a while. */
export function serveFiles(app: FastifyInstance, services: Services): void {
  serveToAnyone(app, services, fileCall, async ({ params, query, reply }) => {
    const seconds = secondsLeft(services, `${base}/files/${params.id}`, query);
    if (seconds === 0) throw new HttpError('forbidden');
    const [row] = await services.db
      .select({ id: files.id })
      .from(files)
      .where(and(eq(files.id, params.id), inArray(files.kind, shownKinds)));
    if (!row) throw new HttpError('file_not_found');
    const { stream, contentType, bytes } = await readFile(services, row.id);
    await reply
      .header('content-security-policy', "sandbox; default-src 'none'")
      .header('cache-control', `private, max-age=${seconds}, immutable`)
      .header('content-length', bytes)
      .type(contentType)
      .send(stream);
    return null;
  });
}
