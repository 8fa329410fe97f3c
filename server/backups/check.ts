import { createHash } from 'node:crypto';
import type { Config } from '../config.ts';
import { type HttpError, invalidField } from '../http-error.ts';
import {
  archiveFormat,
  filesName,
  isSignedBy,
  lastMigration,
  type Manifest,
  manifestName,
  manifestShape,
  partName,
  product,
  secretMark,
  signatureName,
} from './manifest.ts';
import { plannedTables } from './plan.ts';
import { DamagedArchive, ZipReader } from './zip-read.ts';

const refused = (rule: string, params: Record<string, string | number> = {}): HttpError => invalidField(['backup'], rule, params);
const longestManifest = 1_048_576;
const known = new Set([manifestName, signatureName, filesName, ...plannedTables.map(({ name }) => partName(name))]);

/** A part whose name leads nowhere, of our shape: the manifest will say that it cannot be restored, or it is none of ours. */
const isPart = (name: string): boolean => known.has(name) || /^rows\/[a-z0-9_]{1,63}\.jsonl$/.test(name);

async function textOf(zip: ZipReader, name: string): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of zip.stream(name)) {
    length += chunk.length;
    if (length > longestManifest) throw new DamagedArchive(name);
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseManifest(text: string): Manifest {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new DamagedArchive(manifestName);
  }
  const { product: made, format } = (read ?? {}) as { product?: unknown; format?: unknown };
  if (made !== product) throw refused('backup_foreign');
  if (typeof format === 'number' && format > archiveFormat)
    throw refused('backup_newer', { version: String((read as { version?: unknown }).version) });
  const manifest = manifestShape.safeParse(read);
  if (!manifest.success) throw new DamagedArchive(manifestName);
  return manifest.data;
}

/** Whoever may restore a file must not make themselves a role by it: what is in it was written by a server with this secret. */
async function requireSigned(zip: ZipReader, config: Reader['config'], manifest: string): Promise<void> {
  const signature = zip.names.includes(signatureName) ? await textOf(zip, signatureName) : '';
  if (!isSignedBy(config, manifest, signature)) throw refused('backup_changed');
}

/** Columns come and go with migrations: new ones are filled with their defaults, but what has no place any more is not dropped silently. */
function requireColumns({ tables }: Manifest): void {
  for (const { table, columns } of tables) {
    const planned = plannedTables.find(({ name }) => name === table);
    const lost = planned ? columns.filter((column) => !planned.columns.includes(column) && !planned.moment.includes(column)) : columns;
    if (lost.length > 0) throw refused('backup_columns', { table, columns: lost.slice(0, 10).join(', ') });
  }
}

/** Every byte is what the manifest says of it, and there is nothing else. */
async function requireWhole(zip: ZipReader, { tables, files }: Manifest): Promise<void> {
  const parts = [...tables.map(({ table, ...part }) => ({ name: partName(table), ...part })), { name: filesName, ...files }];
  if (zip.names.length !== parts.length + 2) throw new DamagedArchive();
  for (const { name, bytes, sha256 } of parts) {
    const digest = createHash('sha256');
    let length = 0;
    for await (const chunk of zip.stream(name)) {
      length += chunk.length;
      digest.update(chunk);
    }
    if (length !== bytes || digest.digest('hex') !== sha256) throw new DamagedArchive(name);
  }
}

/** Who wants to restore it: which project, with which secret. Without a project any will do. */
interface Reader {
  config: Pick<Config, 'secret'>;
  projectId: string | null;
}

/**
 * Opens an archive that can be restored: ours, whole, of no newer version, of this project and of an installation with this secret.
 * @throws HttpError `invalid_data` with the reason
 */
export async function openBackup(path: string, { config, projectId }: Reader): Promise<{ zip: ZipReader; manifest: Manifest }> {
  let zip: ZipReader | null = null;
  try {
    zip = await ZipReader.open(path, isPart);
    const text = await textOf(zip, manifestName);
    const manifest = parseManifest(text);
    if (manifest.migration.at > lastMigration().at) throw refused('backup_newer', { version: manifest.version });
    if (projectId !== null && manifest.project.id !== projectId) throw refused('backup_of_other_project', { name: manifest.project.name });
    if (manifest.secret !== secretMark(config)) throw refused('backup_other_secret');
    await requireSigned(zip, config, text);
    requireColumns(manifest);
    await requireWhole(zip, manifest);
    return { zip, manifest };
  } catch (error) {
    await zip?.close();
    if (!(error instanceof DamagedArchive)) throw error;
    throw zip === null && !known.has(error.part) ? refused('backup_foreign') : refused('backup_damaged', { part: error.part || manifestName });
  }
}
