import type { ReactNode } from 'react';
import './empty-state.css';

/** Nothing is there: one sentence, and the next step where there is one. */
export function EmptyState({ icon = 'pi-inbox', text, children }: { icon?: `pi-${string}`; text: string; children?: ReactNode }) {
  return (
    <div className="empty-state">
      <i className={`pi ${icon}`} aria-hidden="true" />
      <p>{text}</p>
      {children}
    </div>
  );
}
