import type { TabsCommand, TabsReport } from '#machines/session/session.machine.ts';
import type { Channel, TokenStore } from './token-store.ts';

const words = { 'tabs.notifySignedIn': 'signedIn', 'tabs.notifySignedOut': 'signedOut', 'tabs.notifySwitched': 'switched' } as const;
type Word = (typeof words)[TabsCommand['type']];
const isWord = (value: unknown): value is Word => Object.values<unknown>(words).includes(value);
const reports = { signedIn: 'tab.signedIn', signedOut: 'tab.signedOut', switched: 'tab.switched' } as const;

/** What this tab and the other tabs of the same browser tell each other about signing in and out. */
export interface Tabs {
  send: (command: TabsCommand) => void;
  /** Hears the other tabs until the returned function is called. */
  follow: (report: (fact: TabsReport) => void) => () => void;
}

/** Opens the talk between tabs; storage emptied by hand counts as signing out. */
export function openTabs(
  channel: Channel,
  page: Pick<Window, 'addEventListener' | 'removeEventListener'>,
  tokens: Pick<TokenStore, 'read' | 'clear' | 'isShared'>,
): Tabs {
  return {
    send({ type }) {
      // A session of this tab alone is nothing to the others.
      if (type !== 'tabs.notifySwitched' || tokens.isShared()) channel.postMessage(words[type]);
    },
    follow(report) {
      const emptied = ({ key, newValue }: StorageEvent): void => {
        if ((key === null || key === 'doorward.session') && newValue === null && !tokens.read()) report({ type: 'tab.signedOut' });
      };
      channel.onmessage = ({ data }: MessageEvent) => {
        if (!isWord(data)) return;
        if (data === 'signedOut') tokens.clear();
        // A tab that keeps its session to itself cannot be followed into it.
        else if (!tokens.read() || (data === 'switched' && !tokens.isShared())) return;
        report({ type: reports[data] });
      };
      page.addEventListener('storage', emptied);
      return () => {
        channel.onmessage = null;
        page.removeEventListener('storage', emptied);
      };
    },
  };
}
