// Keeps in order: who is signed in, from the remembered session over sign-in and silent refresh to the end. Tokens never come here.
// Spawned by: app, always, as systemId session.
// Asks (ports): restoreSession, signIn, adoptProject, refreshTokens, loadProfile, endSession, forgetTokens, otherTabs (lasting).
// Tells (facts): session.opened, session.ended, profile.changed.
import { type ActorRefFrom, assertEvent, assign, enqueueActions, sendTo, setup, type SnapshotFrom } from 'xstate';
import type { Problem } from '#models/problem.ts';
import type { Profile, SessionProject } from '#models/profile.ts';
import { constants } from '#models/constants.ts';
import { answerTimeout, parentOf, problemOf, timedOut, unplugged, unpluggedAction, unpluggedLasting } from './port.ts';

export type EndReason = 'signedOut' | 'expired' | 'elsewhere';
export type SessionFact =
  | { type: 'session.opened'; profile: Profile }
  | { type: 'session.ended'; reason: EndReason }
  | { type: 'profile.changed'; profile: Profile };
/** What this tab lets the others know. */
export type TabsCommand = { type: 'tabs.tellSignedIn' } | { type: 'tabs.tellSignedOut' };
/** What other tabs let this one know. */
export type TabsReport = { type: 'tab.signedOut' } | { type: 'tab.signedIn' };
type SignIn = { login: string; password: string; rememberUser: boolean };
export type SessionEvent =
  | TabsReport
  | ({ type: 'session.signIn' } & SignIn)
  | { type: 'session.chooseProject'; projectId: string }
  | { type: 'session.retry' }
  | { type: 'session.signOut' }
  | { type: 'session.signOutEverywhere' }
  | { type: 'session.acknowledge' }
  /** The access token in use was refused with 401. Adapters say so only if the refused request carried the present token. */
  | { type: 'token.rejected' }
  /** An answer carried a `Doorward-Profile` other than `context.profile.version`. */
  | { type: 'profile.stale' }
  | { type: 'profile.replace'; profile: Profile };

interface Context {
  profile: Profile | null;
  /** Projects to choose among after sign-in. */
  projects: readonly SessionProject[];
  projectId: string | null;
  problem: Problem | null;
  rememberUser: boolean;
  /** Why one is not signed in any more, for the login page to say. */
  notice: EndReason | null;
}

/** The server said no, in contrast to not being reached. */
const refusals: readonly Problem['code'][] = ['not_authorized', 'invalid_token', 'invalid_credentials', 'forbidden'];

type Answered<T> = { event: { output: T } };
type Failed = { event: { error: unknown } };
const rememberRefusal = { type: 'rememberRefusal', params: ({ event }: Failed) => event } as const;
const rememberTimeout = { type: 'rememberProblem', params: { problem: timedOut } } as const;
const isRefusal = { type: 'isRefusal', params: ({ event }: Failed) => event } as const;
const openSession = [
  { type: 'rememberProfile', params: ({ event }: Answered<Profile>) => ({ profile: event.output }) },
  { type: 'tell', params: ({ event }: Answered<Profile>): SessionFact => ({ type: 'session.opened', profile: event.output }) },
  { type: 'tellTabs', params: { type: 'tabs.tellSignedIn' } },
] as const;
const changeProfile = [
  { type: 'replaceProfile', params: ({ event }: { event: { profile: Profile } }) => ({ profile: event.profile }) },
  { type: 'tell', params: ({ event }: { event: { profile: Profile } }): SessionFact => ({ type: 'profile.changed', profile: event.profile }) },
] as const;
const endElsewhere = [
  'forgetTokens',
  { type: 'forgetPerson', params: { notice: 'elsewhere' } },
  { type: 'tell', params: { type: 'session.ended', reason: 'elsewhere' } },
] as const;

