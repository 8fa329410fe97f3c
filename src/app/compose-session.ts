import { fromCallback, fromPromise } from 'xstate';
import { type CallRequest, formMachine } from '#machines/form/form.machine.ts';
import { sessionMachine, type SessionActor, type TabsCommand } from '#machines/session/session.machine.ts';
import type { SessionDoor } from '#src/adapters/http.ts';
import type { SessionPorts } from '#src/adapters/session-ports.ts';
import type { Tabs } from '#src/adapters/tabs.ts';

/** The session as the http adapter knows it: told of a spent token, it answers when there is a new one or none any more. */
export function doorTo(session: () => SessionActor | undefined): SessionDoor {
  return {
    tokenRejected: () =>
      new Promise((resolve) => {
        const actor = session();
        if (!actor?.getSnapshot().hasTag('open')) return resolve('over');
        actor.send({ type: 'token.rejected' });
        const watch = actor.subscribe((snapshot) => decide(snapshot));
        const decide = (snapshot: ReturnType<SessionActor['getSnapshot']>): void => {
          if (!snapshot.hasTag('ready') && snapshot.hasTag('open')) return;
          watch.unsubscribe();
          resolve(snapshot.hasTag('ready') ? 'renewed' : 'over');
        };
        decide(actor.getSnapshot());
      }),
    profileVersion(version) {
      const actor = session();
      const known = actor?.getSnapshot().context.profile?.version;
      const seenAt = actor?.getSnapshot().context.seenAt ?? null;
      if (known !== undefined && (known !== version || seenAt !== null)) actor?.send({ type: 'profile.stale' });
    },
    recalled: (seenAt) => session()?.send({ type: 'answer.recalled', seenAt }),
  };
}

interface SessionDeps {
  /** The other ones of this browser. */
  tabs: Tabs;
  rememberUser: (on: boolean) => void;
  forgetOffer: () => void;
  runCall: (request: CallRequest) => Promise<unknown>;
}

/** The session with its ports. Who signs in is offered the app anew. */
export function composeSession(ports: SessionPorts, { tabs, rememberUser, forgetOffer, runCall }: SessionDeps) {
  return sessionMachine.provide({
    actors: {
      restoreSession: fromPromise(ports.restoreSession),
      recallProfile: fromPromise(ports.recallProfile),
      signIn: fromPromise(({ input }) => {
        rememberUser(input.rememberUser);
        forgetOffer();
        return ports.signIn(input);
      }),
      confirmSignIn: fromPromise(({ input }) => ports.confirmSignIn(input)),
      adoptProject: fromPromise(({ input }) => ports.adoptProject(input)),
      switchProject: fromPromise(({ input }) => ports.switchProject(input)),
      refreshTokens: fromPromise(ports.refreshTokens),
      loadProfile: fromPromise(ports.loadProfile),
      endSession: fromPromise(({ input }) => ports.endSession(input)),
      form: formMachine.provide({ actors: { runCall: fromPromise(({ input }: { input: CallRequest }) => runCall(input)) } }),
      otherTabs: fromCallback<TabsCommand>(({ sendBack, receive }) => {
        receive(tabs.send);
        return tabs.follow(sendBack);
      }),
    },
    actions: { forgetTokens: ports.forgetTokens },
  });
}
