import { createPortal } from 'react-dom';
import type { CallMirror } from '#machines/phone/mirror.ts';
import { useText } from '#src/components/text.ts';
import { useAboveAll } from '#src/components/top-layer.ts';
import { CallCard } from './call-card.tsx';
import type { Send } from './use-phone.ts';
import './calls.css';

/** So many cards stand at the corner; the rest are told as a number. */
const most = 2;

/** Calls that ring, above any dialog, while the panel does not show them; the focus stays where it is. */
export function Rings({ calls, send, onOpen }: { calls: readonly CallMirror[]; send: Send; onOpen: () => void }) {
  const { t } = useText();
  const place = useAboveAll();
  const more = calls.length - most;
  return createPortal(
    <section className="rings" aria-label={t('phone.rings')}>
      <ul className="calls">
        {calls.slice(0, most).map((call) => (
          <CallCard key={call.speechId} call={call} send={send} />
        ))}
      </ul>
      <button type="button" className="rings-more" onClick={onOpen}>
        {more > 0 ? t('phone.more_ringing', { count: more }) : t('phone.open')}
      </button>
    </section>,
    place,
  );
}
