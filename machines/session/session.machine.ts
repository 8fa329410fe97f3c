// Keeps in order: who is signed in, from the remembered session over sign-in and silent refresh to the end. Tokens never come here.
// Spawned by: app, always, as systemId session.
// Asks (ports): restoreSession, recallProfile, signIn, confirmSignIn, adoptProject, switchProject, refreshTokens, loadProfile, endSession, forgetTokens, otherTabs (lasting).
// Tells (facts): session.opened, session.ended, profile.changed, token.renewed, form.saved, form.refused.
import { type ActorRefFrom, assertEvent, type SnapshotFrom } from 'xstate';
import { timedOut } from '../port.ts';
import { problemAlert } from '../alert-requests.ts';
import { restoring } from './session.restoring.ts';
import { confirming, enrolling } from './session.second-factor.ts';
import { sessionSetup } from './session.setup.ts';
import {
  changeProfile,
  endElsewhere,
  enrol,
  isRefused,
  leaveProject,
  openSession,
  profileLoaded,
  takeProblem,
  rememberTimeout,
} from './session.steps.ts';

export type { Choices, EndReason, Recalled, SessionEvent, SessionFact, TabsCommand, TabsReport } from './session.setup.ts';

/** The session of one person in one tab. */
export const sessionMachine = sessionSetup.createMachine({
  id: 'session',
  context: { profile: null, seenAt: null, projects: [], projectId: null, problem: null, rememberUser: false, children: [], notice: null },
  // Without word from other tabs this one goes on by itself.
  invoke: { id: 'otherTabs', src: 'otherTabs', onError: { actions: [] } },
  initial: 'restoring',
  on: {
    'child.open': { actions: { type: 'openForm', params: ({ event }) => event } },
    'child.notify': { actions: { type: 'notifyForm', params: ({ event }) => event } },
    'child.close': { actions: { type: 'closeForm', params: ({ event }) => event } },
    'form.saved': { actions: { type: 'notifyView', params: ({ event }) => event } },
    'form.refused': { actions: { type: 'notifyView', params: ({ event }) => event } },
    'xstate.error.actor.*': { actions: { type: 'closeForm', params: ({ event }) => ({ id: event.actorId }) } },
  },
  states: {
    restoring,
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
              const { type: _, ...shown } = event;
              return shown;
            },
            onDone: [
              { guard: { type: 'needsCode', params: ({ event }) => event.output }, target: '#session.confirming', actions: 'clearProblem' },
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
            onError: { target: '#session.signedOut', actions: takeProblem },
          },
          after: { signInTimeout: { target: '#session.signedOut', actions: rememberTimeout } },
        },
        adopting: {
          invoke: {
            id: 'adoptOnly',
            src: 'adoptProject',
            input: ({ context }) => ({ projectId: context.projectId ?? '', rememberUser: context.rememberUser }),
            onDone: [enrol, { target: '#session.signedIn', actions: openSession }],
            onError: { target: '#session.signedOut', actions: ['forgetTokens', takeProblem] },
          },
          after: { answerTimeout: { target: '#session.signedOut', actions: ['forgetTokens', rememberTimeout] } },
        },
      },
    },
    confirming,
    enrolling,
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
            onDone: [enrol, { target: '#session.signedIn', actions: openSession }],
            onError: { target: 'choosing', actions: takeProblem },
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
        'tab.switched': { target: 'restoring', actions: leaveProject },
        'profile.replace': { target: '.current', actions: changeProfile },
        'answer.recalled': { actions: { type: 'noteRecalled', params: ({ event }) => event } },
      },
      states: {
        current: { on: { 'profile.stale': { target: 'reloading' }, 'session.switchProject': { target: 'switching' } } },
        /** Opened with a profile of before: what it allows may have changed. */
        recalled: {
          initial: 'resting',
          on: { 'profile.stale': { target: 'reloading' } },
          states: {
            resting: { after: { checkPause: 'checking' } },
            checking: {
              invoke: { id: 'checkProfile', src: 'loadProfile', onDone: profileLoaded, onError: { target: 'resting', actions: takeProblem } },
              after: { answerTimeout: { target: 'resting', actions: rememberTimeout } },
            },
          },
        },
        switching: {
          tags: 'busy',
          invoke: {
            id: 'switchProject',
            src: 'switchProject',
            input: ({ event }) => {
              assertEvent(event, 'session.switchProject');
              return { projectId: event.projectId };
            },
            onDone: { target: '#session.restoring', actions: [...leaveProject, { type: 'notifyTabs', params: { type: 'tabs.notifySwitched' } }] },
            onError: { target: 'current', actions: { type: 'notify', params: ({ event }) => problemAlert(event.error) } },
          },
          after: { answerTimeout: { target: 'current', actions: { type: 'notify', params: problemAlert(timedOut) } } },
        },
        reloading: {
          invoke: {
            id: 'loadProfile',
            src: 'loadProfile',
            onDone: profileLoaded,
            onError: { target: 'current', actions: takeProblem },
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
        'tab.switched': { target: 'restoring', actions: leaveProject },
        'profile.replace': { actions: changeProfile },
      },
      states: {
        asking: {
          invoke: {
            id: 'refreshTokens',
            src: 'refreshTokens',
            onDone: { target: '#session.signedIn', actions: ['clearProblem', { type: 'notify', params: { type: 'token.renewed' } }] },
            onError: [
              { guard: isRefused, target: '#session.expired' },
              { target: 'waiting', actions: takeProblem },
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
        { type: 'notify', params: { type: 'session.ended', reason: 'expired' } },
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
        { type: 'notify', params: { type: 'session.ended', reason: 'signedOut' } },
      ],
      exit: { type: 'notifyTabs', params: { type: 'tabs.notifySignedOut' } },
      after: { signOutTimeout: { target: 'signedOut' } },
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
            onError: { target: '#session.signedOut', actions: takeProblem },
          },
        },
      },
    },
  },
});
export type SessionActor = ActorRefFrom<typeof sessionMachine>;
export type SessionSnapshot = SnapshotFrom<typeof sessionMachine>;
