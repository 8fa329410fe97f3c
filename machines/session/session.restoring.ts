import type { Profile } from '#models/profile.ts';
import { type Choices, type Recalled, sessionSetup } from './session.setup.ts';
import { isRefused, takeProblem, rememberTimeout } from './session.steps.ts';

/** The remembered session is looked for; while the server is away one goes on with what was seen last, where anything was. */
export const restoring = sessionSetup.createStateConfig({
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
            guard: { type: 'mustEnrol', params: ({ event }) => ({ found: event.output }) },
            target: '#session.enrolling',
            actions: { type: 'rememberProfile', params: ({ event }) => ({ profile: event.output as Profile }) },
          },
          {
            guard: { type: 'foundProfile', params: ({ event }) => ({ found: event.output }) },
            target: '#session.signedIn',
            actions: [
              { type: 'rememberProfile', params: ({ event }) => ({ profile: event.output as Profile }) },
              { type: 'notify', params: ({ event }) => ({ type: 'session.opened', profile: event.output as Profile }) },
            ],
          },
          {
            guard: { type: 'foundChoices', params: ({ event }) => ({ found: event.output }) },
            target: '#session.choosingProject',
            actions: { type: 'rememberChoices', params: ({ event }) => event.output as Choices },
          },
          { target: '#session.signedOut', actions: 'clearProblem' },
        ],
        onError: [
          { guard: isRefused, target: '#session.signedOut', actions: { type: 'forgetPerson', params: { notice: 'expired' } } },
          { target: 'recalling', actions: takeProblem },
        ],
      },
      after: { answerTimeout: { target: 'recalling', actions: rememberTimeout } },
    },
    /** The server is away: one goes on with what was seen last, where anything was. */
    recalling: {
      invoke: {
        id: 'recallProfile',
        src: 'recallProfile',
        onDone: [
          {
            guard: { type: 'wasRecalled', params: ({ event }) => ({ recalled: event.output }) },
            target: '#session.signedIn.recalled',
            actions: [
              { type: 'rememberRecalled', params: ({ event }) => event.output as Recalled },
              { type: 'notify', params: ({ event }) => ({ type: 'session.opened', profile: (event.output as Recalled).profile }) },
            ],
          },
          { target: 'waiting' },
        ],
        onError: { target: 'waiting' },
      },
      after: { recallTimeout: 'waiting' },
    },
    waiting: {
      tags: 'unreachable',
      after: { retryPause: 'asking' },
      on: { 'session.retry': { target: 'asking' }, 'session.signOut': { target: '#session.signingOut' } },
    },
  },
});
