import { createMachine } from 'xstate';

/** One line and two calls, as the person at the desk tells it: nothing is put aside unasked, saying no changes nothing, and no press is for nothing. */
export const phoneStory = createMachine({
  id: 'phone story',
  initial: 'idle',
  states: {
    idle: { on: { dial: 'dialling', firstRings: 'ringing' } },
    ringing: { on: { answerFirst: 'talking', firstGivesUp: 'idle' } },
    dialling: { on: { isAnswered: 'talking', giveUp: 'idle', isBusy: 'idle' } },
    talking: { on: { secondRings: 'talkingWhileItRings', hangUp: 'idle', firstHangsUp: 'idle', dialAnother: 'askedToDial' } },
    askedToDial: { on: { sayNo: 'talking', sayEnd: 'dialling', firstHangsUp: 'dialling', secondRings: 'askedToDialWhileItRings' } },
    askedToDialWhileItRings: { on: { sayNo: 'talkingWhileItRings', answerSecond: 'asked', secondGivesUp: 'askedToDial' } },
    talkingWhileItRings: { on: { answerSecond: 'asked', secondGivesUp: 'talking', declineSecond: 'talking' } },
    asked: {
      on: {
        sayNo: 'talkingWhileItRings',
        sayEnd: 'answering',
        sayHold: 'puttingAside',
        secondGivesUp: 'talking',
        firstHangsUp: 'answering',
        answerSecond: 'asked',
      },
    },
    puttingAside: {
      on: {
        isHeld: 'answeringWithOneHeld',
        isNotAgreed: 'talkingWhileItRings',
        secondGivesUp: 'holdingForNothing',
        answerSecond: 'puttingAside',
      },
    },
    holdingForNothing: { on: { isHeld: 'oneHeld' } },
    answering: { on: { isAnswered: 'talking', secondGivesUp: 'idle' } },
    answeringWithOneHeld: { on: { isAnswered: 'talkingWithOneHeld', secondGivesUp: 'oneHeld', comeBack: 'askedToComeBackAtOnce' } },
    askedToComeBackAtOnce: {
      on: { sayNo: 'answeringWithOneHeld', sayEnd: 'comingBack', isAnswered: 'askedToComeBack', comeBack: 'askedToComeBackAtOnce' },
    },
    talkingWithOneHeld: { on: { hangUp: 'oneHeld', comeBack: 'askedToComeBack' } },
    askedToComeBack: { on: { sayNo: 'talkingWithOneHeld', sayEnd: 'comingBack', comeBack: 'askedToComeBack' } },
    oneHeld: { on: { comeBack: 'comingBack' } },
    comingBack: { on: { isBack: 'talking' } },
  },
});
