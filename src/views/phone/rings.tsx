import { createPortal } from 'react-dom';
import type { CallMirror, PhoneMirror } from '#machines/phone/mirror.ts';
import { useText } from '#src/components/text.ts';
import { useAboveAll } from '#src/components/top-layer.ts';
import { CallCard } from './call-card.tsx';
import { SoundNote } from './sound-note.tsx';
import type { Send } from './use-phone.ts';
import './calls.css';

/** So many cards stand at the corner, the first one whole; the rest are told as a number. */
const most = 2;

interface RingsProps {
  calls: readonly CallMirror[];
  /** Whether they can be heard. */
  sound: PhoneMirror['sound'];
  send: Send;
  onOpen: () => void;
}

/** Calls that ring, above any dialog, while the panel does not show them; the focus stays where it is. */
export function Rings({ calls, sound, send, onOpen }: RingsProps) {
  const { t } = useText();
  const place = useAboveAll();
  const more = calls.length - most;
  return createPortal(
    <section className="rings" aria-label={t('phone.rings')}>
      <SoundNote sound={sound} send={send} />
      <ul className="calls">
        {calls.slice(0, most).map((call, at) => (
          <CallCard key={call.speechId} call={call} send={send} isBrief={at > 0} />
        ))}
      </ul>
      <button type="button" className="rings-more" onClick={onOpen}>
        {more > 0 ? t('phone.more_ringing', { count: more }) : t('phone.open')}
      </button>
    </section>,
    place,
  );
}
