/** The product's mark: a door in a plate of the accent colour. */
export function AppMark({ size = 26 }: { size?: number }) {
  return (
    <svg className="app-mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8.5" fill="var(--accent)" />
      <path d="M10.5 24.5V13a5.5 5.5 0 0 1 11 0v11.5z" fill="var(--on-accent)" />
      <circle cx="18.6" cy="18.2" r="1.3" fill="var(--accent)" />
    </svg>
  );
}
