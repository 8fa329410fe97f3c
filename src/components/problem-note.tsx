import type { Problem } from '#models/problem.ts';
import { ProblemText } from './problem-text.tsx';

/** Why a dialog could not do what it was told, above its fields. */
export function ProblemNote({ problem }: { problem: Problem | null }) {
  if (!problem) return null;
  return (
    <div className="notice notice-bad" role="alert">
      <i className="pi pi-exclamation-circle" aria-hidden="true" />
      <div>
        <ProblemText problem={problem} />
      </div>
    </div>
  );
}
