import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { usePages } from './page-reports.ts';

/** A link that opens a page on top of this one, so that closing it leads back here. */
export function PageLink({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  const { open } = usePages();
  const follow = (event: MouseEvent): void => {
    // A new tab or window has a stack of its own.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    open(to);
  };
  return (
    <Link to={to} {...(className && { className })} onClick={follow}>
      {children}
    </Link>
  );
}
