import { Button } from './button.tsx';
import './fab-bar.css';

/** One floating button at the bottom of a page. */
export interface Fab {
  key: string;
  label: string;
  icon?: `pi-${string}`;
  /** Lower stands first. */
  order: number;
  hidden?: boolean;
  disabled?: boolean;
  loading?: boolean;
  tone?: 'primary' | 'danger' | 'plain';
  onPress: () => void;
}

/** The page's floating buttons, by their order; nothing at all when every one is hidden. */
export function FabBar({ fabs, label }: { fabs: readonly Fab[]; label: string }) {
  const shown = fabs.filter(({ hidden }) => !hidden).toSorted((one, other) => one.order - other.order);
  if (shown.length === 0) return null;
  return (
    <div className="fab-bar" role="toolbar" aria-label={label}>
      {shown.map(({ key, label: text, icon, disabled = false, loading = false, tone = 'plain', onPress }) => (
        <Button
          key={key}
          label={text}
          icon={icon}
          disabled={disabled}
          loading={loading}
          tone={tone === 'danger' ? 'danger-plain' : tone}
          onClick={onPress}
        />
      ))}
    </div>
  );
}
