import { useSelector } from '@xstate/react';
import { useContext } from 'react';
import type { DoorActor } from '#machines/phone/door.machine.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import { HoldButton } from '#src/components/hold-button.tsx';
import { useText } from '#src/components/text.ts';
import { DoorResult } from './door-result.tsx';
import { DoorsContext } from './names.ts';
import { useDoorOpening } from './use-door-opening.ts';
import './door-line.css';

function Opener({ actor, call }: { actor: DoorActor; call: CallMirror }) {
  const { t } = useText();
  const token = useSelector(actor, ({ context }) => context.doors.find(({ number }) => number === call.number)?.token);
  const { stateOf, why, isBusy } = useDoorOpening(actor);
  if (token === undefined) return null;
  return (
    <div className="call-door">
      <HoldButton
        icon="pi-lock-open"
        label={t('phone.door.hold_to_open')}
        holding={t('phone.door.holding_short')}
        hint={t('phone.door.hold')}
        disabled={isBusy}
        onHeld={() => actor.send({ type: 'door.open', token, speechId: call.recordId, reason: null })}
      />
      <DoorResult state={stateOf(token)} why={why} />
    </div>
  );
}

/** Opens the door of the panel that rings, before anybody has answered: held, like every door outside of a call. */
export function RingDoor({ call }: { call: CallMirror }) {
  const actor = useContext(DoorsContext);
  return actor && <Opener actor={actor} call={call} />;
}
