import type { CallMirror } from '#machines/phone/mirror.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { Answering, type CallProps, Recall, SosMark } from './call-card.tsx';
import { TalkTime } from './call-control.tsx';
import { endKeyOf, statusKeyOf, useFace } from './call-texts.ts';
import { DoorResult } from './door-result.tsx';
import { OnHold } from './on-hold.tsx';

/** The call one is in, in brief: whom one talks with and what must be at hand while the panel is closed. */
export function CallBar({ call, others, send }: CallProps & { others: readonly CallMirror[] }) {
  const { t } = useText();
  const { title } = useFace(call);
  const { speechId, may, isMuted, awaits } = call;
  const muting = t(isMuted ? 'phone.unmute' : 'phone.mute');
  return (
    <li className="call call-live call-bar" data-sos={call.sos} data-status={call.status} data-brief="true" aria-label={title}>
      <header className="call-head">
        <SosMark call={call} />
        <b className="call-title">{title}</b>
        <TalkTime call={call} />
      </header>
      <p className="call-lines">
        <b className="call-standing">{t(statusKeyOf(call))}</b>
      </p>
      <Recall call={call} send={send} />
      <DoorResult state={call.door} />
      <OnHold call={call} others={others} send={send} />
      <div className="call-acts call-acts-brief">
        <Answering call={call} />
        {may.includes('call.mute') && (
          <button
            type="button"
            className="icon-button"
            data-muted={isMuted}
            aria-label={muting}
            title={muting}
            onClick={() => send({ type: 'call.mute', speechId, on: !isMuted })}
          >
            <i className="pi pi-microphone" aria-hidden="true" />
          </button>
        )}
        {may.includes('call.openDoor') && (
          <Button tone="plain" icon="pi-lock-open" label={t('phone.open_door')} onClick={() => send({ type: 'call.openDoor', speechId })} />
        )}
        {call.isHeld && may.includes('call.resume') && (
          <Button className="button-good" icon="pi-play" label={t('phone.resume')} onClick={() => send({ type: 'call.resume', speechId })} />
        )}
        {may.includes('call.hangUp') && (
          <Button
            tone="danger"
            className="call-end"
            icon="pi-phone"
            label={t(endKeyOf(call))}
            loading={awaits === 'stop'}
            onClick={() => send({ type: 'call.hangUp', speechId })}
          />
        )}
      </div>
    </li>
  );
}
