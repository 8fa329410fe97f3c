import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useText } from './text.ts';
import { useAboveAll } from './above-all.ts';
import './alert-stack.css';

/** One message as it is shown. */
export interface ShownAlert {
  id: string;
  kind: 'error' | 'warning' | 'success' | 'info';
  text: string;
  details?: string | undefined;
  /** What it lists, below the text. */
  findings?: ReactNode;
  /** How often the same was raised while it stood here. */
  count: number;
}
interface AlertStackProps {
  alerts: readonly ShownAlert[];
  onClose: (id: string) => void;
  /** The pointer or the focus is on the message: its time stands still. */
  onHold: (id: string) => void;
  onRelease: (id: string) => void;
}

const looks = {
  error: { icon: 'pi-times-circle', tone: 'bad' },
  warning: { icon: 'pi-exclamation-triangle', tone: 'warn' },
  success: { icon: 'pi-check-circle', tone: 'good' },
  info: { icon: 'pi-info-circle', tone: 'info' },
} as const;

function AlertCard({ alert, onClose, onHold, onRelease }: Omit<AlertStackProps, 'alerts'> & { alert: ShownAlert }) {
  const { t } = useText();
  const { id, kind, text, details, findings, count } = alert;
  const { icon, tone } = looks[kind];
  return (
    <li
      className="alert"
      data-tone={tone}
      onPointerEnter={() => onHold(id)}
      onPointerLeave={() => onRelease(id)}
      onFocus={() => onHold(id)}
      onBlur={() => onRelease(id)}
    >
      <i className={`pi ${icon}`} aria-hidden="true" />
      <div className="alert-body" role={kind === 'error' || kind === 'warning' ? 'alert' : 'status'}>
        <span className="unseen">{t(`interface.alerts.${kind}`)}. </span>
        {text}
        {count > 1 && <span className="alert-count"> {t('interface.alerts.times', { count })}</span>}
        {findings}
        {details && (
          <details>
            <summary>{t('interface.details')}</summary>
            <p>{details}</p>
          </details>
        )}
      </div>
      <button type="button" className="icon-button" aria-label={t('interface.alerts.close')} onClick={() => onClose(id)}>
        <i className="pi pi-times" aria-hidden="true" />
      </button>
    </li>
  );
}

/** The alerts area: newest at the bottom, read out as they come, above whatever dialog is open. */
export function AlertStack({ alerts, ...handlers }: AlertStackProps) {
  const { t } = useText();
  const place = useAboveAll();
  return createPortal(
    <section className="alert-area" aria-label={t('interface.alerts.area')}>
      <ol className="alert-stack">
        {alerts.map((alert) => (
          <AlertCard key={alert.id} alert={alert} {...handlers} />
        ))}
      </ol>
    </section>,
    place,
  );
}
