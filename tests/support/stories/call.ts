import { createMachine } from 'xstate';

/** A call from one person to another, as who is called tells it. */
export const callStory = createMachine({
  id: 'call story',
  initial: 'rings',
  states: {
    rings: {
      on: { answer: 'answering', decline: 'over', silence: 'ringsSilently', callerGivesUp: 'over', takenElsewhere: 'over', nobodyAnswers: 'over' },
    },
    ringsSilently: { on: { answer: 'answering', decline: 'over', callerGivesUp: 'over', takenElsewhere: 'over' } },
    answering: { on: { talkBegins: 'talking', callerGivesUp: 'over', hangUp: 'over', nothingComes: 'over' } },
    talking: { on: { hold: 'holding', hangUp: 'over', callerHangsUp: 'over', mediaDies: 'over', serverEndsIt: 'over' } },
    holding: { on: { isHeld: 'onHold', isNotAgreed: 'talking', nothingComes: 'talking', hangUp: 'over', callerHangsUp: 'over' } },
    onHold: { on: { resume: 'comingBack', hangUp: 'over', callerHangsUp: 'over' } },
    comingBack: { on: { isBack: 'talking', isNotAgreed: 'onHold', nothingComes: 'onHold', hangUp: 'over', callerHangsUp: 'over' } },
    over: { on: { fiveSeconds: 'gone', takeOffTheList: 'gone' } },
    gone: { type: 'final' },
  },
});

/** A call in the queue, as the concierge tells it: it waits, somebody takes it, it may wait again. */
export const queueStory = createMachine({
  id: 'queue story',
  initial: 'waits',
  states: {
    waits: { on: { answer: 'joining', end: 'ending', colleagueTakesIt: 'over', visitorLeaves: 'over', itRingsHere: 'rings' } },
    rings: { on: { answer: 'answering', decline: 'waits', ringGoesOn: 'waits', colleagueTakesIt: 'over', visitorLeaves: 'over' } },
    answering: { on: { talkBegins: 'talking', colleagueWasFirst: 'over', cancel: 'waits' } },
    joining: {
      on: { talkBegins: 'talking', colleagueWasFirst: 'over', joinFails: 'waits', nothingComes: 'waits', visitorLeaves: 'over', cancel: 'waits' },
    },
    talking: { on: { pause: 'pausing', hangUp: 'ending', visitorLeaves: 'over', lineBreaks: 'waitsForMe' } },
    pausing: { on: { isPaused: 'waitsAgain', nothingComes: 'waitsAgain', hangUp: 'ending', visitorLeaves: 'over' } },
    waitsAgain: { on: { take: 'joining', connect: 'connecting', end: 'ending', colleagueTakesIt: 'over', visitorLeaves: 'over' } },
    connecting: {
      on: { isConnected: 'over', isNotConnected: 'waitsAgain', nothingComes: 'waitsAgain', colleagueTakesIt: 'over', visitorLeaves: 'over' },
    },
    waitsForMe: { on: { take: 'joining', end: 'ending', colleagueTakesIt: 'over', visitorLeaves: 'over' } },
    ending: { on: { hasEnded: 'over', endFails: 'over' } },
    over: { on: { fiveSeconds: 'gone', takeOffTheList: 'gone' } },
    gone: { type: 'final' },
  },
});
