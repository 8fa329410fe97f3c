import { useContext, useState } from 'react';
import type { CallMirror } from '#machines/phone/mirror.ts';
import type { Contact } from '#machines/phone/ports.ts';
import type { DeviceList } from '#machines/phone/types.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import type { CallProps } from './call-card.tsx';
import { Answering, Recall, SosMark } from './call-card.tsx';
import { endKeyOf, statusKeyOf, useFace } from './call-texts.ts';
import { CallParts, type Unfolded } from './call-parts.tsx';
import { DoorOpener } from './door-opener.tsx';
import { DoorResult } from './door-result.tsx';
import { LineState } from './line-state.tsx';
import { OnHold } from './on-hold.tsx';
import { Picture } from './picture.tsx';
import { useNow } from './time.ts';
import { Tile } from './tile.tsx';
import { AskedPartContext } from './ways.ts';
import { durationText } from '#models/time.ts';

interface ControlProps extends CallProps {
  /** One's own number. */
  own: string;
  /** The calls this desk has on hold, to connect with and to go back to. */
  others: readonly CallMirror[];
  devices: DeviceList;
  contacts: readonly Contact[];
  onDial: (number: string) => void;
  /** Puts this call on hold and calls somebody, to hand it on afterwards. */
  onAsk: (number: string) => void;
  /** A part of this call is unfolded. */
  onPart: () => void;
}

/** How long one has been talking (clause CALL-20). */
export function TalkTime({ call }: { call: CallMirror }) {
  const now = useNow(call.activeAt !== null);
  return <span className="call-time">{call.activeAt === null ? '' : durationText((now - call.activeAt) / 1_000)}</span>;
}

/** The buttons of a call that is there; what is impossible now is absent. */
function Tiles({ call, send, own, onDial, unfolded, onUnfold }: ControlProps & { unfolded: Unfolded; onUnfold: (part: Unfolded) => void }) {
  const { t } = useText();
  const { speechId, may, isMuted, isHeld, hasCamera, callee, awaits, activeAt } = call;
  const flip = (part: Unfolded) => () => onUnfold(unfolded === part ? null : part);
  const holding = awaits === 'hold' || awaits === 'resume' || awaits === 'pause';
  return (
    <div className="tiles">
      {may.includes('call.mute') && (
        <Tile
          icon="pi-microphone"
          label={t(isMuted ? 'phone.unmute' : 'phone.mute')}
          on={isMuted}
          onClick={() => send({ type: 'call.mute', speechId, on: !isMuted })}
        />
      )}
      {(may.includes('call.hold') || may.includes('call.resume') || holding) && (
        <Tile
          icon={holding ? 'pi-spinner' : isHeld ? 'pi-play' : 'pi-pause'}
          label={t(isHeld ? 'phone.resume' : 'phone.hold')}
          on={isHeld}
          busy={holding}
          onClick={() => send({ type: isHeld ? 'call.resume' : 'call.hold', speechId })}
        />
      )}
      {may.includes('call.dtmf') && <Tile icon="pi-th-large" label={t('phone.keys')} expanded={unfolded === 'keys'} onClick={flip('keys')} />}
      {may.includes('call.transfer') && (
        <Tile
          icon="pi-arrow-right-arrow-left"
          label={t('phone.transfer.title')}
          expanded={unfolded === 'transfer'}
          busy={awaits === 'transfer'}
          onClick={flip('transfer')}
        />
      )}
      {may.includes('call.camera') && (
        <Tile
          icon="pi-video"
          label={t(hasCamera ? 'phone.camera_off' : 'phone.camera_on')}
          on={hasCamera}
          onClick={() => send({ type: 'call.camera', speechId, on: !hasCamera })}
        />
      )}
      {may.includes('call.volume') && (
        <Tile icon="pi-sliders-h" label={t('phone.sound.title')} expanded={unfolded === 'sound'} onClick={flip('sound')} />
      )}
      {activeAt !== null && <Tile icon="pi-pencil" label={t('phone.note.title')} expanded={unfolded === 'note'} onClick={flip('note')} />}
      {callee !== own && callee !== call.number && callee !== '' && (
        <Tile icon="pi-phone" label={t('phone.call_target', { number: callee })} onClick={() => onDial(callee)} />
      )}
    </div>
  );
}

/** What is unfolded, by a press or by a key; `turn` tells when a key asked for it, also where it stood open already. */
function useUnfolded({ speechId }: CallMirror, onPart: () => void) {
  const asked = useContext(AskedPartContext);
  const [unfolded, setUnfolded] = useState<Unfolded>(null);
  const [turn, setTurn] = useState(0);
  if (asked && asked.speechId === speechId && asked.turn !== turn) {
    setTurn(asked.turn);
    setUnfolded(asked.part);
  }
  const onUnfold = (part: Unfolded): void => {
    setUnfolded(part);
    if (part !== null) onPart();
  };
  return { unfolded, turn, onUnfold };
}

/** The call one is in: picture, state, duration, and everything one can do (clauses DIAL-26, DIAL-27). */
export function CallControl(props: ControlProps) {
  const { call, send, others } = props;
  const { t } = useText();
  const { title, lines } = useFace(call);
  const { unfolded, turn, onUnfold } = useUnfolded(call, props.onPart);
  const { speechId, may } = call;
  return (
    <li className="call call-live" data-sos={call.sos} data-status={call.status} aria-label={title}>
      <header className="call-head">
        <SosMark call={call} />
        <b className="call-title">{title}</b>
        <TalkTime call={call} />
      </header>
      <p className="call-lines">
        {lines.map((line) => `${line} · `)}
        <b className="call-standing" data-good={call.status === 'active' && call.path === 'connected' && !call.isHeldByThem}>
          {t(statusKeyOf(call))}
        </b>
      </p>
      {call.video && <Picture call={call} />}
      <Recall call={call} send={send} />
      <LineState call={call} />
      <OnHold call={call} others={others} send={send} />
      <CallParts {...props} unfolded={unfolded} turn={turn} onUnfold={onUnfold} />
      <div className="call-foot">
        <Tiles {...props} unfolded={unfolded} onUnfold={onUnfold} />
        {may.includes('call.openDoor') && <DoorOpener call={call} send={send} />}
        {/* What ends it stands at the other end of the row than what began it; what the door says moves none of them. */}
        <div className="call-acts">
          <Answering call={call} />
          <div className="grow">
            <DoorResult state={call.door} />
          </div>
          {may.includes('call.hangUp') && (
            <Button
              tone="danger"
              icon="pi-phone"
              label={t(endKeyOf(call))}
              loading={call.awaits === 'stop'}
              onClick={() => send({ type: 'call.hangUp', speechId })}
            />
          )}
        </div>
      </div>
    </li>
  );
}
