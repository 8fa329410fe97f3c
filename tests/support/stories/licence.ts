import { createMachine } from 'xstate';

/** The licence as somebody who answers for it tells it: warned in time, every day anew, until it is renewed; written without looking at the machine. */
export const licenceStory = createMachine({
  id: 'licence story',
  initial: 'quiet',
  states: {
    quiet: { on: { allIsWell: 'quiet', noAnswer: 'quiet', endsSoon: 'warned', hasRunOut: 'late', isTakenAway: 'without' } },
    warned: { on: { close: 'putAside', nothingNew: 'warned', noAnswer: 'warned', nextDay: 'warned', hasRunOut: 'late', isRenewed: 'quiet' } },
    putAside: { on: { nothingNew: 'putAside', noAnswer: 'putAside', nextDay: 'warned', hasRunOut: 'late', isRenewed: 'quiet' } },
    late: { on: { close: 'latePutAside', nothingNew: 'late', nextDay: 'late', isRenewed: 'quiet', isTakenAway: 'without' } },
    latePutAside: { on: { nothingNew: 'latePutAside', nextDay: 'late', isRenewed: 'quiet', isTakenAway: 'without' } },
    without: { on: { close: 'withoutPutAside', isRenewed: 'quiet', nothingNew: 'without', nextDay: 'without' } },
    withoutPutAside: { on: { isRenewed: 'quiet', nothingNew: 'withoutPutAside', nextDay: 'without' } },
  },
});
