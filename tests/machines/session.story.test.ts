import { createActor, fromCallback, SimulatedClock } from 'xstate';
import { describe } from 'vitest';
import {
  type Choices,
  type Recalled,
  type SessionEvent,
  sessionMachine,
  type SessionSnapshot,
  type TabsCommand,
  type TabsReport,
} from '#machines/session/session.machine.ts';
import type { Profile, SessionProject } from '#models/profile.ts';
import { anna, harbour, riverside } from '#tests/support/people.ts';
import { held, settled } from '#tests/support/ports.ts';
import { sessionStory } from '#tests/support/stories/session.ts';
import { type Driver, runStory } from '#tests/support/story.ts';

const places: readonly [string, (snapshot: SessionSnapshot) => boolean][] = [
  ['startingLater', (snapshot) => snapshot.matches({ restoring: 'waiting' })],
  ['starting', (snapshot) => snapshot.matches('restoring')],
  ['outside', (snapshot) => snapshot.matches('signedOut')],
  ['entering', (snapshot) => snapshot.matches('signingIn')],
  ['proving', (snapshot) => snapshot.matches('confirming')],
  ['enrolling', (snapshot) => snapshot.matches('enrolling')],
  ['choosing', (snapshot) => snapshot.matches('choosingProject')],
  ['insideAsSeen', (snapshot) => snapshot.matches('signedIn') && snapshot.context.seenAt !== null],
  ['inside', (snapshot) => snapshot.matches('signedIn')],
  ['renewingLater', (snapshot) => snapshot.matches({ refreshing: 'waiting' })],
  ['renewing', (snapshot) => snapshot.matches('refreshing')],
  ['expired', (snapshot) => snapshot.matches('expired')],
  ['leaving', (snapshot) => snapshot.matches('signingOut')],
];

function driver(): Driver {
  const clock = new SimulatedClock();
  const ports = {
    restoreSession: held<Profile | Choices | null>(),
    recallProfile: held<Recalled | null>(),
    confirmSignIn: held<{ projects: readonly SessionProject[] }, { code: string }>(),
    signIn: held<{ projects: readonly SessionProject[]; needsCode?: boolean }, { login: string; password: string; rememberUser: boolean }>(),
    adoptProject: held<Profile, { projectId: string; rememberUser: boolean }>(),
    refreshTokens: held<void>(),
    loadProfile: held<Profile>(),
    endSession: held<void, { everywhere: boolean }>(),
  };
  let report: (event: TabsReport) => void = () => {};
  const otherTabs = fromCallback<TabsCommand>(({ sendBack }) => {
    report = sendBack;
  });
  const actors = Object.fromEntries(Object.entries(ports).map(([name, { actor }]) => [name, actor])) as {
    [Port in keyof typeof ports]: (typeof ports)[Port]['actor'];
  };
  const session = createActor(sessionMachine.provide({ actors: { ...actors, otherTabs }, actions: { forgetTokens: () => {} } }), { clock }).start();
  const press = (event: SessionEvent) => () => session.send(event);
  const can = (event: SessionEvent) => () => session.getSnapshot().can(event);
  const signIn: SessionEvent = { type: 'session.signIn', login: 'anna', password: 'secret', rememberUser: true };
  const confirm: SessionEvent = { type: 'session.confirm', code: '123456' };
  const away = { code: 'offline' } as const;
  const refused = { code: 'not_authorized' } as const;
  const inside = () => session.getSnapshot().hasTag('open');
  return {
    where: () => places.find(([, is]) => is(session.getSnapshot()))?.[0] ?? 'nowhere',
    words: {
      remembered: () => ports.restoreSession.answer(anna),
      nothingRemembered: () => ports.restoreSession.answer(null),
      rememberedButRefused: () => ports.restoreSession.refuse(refused),
      unreachable: async () => {
        if (inside()) return ports.refreshTokens.refuse(away);
        await ports.restoreSession.refuse(away);
        return ports.recallProfile.answer(null);
      },
      unreachableButSeen: async () => {
        await ports.restoreSession.refuse(away);
        return ports.recallProfile.answer({ profile: anna, seenAt: '2026-03-09T08:00:00.000Z' });
      },
      serverIsBack: () => {
        clock.increment(10_000);
        return ports.loadProfile.answer(anna);
      },
      tryAgain: press({ type: 'session.retry' }),
      timePasses: () => clock.increment(4_000),
      enter: press(signIn),
      oneProject: async () => {
        await ports.signIn.answer({ projects: [riverside] });
        await ports.adoptProject.answer(anna);
      },
      codeAsked: () => ports.signIn.answer({ projects: [], needsCode: true }),
      mustEnrol: async () => {
        await ports.signIn.answer({ projects: [riverside] });
        await ports.adoptProject.answer({ ...anna, must_enrol: true });
      },
      rightCode: async () => {
        session.send(confirm);
        await ports.confirmSignIn.answer({ projects: [riverside] });
        await ports.adoptProject.answer(anna);
      },
      wrongCode: () => {
        session.send(confirm);
        return ports.confirmSignIn.refuse({ code: 'second_factor_invalid' });
      },
      provedTooLate: () => {
        session.send(confirm);
        return ports.confirmSignIn.refuse({ code: 'invalid_credentials' });
      },
      enrolled: press({ type: 'session.enrolled' }),
      severalProjects: () => ports.signIn.answer({ projects: [riverside, harbour] }),
      wrongPassword: () => ports.signIn.refuse({ code: 'incorrect_login' }),
      tooSlow: () => clock.increment(3_000),
      choose: () => {
        session.send({ type: 'session.chooseProject', projectId: harbour.id });
        return ports.adoptProject.answer(anna);
      },
      tokenExpires: press({ type: 'token.rejected' }),
      roleChanges: async () => {
        session.send({ type: 'profile.stale' });
        await ports.loadProfile.answer({ ...anna, version: '2' });
      },
      renewed: () => ports.refreshTokens.answer(undefined),
      refused: () => ports.refreshTokens.refuse(refused),
      understood: press({ type: 'session.acknowledge' }),
      leave: press({ type: 'session.signOut' }),
      leaveEverywhere: press({ type: 'session.signOutEverywhere' }),
      serverHeard: () => ports.endSession.answer(undefined),
      serverSilent: () => clock.increment(2_000),
      otherTabLeaves: () => {
        report({ type: 'tab.signedOut' });
        return settled();
      },
      otherTabEnters: () => {
        report({ type: 'tab.signedIn' });
        return settled();
      },
    },
    buttons: [
      { name: 'sign in', words: ['enter'], isThere: can(signIn) },
      { name: 'confirm', words: ['rightCode', 'wrongCode', 'provedTooLate'], isThere: can(confirm) },
      { name: 'go on', words: ['enrolled'], isThere: can({ type: 'session.enrolled' }) },
      { name: 'choose a project', words: ['choose'], isThere: can({ type: 'session.chooseProject', projectId: harbour.id }) },
      { name: 'sign out', words: ['leave'], isThere: can({ type: 'session.signOut' }) },
      { name: 'sign out everywhere', words: ['leaveEverywhere'], isThere: can({ type: 'session.signOutEverywhere' }) },
      { name: 'try again', words: ['tryAgain'], isThere: can({ type: 'session.retry' }) },
    ],
  };
}

describe('the session tells its story', () => {
  runStory(sessionStory, driver);
});
