import { createMachine } from 'xstate';

/** What is heard at the desk: silence, a call, an SOS call over all else; and the banner that says that nothing can be heard. */
export const ringerStory = createMachine({
  id: 'ringer story',
  initial: 'quietUntouched',
  states: {
    quietUntouched: { on: { touch: 'quiet', callRings: 'ringsUntouched', tryTheRing: 'quietUntouched' } },
    ringsUntouched: { on: { browserRefuses: 'unheard', answeredAnywhere: 'quietUntouched', touch: 'rings' } },
    unheard: { on: { touch: 'rings', answeredAnywhere: 'quietUnheard' } },
    quietUnheard: { on: { touch: 'quiet', callRings: 'unheard' } },
    quiet: { on: { callRings: 'rings', sosRings: 'alarm', tryTheRing: 'quiet' } },
    rings: { on: { sosRings: 'alarm', answeredAnywhere: 'quiet', anotherRings: 'rings', browserRefuses: 'unheard' } },
    alarm: { on: { sosTaken: 'rings', answeredAnywhere: 'quiet' } },
  },
});
