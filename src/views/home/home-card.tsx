import { type CSSProperties, type ReactNode, useId } from 'react';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import type { FirstRows } from './use-rows.ts';

interface FrameProps {
  title: string;
  icon: `pi-${string}`;
  /** How many rows there will be, so that the card has its height before they come. */
  lines: number;
  /** Rows of two lines are higher. */
  tall?: boolean;
  /** Stands at the end of the head. */
  aside?: ReactNode;
  /** A line below the rows; its height is kept also where it is not shown yet. */
  foot?: ReactNode;
  footShown?: boolean;
  children: ReactNode;
}

/** The frame of one card of the dashboard, of a height that is known before anything stands in it. */
export function HomeFrame({ title, icon, lines, tall = false, aside, foot, footShown = true, children }: FrameProps) {
  const titleId = useId();
  return (
    <section
      className={tall ? 'card home-card home-tall' : 'card home-card'}
      style={{ '--lines': lines, '--foot': foot ? '44px' : '0px' } as CSSProperties}
      aria-labelledby={titleId}
    >
      <header className="card-head">
        <i className={`pi ${icon}`} aria-hidden="true" />
        <h2 id={titleId}>{title}</h2>
        {aside}
      </header>
      {children}
      {footShown && foot && <footer className="home-foot">{foot}</footer>}
    </section>
  );
}

interface HomeCardProps<R> extends Omit<FrameProps, 'children' | 'footShown'> {
  answer: Pick<FirstRows<R>, 'loading' | 'rows' | 'problem' | 'reload'>;
  /** What is said when there is nothing. */
  empty: string;
  emptyIcon?: `pi-${string}`;
  children: (row: R) => ReactNode;
}

/** One card of the dashboard: its rows, or that they are on their way, none, or could not be read. */
export function HomeCard<R extends { readonly id: string }>({ answer, empty, emptyIcon, children, ...frame }: HomeCardProps<R>) {
  const { t } = useText();
  const { loading, rows, problem, reload } = answer;
  return (
    <HomeFrame {...frame} footShown={rows.length > 0 && !problem}>
      {problem ? (
        <Failure problem={problem} onRetry={reload} />
      ) : loading && rows.length === 0 ? (
        <SkeletonLines lines={frame.lines} label={t('interface.loading')} />
      ) : rows.length === 0 ? (
        <EmptyState icon={emptyIcon ?? frame.icon} text={empty} />
      ) : (
        <ul className="home-rows">
          {rows.map((row) => (
            <li key={row.id}>{children(row)}</li>
          ))}
        </ul>
      )}
    </HomeFrame>
  );
}
