import { type AccessFeature, type AccessStep, accessSteps } from '#models/access-calls.ts';
import type { DenialReason } from '#models/device-events.ts';
import { barredUntil, type Case, featuresNeeded, holdingOf, licencesOf } from './case.ts';
import type { Licensed } from './world.ts';

/** How one step ended; `skipped`: it does not apply, or a step before it left nothing to ask. */
export interface Step {
  name: AccessStep;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Of a step that failed. */
  reason: DenialReason | null;
  /** Ids of the rules and schedules that decided it. */
  rules: readonly string[];
  schedules: readonly string[];
  /** The feature that is not licensed. */
  feature: AccessFeature | null;
}
type Ending = Omit<Step, 'name'>;

const plain = { reason: null, rules: [], schedules: [], feature: null } as const;
const passed: Ending = { outcome: 'passed', ...plain };
const skipped: Ending = { outcome: 'skipped', ...plain };
const failed = (reason: DenialReason, more: Partial<Ending> = {}): Ending => ({ ...plain, outcome: 'failed', reason, ...more });
const passedUnless = (reason: DenialReason | null): Ending => (reason === null ? passed : failed(reason));

/** Whether something is licensed at a moment. */
const isLicensed = (licences: readonly Licensed[], feature: AccessFeature, at: number): boolean =>
  licences.some((one) => one.feature === feature && (one.from === null || one.from <= at) && (one.until === null || at < one.until));

/** Why the state of an identifier bars it, whatever the moment. */
function usable({ credential }: Case): Ending {
  if (!credential) return skipped;
  if (credential.isRevoked) return failed('revoked');
  return passedUnless(credential.isLost || !credential.isActive ? 'blocked' : null);
}

function ownerIsActive({ credential, owner }: Case): Ending {
  if (!credential || credential.ownerId === null) return skipped;
  return passedUnless(owner?.isActive ? null : 'blocked');
}

function licensed(asked: Case): Ending {
  const needed = asked.credential ? featuresNeeded(asked.credential) : [];
  if (needed.length === 0) return skipped;
  const missing = needed.find((feature) => !isLicensed(licencesOf(asked), feature, asked.at));
  return missing === undefined ? passed : failed('not_licensed', { feature: missing });
}

function inPeriod({ credential, at }: Case): Ending {
  const period = credential?.period;
  if (!period) return skipped;
  if (period.from !== null && at < period.from) return failed('not_yet_valid');
  return passedUnless(period.to !== null && at >= period.to ? 'expired' : null);
}

function hasPasses({ credential }: Case): Ending {
  const passes = credential?.passes;
  return passes ? passedUnless(passes.count < passes.max ? null : 'passes_used') : skipped;
}

function notProhibited(asked: Case): Ending {
  if (!asked.credential) return skipped;
  if (asked.door.isLift && asked.owner?.isBarredFromLifts) return failed('prohibited');
  const holding = holdingOf(asked, asked.prohibiting);
  if (holding.length === 0) return passed;
  const schedules = holding.flatMap(({ schedule }) => schedule ?? []);
  return failed('prohibited', { rules: holding.map(({ rule }) => rule.id), schedules: [...new Set(schedules)] });
}

function reached({ credential, permitting }: Case): Ending {
  if (!credential) return skipped;
  return permitting.length === 0 ? failed('no_rule') : { ...passed, rules: permitting.map(({ id }) => id) };
}

/** The first rule that holds is the one that opens. */
function inSchedule(asked: Case): Ending {
  const { permitting } = asked;
  if (permitting.length === 0) return skipped;
  const [first] = holdingOf(asked, permitting);
  if (first) return { ...passed, rules: [first.rule.id], schedules: first.schedule === null ? [] : [first.schedule] };
  const schedules = new Set(permitting.flatMap((rule) => rule.schedules));
  return failed('outside_schedule', { rules: permitting.map(({ id }) => id), schedules: [...schedules] });
}

function unrestricted(asked: Case): Ending {
  if (!asked.credential || !asked.door.antiPassback) return skipped;
  return passedUnless(barredUntil(asked) === null ? null : 'anti_passback');
}

const endings: Readonly<Record<AccessStep, (asked: Case) => Ending>> = {
  known: ({ credential }) => passedUnless(credential ? null : 'unknown_identifier'),
  usable,
  owner: ownerIsActive,
  licence: licensed,
  period: inPeriod,
  passes: hasPasses,
  prohibition: notProhibited,
  rule: reached,
  schedule: inSchedule,
  restriction: unrestricted,
};

/** All steps in order, those after a failed one too: whoever puts the first right wants to know of the next. */
export const stepsOf = (asked: Case): Step[] => accessSteps.map((name) => ({ name, ...endings[name](asked) }));
