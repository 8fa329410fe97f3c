import { useSelector } from '@xstate/react';
import type { PhoneCommand, PutAside } from '#machines/phone/commands.ts';
import type { CallMirror, PhoneMirror } from '#machines/phone/mirror.ts';
import { type PhoneActor } from '#machines/phone/phone.machine.ts';
import { useServices } from '../system.ts';

/** One thing of what the phone shows, as the tab that owns it has it. */
export const useMirror = <T>(phone: PhoneActor, pick: (mirror: PhoneMirror) => T): T => useSelector(phone, ({ context }) => pick(context.mirror));

/** The check before a shift, where this phone has one. */
export const useSelfTest = (phone: PhoneActor) => useSelector(phone, ({ children }) => children.selfTest);

/** Calls a number from this desk; a call in the way is asked about by the phone itself, unless the press has agreed to put it aside (`over`). */
export function useDial(phone: PhoneActor): (number: string, video: boolean, over?: PutAside) => void {
  const { freshId, now } = useServices();
  return (number, video, over) => phone.send({ type: 'phone.dial', number, video, speechId: freshId(), at: now(), ...(over && { over }) });
}

/** The two ways to hand the call on that one is in: at once, or after a word with whoever is to have it. */
export interface HandOn {
  transfer: (number: string) => void;
  ask: (number: string) => void;
}
/** Null while there is no call to hand on. */
export function useHandOn(phone: PhoneActor): HandOn | null {
  const dial = useDial(phone);
  const speechId = useMirror(phone, ({ calls }) => calls.find(({ isBusy, may }) => isBusy && may.includes('call.transfer'))?.speechId);
  if (speechId === undefined) return null;
  return {
    transfer: (to) => phone.send({ type: 'call.transfer', speechId, to }),
    ask: (number) => dial(number, false, { speechId, how: 'hold' }),
  };
}

/** All calls of this phone, in the order they are shown. */
export const useCalls = (phone: PhoneActor): readonly CallMirror[] => useMirror(phone, ({ calls }) => calls);
/** Whether a call may go out now. */
export const useReady = (phone: PhoneActor): boolean =>
  useSelector(phone, (snapshot) => snapshot.can({ type: 'phone.dial', number: '0', video: false, speechId: '', at: 0 }));
export type Send = (command: PhoneCommand) => void;
