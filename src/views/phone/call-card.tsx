import { memo, useState } from 'react';
import type { CallMirror } from '#machines/phone/mirror.ts';
import type { PhoneCommand } from '#machines/phone/commands.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { ageOf, endTextOf, statusKeyOf, useFace } from './call-texts.ts';
import { CallAbout } from './call-about.tsx';
import { useTakerOf } from './names.ts';
import { Picture } from './picture.tsx';
import { RingDoor } from './ring-door.tsx';
import { useNow } from './time.ts';
import { durationText } from '#models/time.ts';

export interface CallProps {
  call: CallMirror;
  send: (command: PhoneCommand) => void;
}

/** How long this call has been waiting; it warns by age. */
export function Waiting({ call }: { call: CallMirror }) {
  const { t } = useText();
  const now = useNow(call.endedAt === null);
  const seconds = ((call.endedAt ?? now) - call.startedAt) / 1_000;
  const age = ageOf(seconds);
  return (
    <span className="call-time" data-age={call.endedAt === null ? age : 'young'}>
      {age === 'late' && call.endedAt === null && <i className="pi pi-exclamation-triangle" role="img" aria-label={t('phone.waiting_long')} />}
      {durationText(seconds)}
    </span>
  );
}

/** Who has it: a colleague by name, or nobody any more. */
export function Taken({ call }: { call: CallMirror }) {
  const { t } = useText();
  const name = useTakerOf(call);
  if (name === null) return null;
  return (
    <span className="call-taken">
      <i className="pi pi-user" aria-hidden="true" /> {t('phone.taken_by', { name })}
    </span>
  );
}

/** The red head of an SOS; a header that could not be read says so instead of being passed over. */
export function SosMark({ call }: { call: CallMirror }) {
  const { t } = useText();
  if (call.sos === 'no') return null;
  return (
    <span className="sos-mark">
      <i className="pi pi-exclamation-circle" aria-hidden="true" /> {t(`phone.sos.${call.sos}`)}
    </span>
  );
}

function SilenceButton({ call, send }: CallProps) {
  const { t } = useText();
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={t('phone.silence')}
      title={t('phone.silence')}
      onClick={() => send({ type: 'call.silence', speechId: call.speechId })}
    >
      <i className="pi pi-volume-off" aria-hidden="true" />
    </button>
  );
}

/** It was left on hold for too long and wants to be taken up again. */
export function Recall({ call, send }: CallProps) {
  const { t } = useText();
  if (!call.isRecalling) return null;
  return (
    <p className="call-recall">
      <i className="pi pi-bell" aria-hidden="true" />
      <span className="grow">{t('phone.recall')}</span>
      {call.may.includes('call.silence') && <SilenceButton call={call} send={send} />}
    </p>
  );
}

/** Why it is over, once it is for everybody; of one that a colleague has, who is named beside it, nothing more. */
export function End({ call, send }: CallProps) {
  const { t } = useText();
  if (call.awaits === 'stop')
    return (
      <span className="call-ending">
        <i className="pi pi-spin pi-spinner" aria-hidden="true" /> {t(statusKeyOf(call))}
      </span>
    );
  return (
    <>
      {call.takenBy === null && <span>{endTextOf(call, { t })}</span>}
      {call.may.includes('call.dismiss') && (
        <button
          type="button"
          className="icon-button"
          aria-label={t('phone.dismiss')}
          title={t('phone.dismiss')}
          onClick={() => send({ type: 'call.dismiss', speechId: call.speechId })}
        >
          <i className="pi pi-times" aria-hidden="true" />
        </button>
      )}
    </>
  );
}

/** Ends a waiting call for everybody, the visitor too: two presses, in two places, neither of them where a call is answered. */
function EndForAll({ call, send }: CallProps) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label={t('phone.more_acts')}
        title={t('phone.more_acts')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <i className="pi pi-ellipsis-h" aria-hidden="true" />
      </button>
      {isOpen && (
        <div className="call-more">
          <Button tone="danger-plain" label={t('phone.end_for_all')} onClick={() => send({ type: 'call.hangUp', speechId: call.speechId })} />
        </div>
      )}
    </>
  );
}

