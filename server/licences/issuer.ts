import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { constants } from '#models/constants.ts';
import { allLicensed } from '#models/licence-info.ts';
import type { LicencePayload } from '#models/licences.ts';
import { type IssuerMode, issuerModes, type LicenceFileKind } from '#models/simulator.ts';
import { secondsIn } from '#models/time.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { soldLicences } from '../db/demo/licence-plans.ts';
import { instance, licences, projects } from '../db/schema/index.ts';
import type { CloudAnswer, CloudQuestion } from './cloud-answer.ts';
import { secondsOf } from './features.ts';
import { signLicence } from './file.ts';
import { instanceId } from './instance.ts';
import { issuerKey } from './issuer-key.ts';
import { notifyLicenceChange } from './store.ts';
import { type LicenceReader, readLicences } from './stored.ts';

type Issuing = LicenceReader & Pick<Services, 'now'>;

const modeKey = 'demo.licence_mode';
const day = secondsIn(1, 'day');
const year = 365 * day;

/** How the issuer answers at present. */
export async function issuerMode(db: Db): Promise<IssuerMode> {
  const [storedMode] = await db.select().from(instance).where(eq(instance.key, modeKey));
  return issuerModes.find((mode) => mode === storedMode?.value) ?? 'ok';
}

/** Stages how the issuer answers from now on. */
export async function setIssuerMode(db: Db, mode: IssuerMode): Promise<void> {
  await db
    .insert(instance)
    .values({ key: modeKey, value: mode })
    .onConflictDoUpdate({ target: instance.key, set: { value: mode } });
}

/** A payload for a project of this installation, all features on unless said otherwise. */
export async function payloadFor(
  { db, now }: Pick<Services, 'db' | 'now'>,
  project: string,
  given: Partial<LicencePayload> = {},
): Promise<LicencePayload> {
  return {
    id: randomUUID(),
    project,
    instance: await instanceId(db),
    issued_at: secondsOf(now()),
    type: 'basic',
    period: constants.unlimitedLicencePeriod,
    grace_days: 7,
    features: allLicensed,
    reminder: { mode: constants.licenceNotifications.mode, notify_before: constants.licenceNotifications.notifyBeforeDays },
    ...given,
  };
}

/** A licence file signed by the demo's issuer. */
export const issueLicence = async (db: Db, payload: LicencePayload): Promise<string> => signLicence(payload, (await issuerKey(db)).privateKey);

/** Another twenty of everything counted. */
const twentyMore = {
  ...allLicensed,
  sip: { ...allLicensed.sip, license_count: 20 },
  mobile_app: { ...allLicensed.mobile_app, license_count: 20 },
  ukey2: { ...allLicensed.ukey2, license_count: 20 },
};

/**
 * What the vendor has for a project: what was sold to it and is not there any more, what ends within two months renewed for a
 * year; who never bought anything gets a basic licence.
 */
async function onOffer(issuing: Issuing, uid: string): Promise<LicencePayload[]> {
  const at = secondsOf(issuing.now());
  const [project] = await issuing.db.select({ id: projects.id }).from(projects).where(eq(projects.uid, uid));
  const stored = project ? await readLicences(issuing, project.id) : [];
  const period = { from: at, to: at + year };
  const missing = soldLicences(uid, at).filter(({ id }) => !stored.some(({ payload }) => payload.id === id));
  const sold = await Promise.all(missing.map((given) => payloadFor(issuing, uid, given)));
  if (![...sold, ...stored.map(({ payload }) => payload)].some(({ type }) => type === 'basic')) return [await payloadFor(issuing, uid, { period })];
  const renewed = stored.map(({ payload }) =>
    payload.period.to < at + 60 * day
      ? { ...payload, issued_at: Math.max(at, payload.issued_at + 1), period: { from: payload.period.from, to: at + year } }
      : payload,
  );
  return [...sold, ...renewed];
}

