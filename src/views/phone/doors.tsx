import { useSelector } from '@xstate/react';
import { useEffect, useId, useState } from 'react';
import type { DoorActor } from '#machines/phone/door.machine.ts';
import { Button } from '#src/components/button.tsx';
import { HoldButton } from '#src/components/hold-button.tsx';
import { EmptyState } from '#src/components/empty-state.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { TextInput } from '#src/components/text-input.tsx';
import type { Dial } from './call-buttons.tsx';
import { DoorResult } from './door-result.tsx';
import { PartHead, PartState } from './part-state.tsx';

interface DoorsProps {
  actor: DoorActor;
  /** Whether a call may go out now. */
  ready: boolean;
  onDial: Dial;
}
const states = ['sent', 'confirmed', 'unconfirmed', 'refused'] as const;
const longestReason = 200;

/** Which door, and opening it: nothing is opened by a slip of the hand. */
function Desk({ actor, ready, onDial }: DoorsProps) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const id = useId();
  const [reason, setReason] = useState('');
  const { doors, chosen, problem } = useSelector(actor, ({ context }) => context);
  const state = useSelector(actor, (snapshot) => states.find((tag) => snapshot.hasTag(tag)) ?? 'closed');
  const mayOpen = useSelector(actor, (snapshot) => snapshot.can({ type: 'door.open', speechId: null, reason: null }));
  const mayChoose = useSelector(actor, (snapshot) => snapshot.can({ type: 'door.choose', token: null }));
  const number = doors.find(({ token }) => token === chosen)?.number ?? null;
  return (
    <div className="door-desk">
      <label htmlFor={id} className="small quiet">
        {t('phone.door.device')}
      </label>
      <select
        id={id}
        className="native-select"
        value={chosen ?? ''}
        disabled={!mayChoose}
        onChange={(event) => actor.send({ type: 'door.choose', token: event.target.value || null })}
      >
        <option value="">{t('phone.door.choose')}</option>
        {doors.map((door) => (
          <option key={door.token} value={door.token}>
            {door.number ? `${door.name} · ${door.number}` : door.name}
          </option>
        ))}
      </select>
      <label htmlFor={`${id}-reason`} className="small quiet">
        {t('phone.door.reason')}
      </label>
      <TextInput
        id={`${id}-reason`}
        maxLength={longestReason}
        value={reason}
        autoComplete="off"
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="door-acts">
        <HoldButton
          icon="pi-lock-open"
          label={t('phone.open_door')}
          holding={t('phone.door.holding')}
          hint={t('phone.door.hold')}
          disabled={!mayOpen}
          onHeld={() => {
            actor.send({ type: 'door.open', speechId: null, reason: reason.trim() || null });
            setReason('');
          }}
        />
        <Button
          tone="plain"
          icon="pi-phone"
          label={t('phone.voice_call')}
          disabled={!ready || !number}
          onClick={() => number && onDial(number, false)}
        />
      </div>
      {state === 'closed' && <p className="quiet small">{t('phone.door.hold')}</p>}
      <DoorResult state={state} why={problem ? sayProblem(problem) : ''} />
    </div>
  );
}

/** Opens doors outside of calls: choose, press and hold, read what the device says (clauses DIAL-20 to DIAL-24). */
export function Doors(props: DoorsProps) {
  const { actor } = props;
  const { t } = useText();
  const count = useSelector(actor, ({ context }) => context.doors.length);
  const isLoading = useSelector(actor, (snapshot) => snapshot.hasTag('reading'));
  const isUnreachable = useSelector(actor, (snapshot) => snapshot.hasTag('unreachable'));
  useEffect(() => actor.send({ type: 'door.read' }), [actor]);
  const reading = { isLoading, isEmpty: count === 0, problem: null, onRefresh: () => actor.send({ type: 'door.read' }) };
  return (
    <>
      <PartHead count={t('phone.door.total', { count })} reading={reading}>
        <b className="grow">{t('phone.tabs.doors')}</b>
      </PartHead>
      <PartState reading={reading}>
        {count === 0 ? <EmptyState icon="pi-lock" text={t(isUnreachable ? 'phone.door.unreachable' : 'phone.door.none')} /> : <Desk {...props} />}
      </PartState>
    </>
  );
}
