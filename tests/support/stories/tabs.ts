import { createMachine } from 'xstate';

/** Several windows of one person, as that person tells it: one of them is the phone, the others show it. */
export const tabsStory = createMachine({
  id: 'tabs story',
  initial: 'askingAround',
  states: {
    askingAround: { on: { isMine: 'phone', anotherHasIt: 'looksOn', nobodyCanTell: 'byItself', silence: 'byItself' } },
    phone: { on: { newWindowLooks: 'phone', otherWindowAsks: 'phone', isTakenAway: 'looksOn' } },
    looksOn: { on: { phoneChanges: 'looksOn', askTheOther: 'looksOn', otherIsClosed: 'phone' } },
    byItself: { on: { isMine: 'phone', anotherHasIt: 'looksOn' } },
  },
});
