import type { Problem } from '#models/problem.ts';
import { Button } from './button.tsx';
import { sayProblem, useText } from './text.ts';
import './empty-state.css';

/** A problem in the person's words; a message only the server's language has stands under "details". */
export function ProblemText({ problem }: { problem: Problem }) {
  const words = useText();
  const { text, details } = sayProblem(words, problem);
  return (
    <>
      {text}
      {details && (
        <details>
          <summary>{words.t('interface.details')}</summary>
          {details}
        </details>
      )}
    </>
  );
}

/** What should be here could not be loaded: why, and once more. */
export function Failure({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  const { t } = useText();
  return (
    <div className="empty-state failure" role="alert">
      <i className="pi pi-exclamation-circle" aria-hidden="true" />
      <div>
        <ProblemText problem={problem} />
      </div>
      <Button label={t('interface.retry')} icon="pi-refresh" tone="plain" onClick={onRetry} />
    </div>
  );
}
