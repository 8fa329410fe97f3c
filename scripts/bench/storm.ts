import { createActor, waitFor } from 'xstate';
import type { SessionActor } from '#machines/session/session.machine.ts';
import { openHttp } from '#src/adapters/http.ts';
import { openSessionPorts } from '#src/adapters/session-ports.ts';
import { openTokenStore } from '#src/adapters/token-store.ts';
import { composeSession } from '#src/app/compose-session.ts';
import { demoPassword } from '#tests/e2e/support/server.ts';

const storage = () => {
  const held = new Map<string, unknown>();
  return {
    read: (key: string) => held.get(key),
    write: (key: string, value: unknown) => void held.set(key, value),
    remove: (key: string) => void held.delete(key),
    keys: () => [...held.keys()],
  };
};

const open = (session: SessionActor): boolean => session.getSnapshot().hasTag('open');

const nothing = (): void => {};

const ask: typeof fetch = (input, init) => fetch(input, init);
const openToAll = {
  fetch: ask,
  online: () => true,
  isWriteHeld: () => false,
  takeSecrets: (body: unknown) => body,
  answers: { save: nothing, read: async () => null },
};

/** The console's own session machine and adapters, in one process with nothing around them. */
function openConsole(url: string) {
  const count = { refreshes: 0 };
  const opened: { session?: SessionActor } = {};
  const tokens = openTokenStore(storage(), storage(), { postMessage: () => {}, onmessage: null });
  const http = openHttp({
    base: `${url}/api/v0`,
    tokens,
    ...openToAll,
    session: {
      profileVersion: nothing,
      recalled: nothing,
      tokenRejected: async () => {
        const { session } = opened;
        session?.send({ type: 'token.rejected' });
        if (!session) return 'over';
        await waitFor(session, (snapshot) => snapshot.hasTag('ready') || !snapshot.hasTag('open'));
        return open(session) ? 'renewed' : 'over';
      },
    },
  });
  const ports = openSessionPorts({ http, tokens, answers: openToAll.answers, ready: async () => {}, exclusively: (_name, work) => work() });
  const refreshTokens = (): Promise<void> => {
    count.refreshes += 1;
    return ports.refreshTokens();
  };
  const around = {
    tabs: { send: nothing, follow: () => nothing },
    rememberUser: nothing,
    forgetOffer: nothing,
    runCall: () => Promise.resolve(null),
  };
  const session = createActor(composeSession({ ...ports, refreshTokens }, around)).start();
  opened.session = session;
  return { tokens, http, session, count };
}

/** Fifty requests of the console whose token has just run out, against a real server. */
export async function refreshStorm(url: string): Promise<{ after: number; refreshes: number }> {
  const { tokens, http, session, count } = openConsole(url);
  await waitFor(session, (snapshot) => snapshot.matches('signedOut'));
  session.send({ type: 'session.signIn', login: 'admin', password: demoPassword, rememberUser: false });
  await waitFor(session, (snapshot) => snapshot.hasTag('ready'));
  const held = tokens.read();
  if (!held) throw new Error('nobody is signed in');
  tokens.replace({ token: 'outdated-outdated-outdated-outdated-outdated', refresh: held.refresh });
  const started = performance.now();
  await Promise.all(
    Array.from({ length: 50 }, (_, at) => http.whole({ method: 'GET', path: '/users', query: { size: '10', page: String(1 + (at % 20)) } })),
  );
  const after = performance.now() - started;
  session.stop();
  return { after, refreshes: count.refreshes };
}
