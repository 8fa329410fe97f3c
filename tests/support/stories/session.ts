import { createMachine } from 'xstate';

/** A session as the person at the desk tells it: no ports, no timers, written without looking at the machine. */
export const sessionStory = createMachine({
  id: 'session story',
  initial: 'starting',
  states: {
    starting: {
      on: {
        remembered: 'inside',
        nothingRemembered: 'outside',
        rememberedButRefused: 'outside',
        unreachable: 'startingLater',
        unreachableButSeen: 'insideAsSeen',
        otherTabLeaves: 'outside',
      },
    },
    startingLater: { on: { tryAgain: 'starting', timePasses: 'starting', leave: 'leaving', otherTabLeaves: 'outside' } },
    outside: { on: { enter: 'entering', otherTabEnters: 'starting' } },
    entering: {
      on: {
        codeAsked: 'proving',
        mustEnrol: 'enrolling',
        oneProject: 'inside',
        severalProjects: 'choosing',
        wrongPassword: 'outside',
        tooSlow: 'outside',
      },
    },
    proving: { on: { rightCode: 'inside', wrongCode: 'proving', provedTooLate: 'outside', leave: 'outside', otherTabEnters: 'starting' } },
    enrolling: { on: { enrolled: 'starting', leave: 'leaving', otherTabLeaves: 'outside', otherTabEnters: 'starting' } },
    choosing: { on: { choose: 'inside', leave: 'outside' } },
    inside: { on: { tokenExpires: 'renewing', roleChanges: 'inside', leave: 'leaving', leaveEverywhere: 'leaving', otherTabLeaves: 'outside' } },
    /** The server is away, and what was seen last is shown. */
    insideAsSeen: { on: { serverIsBack: 'inside', leave: 'leaving', leaveEverywhere: 'leaving', otherTabLeaves: 'outside' } },
    renewing: {
      on: {
        renewed: 'inside',
        refused: 'expired',
        unreachable: 'renewingLater',
        leave: 'leaving',
        leaveEverywhere: 'leaving',
        otherTabLeaves: 'outside',
      },
    },
    renewingLater: { on: { tryAgain: 'renewing', timePasses: 'renewing', leave: 'leaving', leaveEverywhere: 'leaving', otherTabLeaves: 'outside' } },
    expired: { on: { understood: 'outside', enter: 'entering', otherTabEnters: 'starting' } },
    leaving: { on: { serverHeard: 'outside', serverSilent: 'outside' } },
  },
});
