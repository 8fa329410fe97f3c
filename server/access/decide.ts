import type { DenialReason } from '#models/device-events.ts';
import { type Case, caseOf, type Question } from './case.ts';
import { grantedUntil, nextGranted } from './granted-times.ts';
import { type Step, stepsOf } from './steps.ts';
import type { World } from './world.ts';

/** Whether an identifier opens a device, by what, and why not. */
export interface Verdict {
  isGranted: boolean;
  /** Null for what is not known. */
  credentialId: string | null;
  /** Of the first step that failed; null when granted. */
  reason: DenialReason | null;
  /** What opened: the rule, and the schedule by which it holds (null: at any time). */
  ruleId: string | null;
  scheduleId: string | null;
  steps: readonly Step[];
}

/** A verdict with what follows from it in time (ms since 1970). */
export interface Decision extends Verdict {
  /** Until when it stays granted; null: for 400 days at least, or it is refused. */
  until: number | null;
  /** When it would be granted next; null: not within 400 days unless something is changed, or it is granted. */
  next: number | null;
}

function judged(asked: Case): Verdict {
  const steps = stepsOf(asked);
  const failing = steps.find(({ outcome }) => outcome === 'failed');
  const opening = failing ? undefined : steps.find(({ name }) => name === 'schedule');
  return {
    isGranted: !failing,
    credentialId: asked.credential?.id ?? null,
    reason: failing?.reason ?? null,
    ruleId: opening?.rules[0] ?? null,
    scheduleId: opening?.schedules[0] ?? null,
    steps,
  };
}

/** Whether an identifier opens a device at a moment. @throws Error for a device that is not in the world */
export const judge = (world: World, question: Question): Verdict => judged(caseOf(world, question));

/** The same, with how long that stays so, or when it changes. @throws Error for a device that is not in the world */
export function decide(world: World, question: Question): Decision {
  const asked = caseOf(world, question);
  const verdict = judged(asked);
  return {
    ...verdict,
    until: verdict.isGranted ? grantedUntil(asked) : null,
    next: verdict.isGranted ? null : nextGranted(asked),
  };
}
