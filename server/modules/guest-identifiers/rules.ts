import { randomInt } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { IdentifierType } from '#models/device-events.ts';
import { isGenerated, storedValue, valueIssue } from '#models/identifier-value.ts';
import { modelOf } from '#models/index.ts';
import type { Issue } from '#models/issues.ts';
import { licensed } from '#models/licence-info.ts';
import { idArray } from '#server/access/measures.ts';
import type { Change } from '#server/crud/repository.ts';
import type { Db } from '#server/db/database.ts';
import { accessRuleIdentifiers, identifiers, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { featuresFor } from '#server/licences/features.ts';
import { refusedField } from '../roles/rules.ts';
import { requireWithinLimits, readGuestLimits } from '../identifiers/guest-limits.ts';
import { makeKey } from '../identifiers/rules.ts';
import { sharedRules } from './shared-rules.ts';

type Fields = Record<string, unknown>;

/** The key as it will be: what was stored, and what the change puts in its place. */
function whole({ before, fields }: Change): Fields {
  const model = modelOf('guest-identifiers');
  return { ...(before && model.toWire(model.fromRow(before))), ...fields };
}

/** The group a guest is let into: the one chosen, or the host's first. @throws HttpError `domain` is required where the host has none */
function groupOf({ principal }: Change, { domain }: Fields): string {
  const id = typeof domain === 'string' ? domain : principal.domains[0];
  if (!id) throw new HttpError('invalid_data', { issues: [{ path: ['domain'], rule: 'required', params: {} }] });
  return id;
}

async function requireLicensed({ services, tx, principal, at }: Change, type: unknown, group: string): Promise<void> {
  const [user] = await tx.select({ own: users.licenseInfo }).from(users).where(eq(users.id, principal.id));
  const given = await featuresFor({ ...services, db: tx }, { projectId: principal.projectId, domains: [group] }, at);
  const wanted = type === 'license_plate' ? (['guests', 'licensePlate'] as const) : (['guests'] as const);
  const missing = wanted.find((feature) => !user || !licensed(feature, given, user.own));
  if (missing) throw new HttpError('licence_restricted', { feature: missing });
}

/** Only what one may share is given; what was given before may stay. */
async function requireShared({ tx, principal, fields, before }: Change, group: string): Promise<void> {
  const wanted = fields['selectedAccessRules'] as string[] | undefined;
  if (!wanted) return;
  const had = ((before?.['selectedAccessRules'] ?? []) as { id: string }[]).map(({ id }) => id);
  const offered = (await sharedRules(tx, principal, group)).map(({ id }) => id);
  if (wanted.some((id) => !had.includes(id) && !offered.includes(id))) throw refusedField('selectedAccessRules', 'not_allowed');
}

const codeDigits = 6;
const tries = 50;
/** A code that nothing in the project opens by yet. */
async function freeCode({ tx, principal }: Change): Promise<string> {
  for (let round = 0; round < tries; round += 1) {
    // Whoever could foresee it would be let in.
    const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');
    if (await isFree(tx, principal.projectId, code)) return code;
  }
  throw new HttpError('identifier_not_saved', { name: 'access_code' });
}
async function isFree(tx: Db, projectId: string, code: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`select from identifiers where project_id = ${projectId} and type = 'access_code' and value = ${code}`);
  return rows.length === 0;
}

async function valueFor(change: Change, { type, value }: Fields): Promise<string | null> {
  if (change.verb === 'create' && (isGenerated(type) || (type === 'access_code' && value === null)))
    return isGenerated(type) ? makeKey() : freeCode(change);
  if (!('value' in change.fields)) return null;
  const issue: Issue | null = isGenerated(type) ? { path: ['value'], rule: 'value_generated', params: {} } : valueIssue(type, value);
  if (issue) throw new HttpError('invalid_data', { issues: [issue] });
  return storedValue(type, String(value));
}

/** A typed value that another guest has already is said to be a guest's; what else is taken the database refuses. @throws HttpError `guest_exists` */
async function requireNoGuestHas({ tx, principal, before }: Change, type: unknown, value: string): Promise<void> {
  const same = and(eq(identifiers.projectId, principal.projectId), eq(identifiers.type, type as IdentifierType), eq(identifiers.value, value));
  const [taken] = await tx.select({ id: identifiers.id, of: identifiers.ownerType }).from(identifiers).where(same);
  if (taken?.of === 'guest' && taken.id !== before?.['id'])
    throw new HttpError('guest_exists', { issues: [{ path: ['value'], rule: 'guest_exists', params: {} }] });
}

const moment = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null);

/** Where a period has no beginning it begins now. */
function periodOf({ at, before }: Change, { restrictPeriod, validatePeriod }: Fields): { from: Date | null; to: Date | null } {
  const { from, to } = (validatePeriod ?? {}) as { from?: unknown; to?: unknown };
  if (restrictPeriod !== true) return { from: null, to: null };
  const was = (before?.['validatePeriod'] as { from: string | null } | undefined)?.from;
  return { from: moment(from ?? was) ?? at, to: moment(to) };
}

const bearsOnLimits = ['domain', 'restrictPeriod', 'validatePeriod', 'restrictPassCount', 'passLimit'];
const places = {
  passes: ['passLimit'],
  isCounted: ['restrictPassCount'],
  to: ['validatePeriod', 'to'],
  isPeriod: ['restrictPeriod'],
} as const;

/** Limits that were lowered since stand in the way of a longer stay, not of another name. */
async function requireLimits({ tx, principal }: Change, key: Fields, period: { from: Date | null; to: Date | null }, group: string): Promise<void> {
  const { restrictPeriod, restrictPassCount, passLimit } = key;
  const restricted = { ...period, isPeriod: restrictPeriod === true, isCounted: restrictPassCount === true, passes: passLimit };
  requireWithinLimits(restricted, await readGuestLimits(tx, principal.projectId, [group]), places);
}

/** The rules of a guest's key before it is made or changed; answers the columns that follow. */
export async function prepareGuest(change: Change): Promise<Fields> {
  const { verb } = change;
  const key = whole(change);
  const group = groupOf(change, key);
  const issues = modelOf('guest-identifiers').refine({ ...key, type: 'url' });
  if (issues.length > 0) throw new HttpError('invalid_data', { issues });
  await requireLicensed(change, key['type'], group);
  await requireShared(change, group);
  const { from, to } = periodOf(change, key);
  if (verb === 'create' || bearsOnLimits.some((field) => field in change.fields)) await requireLimits(change, key, { from, to }, group);
  const value = await valueFor(change, key);
  if (value !== null) await requireNoGuestHas(change, key['type'], value);
  return {
    domainId: group,
    periodRestrictFrom: from,
    periodRestrictTo: to,
    ...(value !== null && { value }),
    ...(verb === 'create' && { ownerType: 'guest', keyToken: makeKey() }),
  };
}

/** The rules given are exactly those named. */
export async function settleGuest({ tx, id, fields }: Change): Promise<void> {
  const rules = fields['selectedAccessRules'] as string[] | undefined;
  if (!rules) return;
  await tx.execute(
    sql`delete from ${accessRuleIdentifiers} where ${accessRuleIdentifiers.identifierId} = ${id} and ${accessRuleIdentifiers.ruleId} <> all(${idArray(rules)})`,
  );
  await tx.execute(
    sql`insert into ${accessRuleIdentifiers} (rule_id, identifier_id) select rule, ${id}::uuid from unnest(${idArray(rules)}) rule on conflict do nothing`,
  );
}
