import { type CSSProperties, type ReactNode, useId } from 'react';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import type { FirstRows } from './use-rows.ts';

interface HomeCardProps<R> {
  title: string;
  icon: `pi-${string}`;
  answer: FirstRows<R>;
  /** What is said when there is nothing. */
  empty: string;
  emptyIcon?: `pi-${string}`;
  /** How many rows there will be, so that the card has its height before they come. */
  lines: number;
  /** Rows of two lines are higher. */
  tall?: boolean;
  foot?: ReactNode;
  children: (row: R) => ReactNode;
}

/** One card of the dashboard: its rows, or that they are on their way, none, or could not be read. */
export function HomeCard<R extends { readonly id: string }>({
  title,
  icon,
  answer,
  empty,
  emptyIcon,
  lines,
  tall = false,
  foot,
  children,
}: HomeCardProps<R>) {
  const { t } = useText();
  const titleId = useId();
  const { loading, rows, problem, reload } = answer;
  return (
    <section className={tall ? 'card home-card home-tall' : 'card home-card'} style={{ '--lines': lines } as CSSProperties} aria-labelledby={titleId}>
      <header className="card-head">
        <i className={`pi ${icon}`} aria-hidden="true" />
        <h2 id={titleId}>{title}</h2>
      </header>
      {problem ? (
        <Failure problem={problem} onRetry={reload} />
      ) : loading && rows.length === 0 ? (
        <SkeletonLines lines={lines} label={t('interface.loading')} />
      ) : rows.length === 0 ? (
        <EmptyState icon={emptyIcon ?? icon} text={empty} />
      ) : (
        <ul className="home-rows">
          {rows.map((row) => (
            <li key={row.id}>{children(row)}</li>
          ))}
        </ul>
      )}
      {rows.length > 0 && !problem && foot && <footer className="home-foot">{foot}</footer>}
    </section>
  );
}