/** The session of one person in one tab. */
export const sessionMachine = setup({
  types: {
    context: {} as Context,
    events: {} as SessionEvent,
    emitted: {} as SessionFact,
    tags: {} as 'open' | 'ready' | 'busy' | 'choosing' | 'signedOut' | 'unreachable',
    children: {} as { otherTabs: 'otherTabs' },
  },
  actors: {
    /** The remembered session's profile, its tokens refreshed if need be; null where none is remembered. Refused: forgets the tokens, then rejects. */
    restoreSession: unplugged<Profile | null>('restoreSession'),
    /** Answers the projects; the adapter keeps their tokens aside until one is adopted. */
    signIn: unplugged<{ projects: readonly SessionProject[] }, SignIn>('signIn'),
    /** Stores that project's tokens (local storage if remembered, else session storage) and answers the profile. */
    adoptProject: unplugged<Profile, { projectId: string; rememberUser: boolean }>('adoptProject'),
    /** Exchanges the refresh token under a lock shared by the tabs; adopts another tab's newer pair. */
    refreshTokens: unplugged<void>('refreshTokens'),
    loadProfile: unplugged<Profile>('loadProfile'),
    /** Forgets the tokens first, then tells the server. */
    endSession: unplugged<void, { everywhere: boolean }>('endSession'),
    otherTabs: unpluggedLasting<TabsCommand>('otherTabs'),
  },
  actions: {
    forgetTokens: (_) => unpluggedAction('forgetTokens'),
    tell: enqueueActions(({ enqueue, self }, fact: SessionFact) => {
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    tellTabs: sendTo('otherTabs', (_, command: TabsCommand) => command),
    rememberChoice: assign((_, { rememberUser }: { rememberUser: boolean }) => ({ rememberUser, problem: null, notice: null })),
    rememberProjects: assign((_, { projects }: { projects: readonly SessionProject[] }) => ({ projects, projectId: projects[0]?.id ?? null })),
    rememberProject: assign((_, { projectId }: { projectId: string }) => ({ projectId, problem: null })),
    rememberProfile: assign((_, { profile }: { profile: Profile }) => ({ profile, projects: [], projectId: null, problem: null, notice: null })),
    replaceProfile: assign((_, { profile }: { profile: Profile }) => ({ profile })),
    rememberProblem: assign((_, { problem }: { problem: Problem }) => ({ problem })),
    rememberRefusal: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    clearProblem: assign({ problem: null }),
    forgetPerson: assign((_, { notice }: { notice: EndReason | null }) => ({ profile: null, projects: [], projectId: null, notice, problem: null })),
  },
  guards: {
    foundProfile: (_, { profile }: { profile: Profile | null }) => profile !== null,
    isRefusal: (_, { error }: { error: unknown }) => refusals.includes(problemOf(error).code),
    oneProject: (_, { projects }: { projects: readonly SessionProject[] }) => projects.length === 1,
    severalProjects: (_, { projects }: { projects: readonly SessionProject[] }) => projects.length > 1,
    isOffered: ({ context }, { projectId }: { projectId: string }) => context.projects.some(({ id }) => id === projectId),
  },
  delays: {
    signInTimeout: constants.loginTimeout,
    answerTimeout,
    retryPause: 4_000,
    signOutPatience: 2_000,
  },
}).createMachine({
  id: 'session',
  context: { profile: null, projects: [], projectId: null, problem: null, rememberUser: false, notice: null },
  invoke: { id: 'otherTabs', src: 'otherTabs', onError: { actions: rememberRefusal } },
  initial: 'restoring',
  states: {
    restoring: {
      tags: 'busy',
      initial: 'asking',
      on: { 'tab.signedOut': { target: 'signedOut', actions: 'forgetTokens' } },
      states: {
        asking: {
          invoke: {
            id: 'restoreSession',
            src: 'restoreSession',
            onDone: [
              {
                guard: { type: 'foundProfile', params: ({ event }) => ({ profile: event.output }) },
                target: '#session.signedIn',
                actions: [
                  { type: 'rememberProfile', params: ({ event }) => ({ profile: event.output as Profile }) },
                  { type: 'tell', params: ({ event }) => ({ type: 'session.opened', profile: event.output as Profile }) },
                ],
              },
              { target: '#session.signedOut', actions: 'clearProblem' },
            ],
            onError: [
              { guard: isRefusal, target: '#session.signedOut', actions: { type: 'forgetPerson', params: { notice: 'expired' } } },
              { target: 'waiting', actions: rememberRefusal },
            ],
          },
          after: { answerTimeout: { target: 'waiting', actions: rememberTimeout } },
        },
        waiting: {
          tags: 'unreachable',
          after: { retryPause: 'asking' },
          on: { 'session.retry': { target: 'asking' }, 'session.signOut': { target: '#session.signingOut' } },
        },
      },
    },
    signedOut: {
      tags: 'signedOut',
      on: {
        'session.signIn': { target: 'signingIn', actions: { type: 'rememberChoice', params: ({ event }) => event } },
        'session.acknowledge': { actions: { type: 'forgetPerson', params: { notice: null } } },
        'tab.signedIn': { target: 'restoring' },
      },
    },
    signingIn: {
      tags: ['busy', 'signedOut'],
      initial: 'asking',
      states: {
        asking: {
          invoke: {
            id: 'signIn',
            src: 'signIn',
            input: ({ event }) => {
              assertEvent(event, 'session.signIn');
              return { login: event.login, password: event.password, rememberUser: event.rememberUser };
            },
            onDone: [
              {
                guard: { type: 'oneProject', params: ({ event }) => event.output },
                target: 'adopting',
                actions: { type: 'rememberProjects', params: ({ event }) => event.output },
              },
              {
                guard: { type: 'severalProjects', params: ({ event }) => event.output },
                target: '#session.choosingProject',
                actions: { type: 'rememberProjects', params: ({ event }) => event.output },
              },
              { target: '#session.signedOut', actions: { type: 'rememberProblem', params: { problem: { code: 'bad_answer' } } } },
            ],
            onError: { target: '#session.signedOut', actions: rememberRefusal },
          },
          after: { signInTimeout: { target: '#session.signedOut', actions: rememberTimeout } },
        },
        adopting: {
          invoke: {
            id: 'adoptOnly',
            src: 'adoptProject',
            input: ({ context }) => ({ projectId: context.projectId ?? '', rememberUser: context.rememberUser }),
            onDone: { target: '#session.signedIn', actions: openSession },
            onError: { target: '#session.signedOut', actions: ['forgetTokens', rememberRefusal] },
          },
          after: { answerTimeout: { target: '#session.signedOut', actions: ['forgetTokens', rememberTimeout] } },
        },
      },
    },
    choosingProject: {
      tags: ['choosing', 'signedOut'],
      initial: 'choosing',
      on: { 'session.signOut': { target: 'signedOut', actions: ['forgetTokens', { type: 'forgetPerson', params: { notice: null } }] } },
      states: {
        choosing: {
          on: {
            'session.chooseProject': {
              guard: { type: 'isOffered', params: ({ event }) => event },
              target: 'adopting',
              actions: { type: 'rememberProject', params: ({ event }) => event },
            },
          },
        },
        adopting: {
          tags: 'busy',
          invoke: {
            id: 'adoptChosen',
            src: 'adoptProject',
            input: ({ context }) => ({ projectId: context.projectId ?? '', rememberUser: context.rememberUser }),
            onDone: { target: '#session.signedIn', actions: openSession },
            onError: { target: 'choosing', actions: rememberRefusal },
          },
          after: { answerTimeout: { target: 'choosing', actions: rememberTimeout } },
        },
      },
    },
    signedIn: {
      tags: ['open', 'ready'],
      initial: 'current',
      on: {
        'token.rejected': { target: 'refreshing' },
        'session.signOut': { target: 'signingOut' },
        'session.signOutEverywhere': { target: 'signingOut.everywhere' },
        'tab.signedOut': { target: 'signedOut', actions: endElsewhere },
        'profile.replace': { target: '.current', actions: changeProfile },
      },
      states: {
        current: { on: { 'profile.stale': { target: 'reloading' } } },
        reloading: {
          invoke: {
            id: 'loadProfile',
            src: 'loadProfile',
            onDone: {
              target: 'current',
              actions: [
                { type: 'replaceProfile', params: ({ event }) => ({ profile: event.output }) },
                { type: 'tell', params: ({ event }) => ({ type: 'profile.changed', profile: event.output }) },
              ],
            },
            onError: { target: 'current', actions: rememberRefusal },
          },
          after: { answerTimeout: { target: 'current', actions: rememberTimeout } },
        },
      },
    },
    refreshing: {
      tags: 'open',
      initial: 'asking',
      on: {
        'session.signOut': { target: 'signingOut' },
        'session.signOutEverywhere': { target: 'signingOut.everywhere' },
        'tab.signedOut': { target: 'signedOut', actions: endElsewhere },
        'profile.replace': { actions: changeProfile },
      },
      states: {
        asking: {
          invoke: {
            id: 'refreshTokens',
            src: 'refreshTokens',
            onDone: { target: '#session.signedIn', actions: 'clearProblem' },
            onError: [
              { guard: isRefusal, target: '#session.expired' },
              { target: 'waiting', actions: rememberRefusal },
            ],
          },
          after: { answerTimeout: { target: 'waiting', actions: rememberTimeout } },
        },
        waiting: {
          tags: 'unreachable',
          after: { retryPause: 'asking' },
          on: { 'session.retry': { target: 'asking' } },
        },
      },
    },
    expired: {
      tags: 'signedOut',
      entry: [
        'forgetTokens',
        { type: 'forgetPerson', params: { notice: 'expired' } },
        { type: 'tell', params: { type: 'session.ended', reason: 'expired' } },
      ],
      on: {
        'session.acknowledge': { target: 'signedOut' },
        'session.signIn': { target: 'signingIn', actions: { type: 'rememberChoice', params: ({ event }) => event } },
        'tab.signedIn': { target: 'restoring' },
      },
    },
    signingOut: {
      tags: ['busy', 'signedOut'],
      initial: 'here',
      entry: [
        { type: 'forgetPerson', params: { notice: 'signedOut' } },
        { type: 'tell', params: { type: 'session.ended', reason: 'signedOut' } },
      ],
      exit: { type: 'tellTabs', params: { type: 'tabs.tellSignedOut' } },
      after: { signOutPatience: { target: 'signedOut' } },
      states: {
        here: {
          invoke: {
            id: 'endSession',
            src: 'endSession',
            input: { everywhere: false },
            onDone: { target: '#session.signedOut' },
            onError: { target: '#session.signedOut' },
          },
        },
        everywhere: {
          invoke: {
            id: 'endSessions',
            src: 'endSession',
            input: { everywhere: true },
            onDone: { target: '#session.signedOut' },
            onError: { target: '#session.signedOut', actions: rememberRefusal },
          },
        },
      },
    },
  },
});
export type SessionActor = ActorRefFrom<typeof sessionMachine>;
export type SessionSnapshot = SnapshotFrom<typeof sessionMachine>;
