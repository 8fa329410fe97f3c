import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { backupKinds } from '#models/backups.ts';
import type { Config } from '../config.ts';
import { migrationsFolder } from '../db/open.ts';

/** The shape of archives; a server reads those up to its own. */
export const archiveFormat = 1;
export const manifestName = 'manifest.json';
export const signatureName = 'manifest.hmac';
export const filesName = 'files.pack';
export const partName = (table: string): string => `rows/${table}.jsonl`;

const part = z.object({ bytes: z.int().min(0), sha256: z.string().length(64) });

/** What an archive says of itself: whose it is, what made it, and each part by length and SHA-256. */
export const manifestShape = z.object({
  product: z.string(),
  format: z.int(),
  version: z.string(),
  /** The last migration of the database it was made of. */
  migration: z.object({ at: z.int(), name: z.string() }),
  project: z.object({ id: z.uuid(), name: z.string() }),
  /** By which two installations know that they have the same secret, and so can read each other's stored passwords. */
  secret: z.string(),
  name: z.string(),
  entities: z.array(z.enum(backupKinds)).min(1),
  made_at: z.iso.datetime(),
  tables: z.array(part.extend({ table: z.string().max(64), columns: z.array(z.string().max(64)).min(1), rows: z.int().min(0) })),
  files: part.extend({ count: z.int().min(0) }),
});
export type Manifest = z.infer<typeof manifestShape>;

/** The product's name in archives. */
export const product = 'doorward';

/** Where a database of this server stands among the migrations. */
export function lastMigration(): Manifest['migration'] {
  const journal = JSON.parse(readFileSync(join(migrationsFolder(), 'meta', '_journal.json'), 'utf8')) as { entries: { idx: number; tag: string }[] };
  const last = journal.entries.at(-1);
  return { at: last?.idx ?? -1, name: last?.tag ?? '' };
}

let version: string | undefined;
/** The version of the product, as its package says. */
export function productVersion(): string {
  version ??= (JSON.parse(readFileSync(join(migrationsFolder(), '..', '..', '..', 'package.json'), 'utf8')) as { version: string }).version;
  return version;
}

const hmac = ({ secret }: Pick<Config, 'secret'>, use: string, content: string): string =>
  createHmac('sha256', secret ?? '')
    .update(`doorward backups${use}`)
    .update(content)
    .digest('hex');

export const secretMark = (config: Pick<Config, 'secret'>): string => hmac(config, '', '').slice(0, 16);

/** Of the manifest as it stands in the archive; it holds the checksum of every part, so that nothing can be changed without the installation's secret. */
export const signManifest = (config: Pick<Config, 'secret'>, manifest: string): string => hmac(config, ' manifest\n', manifest);
export const isSignedBy = (config: Pick<Config, 'secret'>, manifest: string, signature: string): boolean => {
  const [right, given] = [Buffer.from(signManifest(config, manifest)), Buffer.from(signature)];
  return right.length === given.length && timingSafeEqual(right, given);
};
