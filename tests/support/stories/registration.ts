import { createMachine } from 'xstate';

/** Whether one can be called, as somebody at the desk tells it: on duty, off duty, or trying. */
export const registrationStory = createMachine({
  id: 'registration story',
  initial: 'signingOn',
  states: {
    signingOn: {
      on: { isOn: 'onDuty', noServer: 'pausing', wrongSecret: 'lockedOut', noAnswer: 'pausing', goOffDuty: 'signingOff' },
    },
    onDuty: { on: { lineLost: 'pausing', networkChanges: 'onDuty', goOffDuty: 'signingOff', secretTakenAway: 'lockedOut' } },
    pausing: { on: { fiveSeconds: 'signingOn', backAwake: 'signingOn', tryNow: 'signingOn', goOffDuty: 'signingOff' } },
    lockedOut: { on: { backAwake: 'lockedOut', thirtySeconds: 'signingOn', tryNow: 'signingOn', goOffDuty: 'offDuty' } },
    signingOff: { on: { isOff: 'offDuty', noAnswer: 'offDuty' } },
    offDuty: { on: { backAwake: 'offDuty', tryNow: 'signingOn' } },
  },
});
