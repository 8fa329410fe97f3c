import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { isGenerated, storedValue, valueIssue } from '#models/identifier-value.ts';
import { identifierIssues } from '#models/identifiers.ts';
import type { Issue } from '#models/issues.ts';
import { type Feature, licensed } from '#models/licence-info.ts';
import { modelOf } from '#models/index.ts';
import type { Change } from '#server/crud/repository.ts';
import { identifiers, userDomains, users } from '#server/db/schema/index.ts';
import { removeFile } from '#server/files.ts';
import { HttpError } from '#server/http-error.ts';
import { featuresFor } from '#server/licences/features.ts';
import { requireMayGive } from '../access-rules/rules.ts';
import { requireWithinLimits, readGuestLimits } from './guest-limits.ts';

type Fields = Record<string, unknown>;

/** 128 bits that nobody guesses: what a QR code holds, what opens the page of a guest. */
export const makeKey = (): string => randomBytes(16).toString('base64url');

/** The identifier as it will be: what was stored, and what the change puts in its place. */
function whole({ before, fields }: Change): Fields {
  const model = modelOf('identifiers');
  return { ...(before && model.toWire(model.fromRow(before))), ...fields };
}

const refuse = (issues: Issue[]): never => {
  throw new HttpError('invalid_data', { issues });
};

/** Values that the server makes are not sent, and a ukey2 is issued, not made by hand. */
function requireTyped({ verb, fields }: Change, type: unknown): void {
  if (verb === 'create' && type === 'ukey2') refuse([{ path: ['type'], rule: 'ukey2_issued', params: {} }]);
  if (verb === 'edit' && type === 'ukey2' && 'owner' in fields) refuse([{ path: ['owner'], rule: 'ukey2_issued', params: {} }]);
  if (isGenerated(type) && 'value' in fields && fields['value'] !== null) refuse([{ path: ['value'], rule: 'value_generated', params: {} }]);
}

/** The licences that an identifier asks for. */
const featuresOf = (type: unknown, ownerType: unknown): Feature[] => [
  ...(type === 'license_plate' ? (['licensePlate'] as const) : []),
  ...(type === 'ukey2' ? (['ukey2'] as const) : []),
  ...(ownerType === 'guest' ? (['guests'] as const) : []),
  ...(ownerType === 'guest' && type === 'face' ? (['guestFaces'] as const) : []),
];

/** The groups whose licence and limits hold: the owner's, else the one it belongs to, else those of whoever makes it. */
export async function groupsOfIdentifier({ tx, principal }: Pick<Change, 'tx' | 'principal'>, { owner, domain }: Fields): Promise<readonly string[]> {
  if (typeof domain === 'string') return [domain];
  if (typeof owner !== 'string') return principal.domains;
  const rows = await tx.select({ id: userDomains.groupId }).from(userDomains).where(eq(userDomains.userId, owner));
  return rows.map(({ id }) => id);
}

async function requireLicences(change: Change, identifier: Fields): Promise<void> {
  const wanted = featuresOf(identifier['type'], identifier['owner_type']);
  if (wanted.length === 0) return;
  const { services, tx, principal, at } = change;
  const person = typeof identifier['owner'] === 'string' ? identifier['owner'] : principal.id;
  const [user] = await tx.select({ own: users.licenseInfo }).from(users).where(eq(users.id, person));
  const domains = await groupsOfIdentifier(change, identifier);
  const given = await featuresFor({ ...services, db: tx }, { projectId: principal.projectId, domains }, at);
  const missing = wanted.find((feature) => !user || !licensed(feature, given, user.own));
  if (missing) throw new HttpError('licence_restricted', { feature: missing });
}

const moment = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null);

/** The columns that follow from a change: values as they are kept, keys that the server makes, moments. */
function columnsFor({ verb, fields }: Change, identifier: Fields): Fields {
  const { type, value, owner_type: ownerType } = identifier;
  const key = makeKey();
  const isMade = verb === 'create' && isGenerated(type);
  const opensPage = type === 'url' || (ownerType === 'guest' && (verb === 'create' || 'owner_type' in fields));
  return {
    ...(isMade && { value: key }),
    ...(!isGenerated(type) && 'value' in fields && { value: storedValue(type, String(value)) }),
    ...(opensPage && verb === 'create' && { keyToken: key }),
    ...(opensPage && verb === 'edit' && { keyToken: sql`coalesce(${identifiers.keyToken}, ${key})` }),
    ...('period_restrict_from' in fields && { periodRestrictFrom: moment(fields['period_restrict_from']) }),
    ...('period_restrict_to' in fields && { periodRestrictTo: moment(fields['period_restrict_to']) }),
  };
}

const restrictionsOf = (identifier: Fields) => ({
  isPeriod: identifier['period_restrict_active'] === true,
  from: moment(identifier['period_restrict_from']),
  to: moment(identifier['period_restrict_to']),
  isCounted: identifier['passes_restrict_active'] === true,
  passes: identifier['passes_max_count'],
});
const restrictionFields = {
  isPeriod: ['period_restrict_active'],
  to: ['period_restrict_to'],
  isCounted: ['passes_restrict_active'],
  passes: ['passes_max_count'],
} as const;

const bearsOnLimits = ['owner', 'owner_type', 'domain', 'period_restrict_active', 'period_restrict_from', 'period_restrict_to'];
const bearsOnPasses = ['passes_restrict_active', 'passes_max_count'];

/** The rules of an identifier before it is made or changed; answers the columns that follow. */
export async function prepareIdentifier(change: Change): Promise<Fields> {
  const { verb, fields, tx } = change;
  const identifier = whole(change);
  requireTyped(change, identifier['type']);
  await requireMayGive(change);
  const value = valueIssue(identifier['type'], identifier['value']);
  const issues = [...(value ? [value] : []), ...identifierIssues({ ...identifier, type: 'qr' })];
  if (issues.length > 0) refuse(issues);
  const isTouched = (names: readonly string[]): boolean => verb === 'create' || names.some((name) => name in fields);
  if (isTouched(['type', 'owner', 'owner_type', 'domain'])) await requireLicences(change, identifier);
  if (identifier['owner_type'] === 'guest' && isTouched([...bearsOnLimits, ...bearsOnPasses]))
    requireWithinLimits(
      restrictionsOf(identifier),
      await readGuestLimits(tx, change.principal.projectId, await groupsOfIdentifier(change, identifier)),
      restrictionFields,
    );
  return columnsFor(change, identifier);
}

/** A ukey2 is revoked, never deleted; a photo goes with its identifier. */
export async function beforeIdentifierDelete({ services, tx, id, before, later }: Change): Promise<void> {
  if (before?.['type'] === 'ukey2') throw new HttpError('ukey2_not_deletable');
  const [row] = await tx.select({ photo: identifiers.photoFile }).from(identifiers).where(eq(identifiers.id, id));
  const photo = row?.photo;
  if (photo) later(() => removeFile(services, photo));
}
