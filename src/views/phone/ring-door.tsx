import { useSelector } from '@xstate/react';
import { useContext } from 'react';
import type { DoorActor } from '#machines/phone/door.machine.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import { HoldButton } from '#src/components/hold-button.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { DoorResult } from './door-result.tsx';
import { DoorsContext } from './names.ts';
import './door-line.css';

const states = ['sent', 'confirmed', 'unconfirmed', 'refused'] as const;

function Opener({ actor, call }: { actor: DoorActor; call: CallMirror }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const token = useSelector(actor, ({ context }) => context.doors.find(({ number }) => number === call.number)?.token);
  const isOurs = useSelector(actor, ({ context }) => context.chosen === token);
  const problem = useSelector(actor, ({ context }) => context.problem);
  const state = useSelector(actor, (snapshot) => states.find((tag) => snapshot.hasTag(tag)) ?? 'closed');
  if (token === undefined) return null;
  return (
    <div className="call-door">
      <HoldButton
        icon="pi-lock-open"
        label={t('phone.door.hold_to_open')}
        holding={t('phone.door.holding_short')}
        hint={t('phone.door.hold')}
        disabled={state === 'sent'}
        onHeld={() => actor.send({ type: 'door.open', token, speechId: call.recordId, reason: null })}
      />
      <DoorResult state={isOurs ? state : 'closed'} why={problem ? sayProblem(problem) : ''} />
    </div>
  );
}

/** Opens the door of the panel that rings, before anybody has answered: held, like every door outside of a call. */
export function RingDoor({ call }: { call: CallMirror }) {
  const actor = useContext(DoorsContext);
  return actor && <Opener actor={actor} call={call} />;
}
