import { useContext } from 'react';
import { createPortal } from 'react-dom';
import { onHoldHere } from '#machines/phone/line.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import { useAboveAll } from '#src/components/above-all.ts';
import { useText } from '#src/components/text.ts';
import { useProfile } from '../profile-of.ts';
import { useRoom } from '../shell/room.ts';
import { CallBar } from './call-bar.tsx';
import { CallCard } from './call-card.tsx';
import { CallControl } from './call-control.tsx';
import { CallLine } from './call-line.tsx';
import { isAtDesk } from './call-texts.ts';
import { ContactsContext } from './names.ts';
import { SoundNote } from './sound-note.tsx';
import { type Send, useDial, useMirror } from './use-phone.ts';
import './calls.css';
import './desk-calls.css';

interface DeskCallsProps {
  phone: PhoneActor;
  /** Those that must be in sight, the most urgent first. */
  calls: readonly CallMirror[];
  /** Whether the panel is open, above whose tabs they stand; else they stand over the page. */
  isOpen: boolean;
  /** Whether a part of the panel is open above them, which then has the room that a call can spare. */
  isPartOpen: boolean;
  send: Send;
  onOpen: () => void;
  /** A part of the call is unfolded: that of the panel gives way. */
  onUnfold: () => void;
}

/** The call at the desk, whole in the panel, in a bar while that is closed. */
function AtDesk({ phone, call, calls, isOpen, send, onUnfold }: Omit<DeskCallsProps, 'onOpen' | 'isPartOpen'> & { call: CallMirror }) {
  const { profile } = useProfile();
  const devices = useMirror(phone, (mirror) => mirror.devices);
  const contacts = useContext(ContactsContext);
  const dial = useDial(phone);
  const others = onHoldHere(calls).filter((other) => other !== call);
  if (!isOpen) return <CallBar call={call} others={others} send={send} />;
  return (
    <CallControl
      call={call}
      own={profile.sip_number?.number ?? ''}
      others={others}
      devices={devices}
      contacts={contacts}
      send={send}
      onPart={onUnfold}
      onDial={(number) => dial(number, false)}
      onAsk={(number) => dial(number, false, { speechId: call.speechId, how: 'hold' })}
    />
  );
}

/** Ringing and live calls with their controls: always in sight, above all else, whatever is open (clause DIAL-26). */
export function DeskCalls({ phone, calls, isOpen, isPartOpen, send, onOpen, onUnfold }: DeskCallsProps) {
  const { t } = useText();
  const place = useAboveAll();
  const box = useRoom<HTMLElement>('--calls');
  const sound = useMirror(phone, (mirror) => mirror.sound);
  const atDesk = calls.find((call) => isAtDesk(call, calls));
  const whole = isOpen && atDesk ? atDesk : calls.find((call) => call !== atDesk);
  return createPortal(
    <div className="desk-room" data-open={isOpen} data-part={isOpen && isPartOpen}>
      <section ref={box} className="desk-calls" data-uncovered aria-label={t('phone.calls')}>
        {!isOpen && <SoundNote sound={sound} send={send} />}
        <ul className="calls">
          {calls.map((call) =>
            call === atDesk ? (
              <AtDesk key={call.speechId} phone={phone} call={call} calls={calls} isOpen={isOpen} send={send} onUnfold={onUnfold} />
            ) : call === whole ? (
              <CallCard key={call.speechId} call={call} send={send} />
            ) : (
              <CallLine key={call.speechId} call={call} send={send} />
            ),
          )}
        </ul>
        {!isOpen && (
          <button type="button" className="desk-calls-open" onClick={onOpen}>
            {t('phone.open')}
          </button>
        )}
      </section>
    </div>,
    place,
  );
}
