import { createActor, fromCallback, fromPromise, waitFor } from 'xstate';
import { type SessionActor, sessionMachine } from '#machines/session.machine.ts';
import { openHttp } from '#src/adapters/http.ts';
import { openSessionPorts } from '#src/adapters/session-ports.ts';
import { openTokenStore } from '#src/adapters/token-store.ts';
import { demoPassword } from '#tests/e2e/support/server.ts';

const drawer = () => {
  const held = new Map<string, unknown>();
  return {
    read: (key: string) => held.get(key),
    write: (key: string, value: unknown) => void held.set(key, value),
    remove: (key: string) => void held.delete(key),
    keys: () => [...held.keys()],
  };
};

/** The console's own session machine and adapters against a real server: fifty requests whose token has just run out. */
export async function refreshStorm(url: string): Promise<{ after: number; refreshes: number }> {
  let refreshes = 0;
  let session: SessionActor | undefined;
  const tokens = openTokenStore(drawer(), drawer(), { postMessage: () => {}, onmessage: null });
  const http = openHttp({
    base: `${url}/api/v0`,
    tokens,
    online: () => true,
    takeSecrets: (body) => body,
    session: {
      profileVersion: () => {},
      tokenRejected: async () => {
        session?.send({ type: 'token.rejected' });
        if (!session) return 'over';
        await waitFor(session, (snapshot) => snapshot.hasTag('ready') || !snapshot.hasTag('open'));
        return session.getSnapshot().hasTag('open') ? 'renewed' : 'over';
      },
    },
  });
  const ports = openSessionPorts(
    http,
    tokens,
    async () => {},
    (_name, work) => work(),
  );
  const refreshTokens = async (): Promise<void> => {
    refreshes += 1;
    return ports.refreshTokens();
  };
  session = createActor(
    sessionMachine.provide({
      actors: {
        restoreSession: fromPromise(ports.restoreSession),
        signIn: fromPromise(({ input }) => ports.signIn(input)),
        adoptProject: fromPromise(({ input }) => ports.adoptProject(input)),
        refreshTokens: fromPromise(refreshTokens),
        loadProfile: fromPromise(ports.loadProfile),
        endSession: fromPromise(({ input }) => ports.endSession(input)),
        otherTabs: fromCallback(() => {}),
      },
      actions: { forgetTokens: ports.forgetTokens },
    }),
  ).start();
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
  return { after, refreshes };
}
