import './skeletons.css';

/** Grey lines where text will be, so that nothing moves when it comes. */
export function SkeletonLines({ lines = 3, label }: { lines?: number; label: string }) {
  return (
    <div className="skeleton-lines" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className="skeleton" style={{ width: `${[72, 56, 64, 48][line % 4]}%` }} />
      ))}
    </div>
  );
}

/** A page that is still on its way: its bar and one card. */
export function SkeletonPage({ label }: { label: string }) {
  return (
    <div className="skeleton-page" role="status" aria-label={label}>
      <span className="skeleton skeleton-bar" />
      <div className="card skeleton-lines">
        {Array.from({ length: 8 }, (_, line) => (
          <span key={line} className="skeleton" style={{ width: `${[88, 64, 76, 70][line % 4]}%` }} />
        ))}
      </div>
    </div>
  );
}