/** A licence for a project that no server takes. */
async function spoiltLicence(issuing: Issuing, uid: string, kind: Exclude<LicenceFileKind, 'ok'>): Promise<string> {
  const at = secondsOf(issuing.now());
  switch (kind) {
    case 'bad_signature':
      return signLicence(await payloadFor(issuing, uid), generateKeyPairSync('ed25519').privateKey);
    case 'expired':
      return issueLicence(issuing.db, await payloadFor(issuing, uid, { period: { from: at - year, to: at - 30 * day }, grace_days: 7 }));
    case 'wrong_project':
      return issueLicence(issuing.db, await payloadFor(issuing, `${uid}-other`));
    default:
      return kind satisfies never;
  }
}

/** Plays the vendor's cloud, in the manner that was staged. Silence lasts until `signal` ends it. */
export async function answerAsIssuer(issuing: Issuing, { project }: CloudQuestion, signal: AbortSignal): Promise<CloudAnswer> {
  const mode = await issuerMode(issuing.db);
  switch (mode) {
    case 'silent':
      await pause(constants.apiTimeout, undefined, { signal });
      return { refused: 'licence_none_found' };
    case 'none':
      return { refused: 'licence_none_found' };
    case 'instance_registered':
      return { refused: 'licence_instance_registered' };
    case 'bad_signature':
    case 'expired':
    case 'wrong_project':
      return { licences: [await spoiltLicence(issuing, project, mode)] };
    case 'ok':
      return { licences: await Promise.all((await onOffer(issuing, project)).map((payload) => issueLicence(issuing.db, payload))) };
    default:
      return mode satisfies never;
  }
}

/** Signs all licences of a project anew with other words in them, as if the vendor had; whoever is signed in learns of it at once. */
async function reissue(issuing: Issuing, projectId: string, change: (payload: LicencePayload) => Partial<LicencePayload>): Promise<void> {
  await issuing.db.transaction(async (tx) => {
    for (const { id, payload } of await readLicences({ ...issuing, db: tx }, projectId)) {
      const file = await issueLicence(tx, { ...payload, issued_at: secondsOf(issuing.now()), ...change(payload) });
      await tx
        .update(licences)
        .set({ file, version: sql`${licences.version} + 1`, updatedAt: issuing.now() })
        .where(eq(licences.id, id));
    }
    await notifyLicenceChange(tx, projectId);
  });
}

const before = ({ period }: LicencePayload, to: number) => ({ from: Math.min(period.from, to - day), to });

/** Lets a project's licences run out this moment; features go off after so many days of grace. */
export const expireLicence = (issuing: Issuing, projectId: string, graceDays = 0): Promise<void> =>
  reissue(issuing, projectId, (payload) => ({ period: before(payload, secondsOf(issuing.now())), grace_days: graceDays }));

/** Lets a project's licences end in so many days. */
export const endSoon = (issuing: Issuing, projectId: string, days = 3): Promise<void> =>
  reissue(issuing, projectId, (payload) => ({ period: before(payload, secondsOf(issuing.now()) + days * day), grace_days: 7 }));

/** Gives a project's licences another year. */
export const restoreLicence = (issuing: Issuing, projectId: string): Promise<void> =>
  reissue(issuing, projectId, (payload) => ({ period: { from: payload.period.from, to: secondsOf(issuing.now()) + year }, grace_days: 7 }));

/** A further licence for a project, as a file to be added by hand: twenty more of everything counted. */
export const issueExtension = async (issuing: Issuing, uid: string): Promise<string> =>
  issueLicence(
    issuing.db,
    await payloadFor(issuing, uid, { type: 'extension', features: twentyMore, period: { from: 0, to: secondsOf(issuing.now()) + year } }),
  );

/** A licence file for a project: the further licence, or one that is refused in this manner. */
export const issueFile = (issuing: Issuing, uid: string, kind: LicenceFileKind): Promise<string> =>
  kind === 'ok' ? issueExtension(issuing, uid) : spoiltLicence(issuing, uid, kind);
