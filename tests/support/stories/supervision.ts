import { createMachine } from 'xstate';

/** A part of the console that fails, as the person sees it: pauses that grow, a message while it is down, its recovery. */
export const supervisionStory = createMachine({
  id: 'supervision story',
  initial: 'works',
  states: {
    works: { on: { fails: 'rests 1 s' } },
    'rests 1 s': { on: { pausePasses: 'tried once' } },
    'tried once': { on: { fails: 'rests 2 s', worksForAMoment: 'recovered' } },
    'rests 2 s': { on: { pausePasses: 'tried twice' } },
    'tried twice': { on: { fails: 'rests 4 s', worksForAMoment: 'recovered' } },
    'rests 4 s': { on: { pausePasses: 'tried thrice', worksAgainButFailsAtOnce: 'rests 8 s' } },
    'tried thrice': { on: { worksForAMoment: 'recovered' } },
    'rests 8 s': { on: { worksAgainButFailsAtOnce: 'rests 16 s, stays down' } },
    'rests 16 s, stays down': { on: { worksAgainButFailsAtOnce: 'rests 32 s, stays down' } },
    'rests 32 s, stays down': { on: { worksAgainButFailsAtOnce: 'rests 60 s, stays down' } },
    'rests 60 s, stays down': { on: { worksAgainButFailsAtOnce: 'rests 60 s, still down', pausePasses: 'tried late' } },
    'rests 60 s, still down': { on: { pausePasses: 'tried late' } },
    'tried late': { on: { worksForAMoment: 'recovered' } },
    /** The person is told that it works; a fault now is one more in the row. */
    recovered: { on: { worksForLong: 'works' } },
  },
});
