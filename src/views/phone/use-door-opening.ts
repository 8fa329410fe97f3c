import { useSelector } from '@xstate/react';
import type { DoorActor } from '#machines/phone/door.machine.ts';
import { useProblemText } from '#src/components/text.ts';
import type { DoorState } from './door-result.tsx';

const states = ['sent', 'confirmed', 'unconfirmed', 'refused'] as const;

/** How the last opening stands, at the door it was asked for. */
export function useDoorOpening(actor: DoorActor) {
  const sayProblem = useProblemText();
  const { chosen, problem } = useSelector(actor, ({ context }) => context);
  const state = useSelector(actor, (snapshot) => states.find((tag) => snapshot.hasTag(tag)) ?? 'closed');
  return {
    stateOf: (token: string): DoorState => (token === chosen ? state : 'closed'),
    why: problem ? sayProblem(problem) : '',
    isBusy: state === 'sent',
  };
}
