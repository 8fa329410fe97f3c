import { createMachine } from 'xstate';

/** A house with a ground floor, which is open to all, and an upper floor for which a card is needed: where the car is and what it does. */
export const elevatorStory = createMachine({
  id: 'elevator story',
  initial: 'waitsBelow',
  states: {
    waitsBelow: { on: { callBelow: 'opensBelow', callAbove: 'risesToOpen', chooseAbove: 'waitsBelow', showCardAndChooseAbove: 'risesToOpen' } },
    risesToOpen: { on: { travel: 'opensAbove', callAbove: 'risesToOpen', callBelow: 'risesThenSinks' } },
    risesThenSinks: { on: { travel: 'opensAboveThenSinks' } },
    opensAboveThenSinks: { on: { doorsClose: 'sinksToOpen' } },
    opensAbove: { on: { doorsClose: 'waitsAbove', chooseBelow: 'opensAboveThenSinks' } },
    waitsAbove: { on: { callBelow: 'sinksToOpen', chooseBelow: 'sinksToOpen', callAbove: 'opensAbove' } },
    sinksToOpen: { on: { travel: 'opensBelow' } },
    opensBelow: { on: { doorsClose: 'waitsBelow', callAbove: 'opensBelowThenRises' } },
    opensBelowThenRises: { on: { doorsClose: 'risesToOpen' } },
  },
});
