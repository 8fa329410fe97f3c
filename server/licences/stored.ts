import type { KeyObject } from 'node:crypto';
import { asc, eq } from 'drizzle-orm';
import { lifeOf } from '#machines/lifecycles/licence-life.machine.ts';
import type { Licence, LicencePayload } from '#models/licences.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { licences } from '../db/schema/index.ts';
import { openLicence } from './file.ts';
import { instanceId } from './instance.ts';
import { issuerKey } from './issuer-key.ts';
import { readPublicKey } from './keys.ts';

/** What reading licences takes; inside a change, its transaction stands in for the database. */
export type LicenceReader = Pick<Services, 'db' | 'config'>;

/** A licence of a project as it is kept, taken apart. */
export interface StoredLicence {
  id: string;
  payload: LicencePayload;
  source: 'file' | 'cloud';
  isEnabled: boolean;
  /** Signed by somebody who is believed, for this installation. */
  isTrusted: boolean;
  createdAt: Date;
}

/** Are licences asked for? Without a vendor's key there is nobody who could issue one, and everything is licensed. */
export const isLicensing = ({ licenceKey, demo }: Services['config']): boolean => licenceKey !== null || demo;

/** The public keys whose licences are believed: the vendor's, and in the demo that of its own issuer. */
export async function trustedKeys({ db, config }: LicenceReader): Promise<KeyObject[]> {
  const issuer = config.demo ? await issuerKey(db) : null;
  return [...(config.licenceKey ? [readPublicKey(config.licenceKey)] : []), ...(issuer ? [issuer.publicKey] : [])];
}

/** What a licence file says, and whether that is believed here; null for a damaged one. */
type Opened = Pick<StoredLicence, 'payload' | 'isTrusted'> | null;
/** Files that were opened before: none ever says anything else, so no signature is looked at with every request. */
const opened = new WeakMap<Db, Map<string, Opened>>();

function openHere(file: string, keys: readonly KeyObject[], here: string): Opened {
  try {
    const { payload, isTrusted } = openLicence(file, keys);
    return { payload, isTrusted: isTrusted && (payload.instance ?? here) === here };
  } catch {
    return null;
  }
}

/** Opens files of an installation, each once as long as the same are believed. @returns what each says, by its text */
async function openAll(reader: LicenceReader, files: readonly string[]): Promise<(file: string) => Opened> {
  const { db, config } = reader;
  const known = opened.get(db) ?? new Map<string, Opened>();
  opened.set(db, known);
  const nameOf = (file: string): string => `${config.licenceKey ?? ''} ${config.demo} ${file}`;
  const unknown = files.filter((file) => !known.has(nameOf(file)));
  if (unknown.length > 0) {
    const keys = await trustedKeys(reader);
    const here = await instanceId(db);
    for (const file of unknown) known.set(nameOf(file), openHere(file, keys, here));
  }
  return (file) => known.get(nameOf(file)) ?? null;
}

/** The licences of a project, oldest first; a file that was damaged in the database is left out. */
export async function readLicences(reader: LicenceReader, projectId: string): Promise<StoredLicence[]> {
  const rows = await reader.db.select().from(licences).where(eq(licences.projectId, projectId)).orderBy(asc(licences.createdAt), asc(licences.id));
  const said = await openAll(
    reader,
    rows.map(({ file }) => file),
  );
  return rows.flatMap(({ file, ...row }) => {
    const is = said(file);
    return is ? [{ ...row, ...is }] : [];
  });
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

/** What the life of a stored licence hangs on. One that is not believed gives nothing, as if switched off. */
export const factsOf = ({ payload, isEnabled, isTrusted }: Pick<StoredLicence, 'payload' | 'isEnabled' | 'isTrusted'>, at: Date) => ({
  period: payload.period,
  graceDays: payload.grace_days,
  notifyBefore: payload.reminder.notify_before,
  isEnabled: isEnabled && isTrusted,
  at: seconds(at),
});

/** A stored licence as the wire has it. */
export function shownLicence(stored: StoredLicence, at: Date): Licence {
  const { id, payload, source, isEnabled, isTrusted, createdAt } = stored;
  return {
    id,
    number: payload.id,
    type: payload.type,
    ...lifeOf(factsOf(stored, at)),
    period: payload.period,
    grace_days: payload.grace_days,
    issued_at: payload.issued_at,
    is_enabled: isEnabled,
    is_trusted: isTrusted,
    source,
    features: payload.features,
    reminder: payload.reminder,
    created_at: createdAt.toISOString(),
  };
}
