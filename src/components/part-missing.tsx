import { createPortal } from 'react-dom';
import { useAboveAll } from './above-all.ts';
import { Button } from './button.tsx';
import { useText } from './text.ts';
import './alert-stack.css';

/** Stands for a part of a page that cannot be fetched; the page goes on without it. However many are missing, it is said once. */
export function PartMissing() {
  const { t } = useText();
  const place = useAboveAll();
  return createPortal(
    <section className="alert-area part-missing">
      <div className="alert" data-tone="warn">
        <i className="pi pi-exclamation-triangle" aria-hidden="true" />
        <div className="alert-body" role="alert">
          {t('interface.failed.chunk')}. {t('interface.failed.chunk_lead')}
        </div>
        <Button label={t('interface.reload')} onClick={() => location.reload()} />
      </div>
    </section>,
    place,
  );
}
