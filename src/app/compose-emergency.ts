import { fromPromise } from 'xstate';
import { type AlertAnswer, emergencyMachine } from '#machines/emergency/emergency.machine.ts';
import type { CallRequest } from '#machines/form/form.machine.ts';
import type { ActiveAlert } from '#models/emergency-alert-calls.ts';

/** The emergency alerts with their ports. */
export const composeEmergency = (runCall: (request: CallRequest) => Promise<unknown>) =>
  emergencyMachine.provide({
    actors: {
      readEmergencies: fromPromise(() => runCall({ call: 'myEmergencyAlerts' }) as Promise<readonly ActiveAlert[]>),
      answerEmergency: fromPromise(({ input: { id, said } }: { input: AlertAnswer }) =>
        runCall({ call: said === 'safe' ? 'confirmSafe' : 'seeEmergencyAlert', params: { id } }),
      ),
    },
  });
