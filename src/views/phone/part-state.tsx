import type { ReactNode } from 'react';
import type { Problem } from '#models/problem.ts';
import { Failure, ProblemText } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';

/** What was read from the server, how reading stands, and reading it anew. */
interface Reading {
  isLoading: boolean;
  /** Nothing was read yet. */
  isEmpty: boolean;
  problem: Problem | null;
  onRefresh: () => void;
}

/** The head of a part of the panel: how much there is, and reading it anew. */
export function PartHead({ count, reading, children }: { count: string; reading: Reading; children?: ReactNode }) {
  const { t } = useText();
  return (
    <div className="part-head">
      {children}
      <span className="quiet small" role="status">
        {count}
      </span>
      <button
        type="button"
        className="icon-button"
        aria-label={t('phone.refresh')}
        title={t('phone.refresh')}
        disabled={reading.isLoading}
        onClick={reading.onRefresh}
      >
        <i className={`pi pi-refresh ${reading.isLoading ? 'pi-spin' : ''}`} aria-hidden="true" />
      </button>
    </div>
  );
}

/** Grey lines at first, a failure with its reason, else what was read; reading it anew that fails says so above it. */
export function PartState({ reading, children }: { reading: Reading; children: ReactNode }) {
  const { t } = useText();
  if (reading.problem && reading.isEmpty) return <Failure problem={reading.problem} onRetry={reading.onRefresh} />;
  if (reading.isLoading && reading.isEmpty) return <SkeletonLines lines={6} label={t('interface.loading')} />;
  return (
    <>
      {reading.problem && (
        <p className="part-problem" role="alert">
          <ProblemText problem={reading.problem} />
        </p>
      )}
      {children}
    </>
  );
}
