import type { NotifierCommand, NotifierReport } from '#machines/phone/ports.ts';

/** What a notice is about. */
export type Notice = Extract<NotifierCommand, { type: 'notifier.show' }>['about'];
type Shown = Pick<Notification, 'onclick' | 'close'>;
interface Deps {
  /** The browser's notifications; undefined where it has none. */
  notifications: (Pick<typeof Notification, 'permission'> & (new (title: string, options?: NotificationOptions) => Shown)) | undefined;
  words: (call: { caller: string; about: Notice }) => { title: string; body: string };
  /** Brings this page to the front. */
  focus: () => void;
}

/** Notices of the desktop about calls; without permission nothing happens (clauses DIAL-30, SIP-07). One a call, gone with its ringing. */
export function openNotifier({ notifications, words, focus }: Deps, report: (fact: NotifierReport) => void) {
  const shown = new Map<string, Shown>();
  const close = (speechId: string): void => {
    shown.get(speechId)?.close();
    shown.delete(speechId);
  };
  const show = ({ speechId, caller, about }: Extract<NotifierCommand, { type: 'notifier.show' }>): void => {
    if (!notifications || notifications.permission !== 'granted') return;
    const { title, body } = words({ caller, about });
    try {
      const notice = new notifications(title, { body, tag: `call-${speechId}`, icon: '/icon.svg', requireInteraction: true });
      notice.onclick = () => {
        focus();
        report({ type: 'notifier.pressed', speechId });
        close(speechId);
      };
      shown.set(speechId, notice);
    } catch {
      // Some browsers of phones have the word but show nothing; the page rings all the same.
    }
  };
  return {
    send: (command: NotifierCommand): void => (command.type === 'notifier.show' ? show(command) : close(command.speechId)),
    close: (): void => [...shown.keys()].forEach(close),
  };
}
