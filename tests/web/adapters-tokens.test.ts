import { describe, expect, it, vi } from 'vitest';
import { openTabs } from '#src/adapters/tabs.ts';
import { type Channel, openTokenStore } from '#src/adapters/token-store.ts';
import type { TabsReport } from '#machines/session/session.machine.ts';
import { memoryStore, memoryStorage } from './support/stores.ts';
import { openStore } from '#src/adapters/storage.ts';

const pair = { token: 'access-1', refresh: 'refresh-1' };
const next = { token: 'access-2', refresh: 'refresh-2' };

/** Channels of one name among tabs: each hears what the others say, never itself. */
function ether() {
  const channels: Channel[] = [];
  return (): Channel => {
    const channel: Channel = {
      onmessage: null,
      postMessage: (data) => {
        for (const other of channels) if (other !== channel) other.onmessage?.({ data } as MessageEvent);
      },
    };
    channels.push(channel);
    return channel;
  };
}
const page = () => ({ addEventListener: vi.fn<Window['addEventListener']>(), removeEventListener: vi.fn<Window['removeEventListener']>() });

describe('where the session is kept', () => {
  it.each([
    ['remembered: a new tab', true, 'newTab', pair],
    ['remembered: after a restart', true, 'restart', pair],
    ['not remembered: a new tab', false, 'newTab', null],
    ['not remembered: after a restart', false, 'restart', null],
  ] as const)('%s', (_name, remember, _where, expected) => {
    const [local, channel] = [memoryStorage(), ether()];
    openTokenStore(memoryStore(local), memoryStore(), channel()).store(pair, remember);
    // A new tab and a restarted browser share local storage and have a session storage of their own.
    expect(openTokenStore(memoryStore(local), memoryStore(), channel()).read()).toEqual(expected);
  });

  it('survives a reload of the tab in either case', () => {
    for (const remember of [true, false]) {
      const [local, tab, channel] = [memoryStore(), memoryStore(), ether()];
      openTokenStore(local, tab, channel()).store(pair, remember);
      expect(openTokenStore(local, tab, channel()).read()).toEqual(pair);
    }
  });

  it('forgets what was kept before when somebody signs in anew', () => {
    const [local, tab] = [memoryStore(), memoryStore()];
    const store = openTokenStore(local, tab, ether()());
    store.store(pair, true);
    store.store(next, false);
    expect([local.keys(), store.read()]).toEqual([[], next]);
    store.clear();
    expect(store.read()).toBeNull();
  });

  it('hands a refreshed pair to a duplicate of the tab, and to no tab with another session', () => {
    const channel = ether();
    const [here, duplicate, other] = [1, 2, 3].map(() => openTokenStore(memoryStore(), memoryStore(), channel()));
    here?.store(pair, false);
    duplicate?.store(pair, false);
    other?.store({ token: 'x', refresh: 'y' }, false);
    here?.replace(next);
    expect([duplicate?.read(), other?.read()?.refresh]).toEqual([next, 'y']);
  });

  it('takes anything unreadable for no session, and barred storage too', () => {
    const tab = memoryStore();
    tab.write('session', { token: 5 });
    expect(openTokenStore(memoryStore(), tab, ether()()).read()).toBeNull();
    const barred = openStore(() => {
      throw new DOMException('denied');
    });
    const store = openTokenStore(barred, barred, ether()());
    store.store(pair, true);
    expect(store.read()).toBeNull();
  });
});

describe('what tabs tell each other', () => {
  const open = (channel: Channel, tokens = { read: () => null as typeof pair | null, clear: vi.fn<() => void>(), isShared: () => true }) => {
    const heard: TabsReport[] = [];
    const tabs = openTabs(channel, page(), tokens);
    const stop = tabs.follow((fact) => heard.push(fact));
    return { tabs, heard, tokens, stop };
  };

  it('signing out in one tab signs out all others and clears their tokens', () => {
    const channel = ether();
    const [one, two, three] = [open(channel()), open(channel()), open(channel())];
    one.tabs.send({ type: 'tabs.notifySignedOut' });
    expect([one.heard, two.heard, three.heard]).toEqual([[], [{ type: 'tab.signedOut' }], [{ type: 'tab.signedOut' }]]);
    expect(two.tokens.clear).toHaveBeenCalledOnce();
  });

  it('a tab follows another into a session only if it can see that session', () => {
    const channel = ether();
    const one = open(channel());
    const apart = open(channel());
    const sharing = open(channel(), { read: () => pair, clear: vi.fn<() => void>(), isShared: () => true });
    one.tabs.send({ type: 'tabs.notifySignedIn' });
    expect([apart.heard, sharing.heard]).toEqual([[], [{ type: 'tab.signedIn' }]]);
  });

  it('hears nothing any more once it stops, and nothing it cannot read', () => {
    const channel = ether();
    const stranger = channel();
    const one = open(channel());
    stranger.postMessage({ kind: 'unknown' });
    one.stop();
    stranger.postMessage('signedOut');
    expect(one.heard).toEqual([]);
  });

  it('a change of project is followed by those who share the session, and by nobody else', () => {
    const channel = ether();
    const inTab = (shared: boolean) => open(channel(), { read: () => pair, clear: vi.fn<() => void>(), isShared: () => shared });
    const [one, sharing, apart] = [inTab(true), inTab(true), inTab(false)];
    one.tabs.send({ type: 'tabs.notifySwitched' });
    apart.tabs.send({ type: 'tabs.notifySwitched' });
    expect([one.heard, sharing.heard, apart.heard]).toEqual([[], [{ type: 'tab.switched' }], []]);
  });

  it('takes storage emptied by hand for signing out', () => {
    const listening = page();
    const heard: TabsReport[] = [];
    openTabs(ether()(), listening, { read: () => null, clear: vi.fn<() => void>(), isShared: () => true }).follow((fact) => heard.push(fact));
    const listener = listening.addEventListener.mock.calls[0]?.[1] as (event: Partial<StorageEvent>) => void;
    listener({ key: 'another', newValue: null });
    listener({ key: 'doorward.session', newValue: '{}' });
    listener({ key: 'doorward.session', newValue: null });
    listener({ key: null, newValue: null });
    expect(heard).toEqual([{ type: 'tab.signedOut' }, { type: 'tab.signedOut' }]);
  });
});
