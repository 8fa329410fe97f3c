import { Button } from './button.tsx';
import { useText } from './text.ts';
import './empty-state.css';

/** A page that could not be fetched or drawn: what happened, and the way on. */
export function PageFailure({ kind, onReload }: { kind: 'chunk' | 'page'; onReload: () => void }) {
  const { t } = useText();
  return (
    <div className="empty-state failure" role="alert">
      <i className="pi pi-exclamation-circle" aria-hidden="true" />
      <div>
        <h2>{t(`interface.failed.${kind}`)}</h2>
        <p>{t(`interface.failed.${kind}_lead`)}</p>
      </div>
      <Button label={t('interface.reload')} icon="pi-refresh" onClick={onReload} />
    </div>
  );
}
