import { useSelector } from '@xstate/react';
import type { PhoneCommand } from '#machines/phone/commands.ts';
import type { CallMirror, PhoneMirror } from '#machines/phone/mirror.ts';
import { type PhoneActor } from '#machines/phone/phone.machine.ts';
import { useServices } from '../system.ts';
import type { Dial } from './call-buttons.tsx';

/** One thing of what the phone shows, as the tab that owns it has it. */
export const useMirror = <T>(phone: PhoneActor, pick: (mirror: PhoneMirror) => T): T => useSelector(phone, ({ context }) => pick(context.mirror));

/** The check before a shift, where this phone has one. */
export const useSelfTest = (phone: PhoneActor) => useSelector(phone, ({ children }) => children.selfTest);

/** Calls a number from this desk; a call in the way is asked about by the phone itself. */
export function useDial(phone: PhoneActor): Dial {
  const { freshId, now } = useServices();
  return (number, video) => phone.send({ type: 'phone.dial', number, video, speechId: freshId(), at: now() });
}

/** All calls of this phone, in the order they are shown. */
export const useCalls = (phone: PhoneActor): readonly CallMirror[] => useMirror(phone, ({ calls }) => calls);
/** Whether a call may go out now. */
export const useReady = (phone: PhoneActor): boolean =>
  useSelector(phone, (snapshot) => snapshot.can({ type: 'phone.dial', number: '0', video: false, speechId: '', at: 0 }));
export type Send = (command: PhoneCommand) => void;
