import { assertEvent } from 'xstate';
import { sessionSetup } from './session.setup.ts';
import { endElsewhere, isRefused, takeProblem, rememberTimeout } from './session.steps.ts';

/** The password was right, and a code is asked for. */
export const confirming = sessionSetup.createStateConfig({
  tags: 'signedOut',
  initial: 'entering',
  on: {
    'session.signOut': { target: 'signedOut', actions: { type: 'forgetPerson', params: { notice: null } } },
    'tab.signedIn': { target: 'restoring' },
  },
  states: {
    entering: { on: { 'session.confirm': { target: 'checking' } } },
    checking: {
      tags: 'busy',
      invoke: {
        id: 'confirmSignIn',
        src: 'confirmSignIn',
        input: ({ event }) => {
          assertEvent(event, 'session.confirm');
          return { code: event.code };
        },
        onDone: [
          {
            guard: { type: 'oneProject', params: ({ event }) => event.output },
            target: '#session.signingIn.adopting',
            actions: ['clearProblem', { type: 'rememberProjects', params: ({ event }) => event.output }],
          },
          {
            guard: { type: 'severalProjects', params: ({ event }) => event.output },
            target: '#session.choosingProject',
            actions: ['clearProblem', { type: 'rememberProjects', params: ({ event }) => event.output }],
          },
          { target: '#session.signedOut', actions: { type: 'rememberProblem', params: { problem: { code: 'bad_answer' } } } },
        ],
        onError: [
          { guard: isRefused, target: '#session.signedOut', actions: takeProblem },
          { target: 'entering', actions: takeProblem },
        ],
      },
      after: { answerTimeout: { target: 'entering', actions: rememberTimeout } },
    },
  },
});

/** Signed in, but nothing can be done before a second factor is set up. */
export const enrolling = sessionSetup.createStateConfig({
  tags: 'enrolling',
  on: {
    'session.enrolled': { target: 'restoring' },
    'session.signOut': { target: 'signingOut' },
    'tab.signedIn': { target: 'restoring' },
    'tab.signedOut': { target: 'signedOut', actions: endElsewhere },
    'tab.switched': { target: 'restoring' },
  },
});
