import { useLayoutEffect, useRef, useState } from 'react';
import type { Contact } from '#machines/phone/ports.ts';
import type { DeviceList } from '#machines/phone/types.ts';
import type { CallProps } from './call-card.tsx';
import { LiveNote } from './call-note.tsx';
import { Keys } from './keys.tsx';
import { SoundChoice } from './sound-choice.tsx';
import { Transfer } from './transfer.tsx';

/** What is unfolded of the call at the desk; one at a time. */
export type Unfolded = 'keys' | 'transfer' | 'sound' | 'note' | null;

interface PartsProps extends CallProps {
  unfolded: Unfolded;
  /** Changes when the part is asked for again. */
  turn: number;
  onUnfold: (part: Unfolded) => void;
  devices: DeviceList;
  contacts: readonly Contact[];
  onAsk: (number: string) => void;
}

/** The part of the call that is open: it comes into sight, with the focus in its first field. */
export function CallParts({ call, send, unfolded, turn, onUnfold, devices, contacts, onAsk }: PartsProps) {
  const parts = useRef<HTMLDivElement>(null);
  const [isNoted, setNoted] = useState(false);
  if (unfolded === 'note' && !isNoted) setNoted(true);
  useLayoutEffect(() => {
    const part = parts.current?.querySelector('.unfolded:not([hidden])');
    part?.scrollIntoView({ block: 'nearest' });
    part?.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
  }, [unfolded, turn]);
  const { speechId, may } = call;
  return (
    <div ref={parts} className="unfolded-parts">
      {unfolded === 'keys' && may.includes('call.dtmf') && (
        <div className="unfolded">
          <Keys onPress={(tone) => send({ type: 'call.dtmf', speechId, tone })} />
        </div>
      )}
      {unfolded === 'transfer' && <Transfer call={call} contacts={contacts} send={send} onAsk={onAsk} onDone={() => onUnfold(null)} />}
      {unfolded === 'sound' && (
        <div className="unfolded">
          <SoundChoice devices={devices} send={send} call={call} />
        </div>
      )}
      {/* It stays while folded: what was typed is still there. */}
      {isNoted && (
        <div className="unfolded" hidden={unfolded !== 'note'}>
          <LiveNote speechId={speechId} />
        </div>
      )}
    </div>
  );
}
