import { isScarce, type SeatCount } from '#models/seats.ts';
import { useText } from './text.ts';
import './seat-bar.css';

interface SeatBarProps {
  label: string;
  seats: SeatCount;
  /** Opens who holds the seats. */
  onOpen?: (() => void) | undefined;
}

/** How many of a counted feature are taken, as numbers, as a bar, and with a word when they become few. */
export function SeatBar({ label, seats, onOpen }: SeatBarProps) {
  const { t } = useText();
  const { used, available } = seats;
  const isFull = available !== null && used >= available && used > 0;
  const part = available === null ? 0 : available === 0 ? (used > 0 ? 1 : 0) : Math.min(1, used / available);
  const numbers = available === null ? t('list.licences.used_no_limit', { used }) : t('list.licences.used_of', { used, available });
  return (
    <div className="seats" data-tone={isFull ? 'bad' : isScarce(seats) ? 'warn' : 'info'}>
      <span className="seats-label">{label}</span>
      {onOpen ? (
        <button
          type="button"
          className="link-button seats-numbers"
          onClick={onOpen}
          aria-label={t('list.licences.show_holders', { feature: label, numbers })}
        >
          {numbers}
        </button>
      ) : (
        <span className="seats-numbers">{numbers}</span>
      )}
      <span className="seats-bar" aria-hidden="true">
        <span style={{ inlineSize: `${Math.round(part * 100)}%` }} />
      </span>
      {(isFull || isScarce(seats)) && (
        <span className="seats-word">
          <i className="pi pi-exclamation-triangle" aria-hidden="true" /> {t(isFull ? 'list.licences.full' : 'list.licences.scarce')}
        </span>
      )}
    </div>
  );
}