/** What was pressed is under way: in the place of what was pressed. */
export function Answering({ call }: { call: CallMirror }) {
  const { t } = useText();
  const waits = call.awaits === 'offer' || call.awaits === 'answer' || call.awaits === 'join' || call.awaits === 'resume';
  return waits && <Button className="button-good" loading label={t(statusKeyOf(call))} />;
}

function Decline({ isBrief, onClick }: { isBrief: boolean; onClick: () => void }) {
  const { t } = useText();
  const label = t('phone.decline');
  if (!isBrief) return <Button tone="danger-plain" label={label} onClick={onClick} />;
  return (
    <button type="button" className="icon-button call-decline" aria-label={label} title={label} onClick={onClick}>
      <i className="pi pi-times" aria-hidden="true" />
    </button>
  );
}

/** What one can do with a call that rings or waits; what cannot be done now is not there. Whatever it is, the first button takes it. */
export function Answers({ call, send, isBrief = false }: CallProps & { isBrief?: boolean }) {
  const { t } = useText();
  const { speechId } = call;
  const may = (type: (typeof call.may)[number]): boolean => call.may.includes(type);
  return (
    <div className="call-acts">
      <Answering call={call} />
      {may('call.accept') && (
        <Button
          className="button-good"
          icon="pi-phone"
          label={t('phone.answer')}
          onClick={() => send({ type: 'call.accept', speechId, video: false })}
        />
      )}
      {may('call.accept') && call.video && call.type === 'normal' && !isBrief && (
        <button
          type="button"
          className="icon-button"
          aria-label={t('phone.answer_with_camera')}
          title={t('phone.answer_with_camera')}
          onClick={() => send({ type: 'call.accept', speechId, video: true })}
        >
          <i className="pi pi-video" aria-hidden="true" />
        </button>
      )}
      {may('call.resume') && (
        <Button
          className="button-good"
          icon="pi-phone"
          label={t(call.isRejoin ? 'phone.rejoin' : call.isHeld || call.isMine ? 'phone.resume' : 'phone.take')}
          onClick={() => send({ type: 'call.resume', speechId })}
        />
      )}
      {!isBrief && <span className="grow" />}
      {may('call.silence') && (call.isRinging || (isBrief && call.isRecalling)) && <SilenceButton call={call} send={send} />}
      {may('call.decline') ? (
        <Decline isBrief={isBrief} onClick={() => send({ type: 'call.decline', speechId })} />
      ) : (
        may('call.hangUp') && <EndForAll call={call} send={send} />
      )}
    </div>
  );
}

/** A call that rings or waits, or is just over: who, where, how long, and what one can do (clause DIAL-26). */
export const CallCard = memo(function CallCard({ call, send }: CallProps) {
  const { t } = useText();
  const { title, lines } = useFace(call);
  const over = call.status === 'destroyed';
  return (
    <li className="call" data-sos={call.sos} data-status={call.status} data-recall={call.isRecalling} aria-label={title}>
      <header className="call-head">
        <SosMark call={call} />
        <b className="call-title">{title}</b>
        <Waiting call={call} />
      </header>
      <p className="call-lines" aria-busy={call.isLookingUp}>
        {over ? lines.join(' · ') : lines.map((line) => `${line} · `)}
        {!over && <b className="call-standing">{t(statusKeyOf(call))}</b>}
      </p>
      <Recall call={call} send={send} />
      {!over && (
        <div className="call-about">
          <CallAbout call={call} />
        </div>
      )}
      {call.video && call.isRinging && <Picture call={call} />}
      {(over || call.takenBy !== null) && (
        <div className="call-state">
          <Taken call={call} />
          {over && <End call={call} send={send} />}
        </div>
      )}
      {!over && call.isRinging && call.direction === 'incoming' && <RingDoor call={call} />}
      {/* Cards grow upwards: the lowest row stays where it is, whatever comes later. */}
      {!over && <Answers call={call} send={send} />}
    </li>
  );
});
