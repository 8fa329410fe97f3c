import { createMachine } from 'xstate';

/** Somebody who goes to a screen or opens a door from the palette: what is on the screen, by what was done so far. */
export const paletteStory = createMachine({
  id: 'palette story',
  initial: 'offersAll',
  states: {
    offersAll: { on: { typeUsers: 'offersUsers', typeGate: 'offersGate', typeNonsense: 'offersNothing', pick: 'gone' } },
    offersUsers: { on: { typeNonsense: 'offersNothing', typeGate: 'offersGate', pick: 'gone' } },
    offersNothing: { on: { pick: 'offersNothing', typeGate: 'offersGate', wipe: 'offersAll' } },
    offersGate: { on: { pick: 'asksForGate', wipe: 'offersAll' } },
    asksForGate: { on: { goBack: 'offersGate', openIt: 'opensGate' } },
    opensGate: { on: { gateSaysOpen: 'saysOpen', gateSaysNothing: 'saysUnconfirmed', gateIsRefused: 'saysRefused' } },
    saysOpen: { on: { goBack: 'offersGate' } },
    saysUnconfirmed: { on: { goBack: 'offersGate' } },
    saysRefused: { on: { goBack: 'offersGate', openIt: 'opensGate' } },
    gone: {},
  },
});
