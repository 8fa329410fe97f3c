import { useSelector } from '@xstate/react';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { PhoneCommand } from '#machines/phone/commands.ts';
import { alertsDesk } from '#machines/phone/line.ts';
import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import { useText } from '#src/components/text.ts';
import { mayAct } from '#models/permissions.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { useServices } from '../system.ts';
import { Announcer } from './announcer.tsx';
import { faceOf, isLive } from './call-texts.ts';
import { DeskCalls } from './desk-calls.tsx';
import { useVisible } from './use-visible.ts';
import { ContactsContext, DoorsContext, OwnerContext, RecentCallsContext } from './names.ts';
import type { Part } from './parts.ts';
import { PhonePanel } from './phone-panel.tsx';
import { withDefaults } from './shortcuts.ts';
import { useBlinkingTitle } from './use-blinking-title.ts';
import { AskedPartContext, useWays } from './ways.ts';
import { useCalls } from './use-phone.ts';
import { useSteadyHand } from './use-steady-hand.ts';
import { useShortcuts } from './use-shortcuts.ts';

/** Closing the tab that holds a call ends the call: the browser asks first. */
function useLeaveQuestion(holds: boolean): void {
  useEffect(() => {
    if (!holds) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [holds]);
}

const [noContacts, noCalls] = [[], []] as const;
/** Who may be called, read as soon as the phone is looked at or there is a call: by whom it was taken, to whom it may go. */
function useContacts(phone: PhoneActor, wanted: boolean) {
  const actor = useSelector(phone, ({ children }) => children.contacts);
  useEffect(() => {
    if (wanted) actor?.send({ type: 'contacts.open' });
  }, [actor, wanted]);
  return useSelector(actor, (snapshot) => snapshot?.context.contacts ?? noContacts);
}

/** The calls of before, read as soon as there is a call. */
function useRecentCalls(phone: PhoneActor, wanted: boolean) {
  const actor = useSelector(phone, ({ children }) => children.recents);
  useEffect(() => {
    if (wanted) actor?.send({ type: 'recents.open' });
  }, [actor, wanted]);
  return useSelector(actor, (snapshot) => snapshot?.context.calls ?? noCalls);
}

/** The doors one may open, read as soon as there is a call; none for those who may open none. */
function useDoors(phone: PhoneActor, wanted: boolean) {
  const mayOpen = mayAct(actorOf(useProfile()), 'openDoors');
  const actor = useSelector(phone, ({ children }) => children.door);
  useEffect(() => {
    if (wanted && mayOpen) actor?.send({ type: 'door.read' });
  }, [actor, wanted, mayOpen]);
  return mayOpen ? actor : undefined;
}

/** The phone beside every signed-in page: its panel, ringing and live calls above all else, keys, the blinking title. */
export default function PhoneHost({ phone }: { phone: PhoneActor }) {
  const words = useText();
  const { phoneDesk } = useServices();
  const desk = useSyncExternalStore(phoneDesk.follow, phoneDesk.get);
  const calls = useCalls(phone);
  const contacts = useContacts(phone, calls.length > 0 || desk.isOpen);
  const recentCalls = useRecentCalls(phone, calls.length > 0);
  const doors = useDoors(phone, calls.length > 0);
  const isOwner = useSelector(phone, (snapshot) => snapshot.hasTag('owner'));
  const { visible, rest } = useVisible(calls);
  useSteadyHand();
  const first = calls.find(alertsDesk);
  const keys = useMemo(() => withDefaults(desk.keys), [desk.keys]);
  const show = useCallback((isOpen: boolean) => phoneDesk.set({ ...phoneDesk.get(), isOpen }), [phoneDesk]);
  /** Whoever takes a call sees it: its picture, its door, how to end it. */
  const send = useCallback(
    (command: PhoneCommand): void => {
      phone.send(command);
      if (command.type === 'call.accept' || command.type === 'call.resume') show(true);
    },
    [phone, show],
  );
  useEffect(() => {
    const pressed = phone.on('phone.shown', () => show(true));
    return () => pressed.unsubscribe();
  }, [phone, show]);
  const isTalking = calls.some(isLive);
  // While one talks the controls have the room; a part of the panel is open only when asked for.
  const [during, setDuring] = useState<Part | null>(null);
  if (!isTalking && during !== null) setDuring(null);
  const closePart = useCallback(() => setDuring(null), [setDuring]);
  const { asked, go } = useWays(calls, show, closePart);
  useShortcuts(keys, calls, send, go);
  useBlinkingTitle(
    first ? words.t(first.isRecalling ? 'phone.title_recalling' : 'phone.title_ringing', { name: faceOf(first, words, contacts).title }) : null,
  );
  useLeaveQuestion(isOwner && isTalking);
  return (
    <ContactsContext value={contacts}>
      <RecentCallsContext value={recentCalls}>
        <OwnerContext value={isOwner}>
          <Announcer calls={calls} />
          {desk.isOpen && (
            <PhonePanel phone={phone} calls={rest} isTalking={isTalking} during={during} onDuring={setDuring} onClose={() => show(false)} />
          )}
          <AskedPartContext value={asked}>
            <DoorsContext value={doors}>
              {visible.length > 0 && (
                <DeskCalls
                  phone={phone}
                  calls={visible}
                  isOpen={desk.isOpen}
                  isPartOpen={during !== null}
                  send={send}
                  onOpen={() => show(true)}
                  onUnfold={closePart}
                />
              )}
            </DoorsContext>
          </AskedPartContext>
        </OwnerContext>
      </RecentCallsContext>
    </ContactsContext>
  );
}
