import { eq } from 'drizzle-orm';
import { type Feature, inBoth, inEither, type LicenceInfo, licensed, nothingLicensed } from '#models/licence-info.ts';
import { licenceTypes, type LicenceType } from '#models/consistency.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { users } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';
import { type Capacity, capacityAt, type Counted, unlimited } from './combine.ts';
import { leftBy, readChains } from './group-licence.ts';
import { factsOf, isLicensing, type LicenceReader, readLicences } from './stored.ts';

/** A moment in seconds since 1970, as licences hold it. */
export const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000);

/** The licences of a project as their worth is reckoned; null where licences are not asked for. */
export async function readCounted(reader: LicenceReader, projectId: string): Promise<Counted[] | null> {
  if (!isLicensing(reader.config)) return null;
  return (await readLicences(reader, projectId)).map((stored) => ({ payload: stored.payload, facts: factsOf(stored, new Date(0)) }));
}

/** What a project's licences give at a moment to those who draw on these types of them. */
export const capacityNow = (licences: readonly Counted[] | null, at: number, drawn: readonly LicenceType[] = licenceTypes): Capacity =>
  licences ? capacityAt(licences, at, drawn) : unlimited;

/** What a project is licensed for at a moment. */
export async function featuresOf(reader: LicenceReader, projectId: string, at: Date): Promise<LicenceInfo> {
  return capacityNow(await readCounted(reader, projectId), secondsOf(at)).features;
}

/** What the server licenses a person for: what both the project and one of their groups, with all above it, have. */
export async function featuresFor(reader: LicenceReader, person: Pick<Principal, 'projectId' | 'domains'>, at: Date): Promise<LicenceInfo> {
  const moment = secondsOf(at);
  const [licences, chains] = await Promise.all([readCounted(reader, person.projectId), readChains(reader.db, person.domains)]);
  const given = chains
    .map((chain) => leftBy(chain, moment))
    .map(({ features, types }) => inBoth(capacityNow(licences, moment, types).features, features));
  return given.length > 0 ? given.reduce(inEither) : nothingLicensed;
}

/** May a person use a feature now: by project, group and own flag? @throws HttpError `licence_restricted` */
export async function requireFeature(services: Services, principal: Principal, feature: Feature): Promise<void> {
  const [user] = await services.db.select({ own: users.licenseInfo }).from(users).where(eq(users.id, principal.id));
  const server = await featuresFor(services, principal, services.now());
  if (!user || !licensed(feature, server, user.own)) throw new HttpError('licence_restricted', { feature });
}

/** May devices be put into this group: has it, and all above it, the device licence, and the project one? @throws HttpError `licence_restricted` */
export async function requireDeviceLicence(services: Services, tx: Db, projectId: string, groupId: string): Promise<void> {
  const [chain = []] = await readChains(tx, [groupId]);
  const at = secondsOf(services.now());
  const { types } = leftBy(chain, at);
  const capacity = capacityNow(await readCounted({ ...services, db: tx }, projectId), at, types);
  if (!capacity.types.includes('device')) throw new HttpError('licence_restricted', { feature: 'device' });
}
