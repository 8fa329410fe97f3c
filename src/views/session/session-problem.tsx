import type { Problem } from '#models/problem.ts';
import { ProblemText } from '#src/components/problem-text.tsx';

/** Why something was refused, in its place on a page before signing in. */
export function SessionProblem({ problem }: { problem: Problem | null }) {
  if (!problem) return null;
  return (
    <div className="session-note session-note-bad" role="alert">
      <i className="pi pi-times-circle" aria-hidden="true" />
      <div>
        <ProblemText problem={problem} />
      </div>
    </div>
  );
}
