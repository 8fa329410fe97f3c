// Keeps in order: everything that belongs to the signed-in person; it ends with the session and takes all below along.
// Spawned by: app, while somebody is signed in.
// Asks (ports): nothing itself.
// Tells (facts): passes requests for alerts and dialogs up.
import { assign, enqueueActions, sendTo, setup } from 'xstate';
import type { Profile } from '#models/profile.ts';
import type { AlertsRequest } from './alerts.machine.ts';
import { parentOf } from './port.ts';
import { problemAlert } from './tell.ts';
import { workspaceMachine } from './workspace.machine.ts';

/** The console of one signed-in person. */
export const consoleMachine = setup({
  types: {
    input: {} as { profile: Profile },
    context: {} as { profile: Profile },
    events: {} as { type: 'profile.changed'; profile: Profile } | { type: 'drafts.keep' } | AlertsRequest,
    emitted: {} as AlertsRequest,
    children: {} as { workspace: 'workspace' },
  },
  actors: { workspace: workspaceMachine },
  actions: {
    rememberProfile: assign({ profile: (_, { profile }: { profile: Profile }) => profile }),
    keepDrafts: sendTo('workspace', { type: 'drafts.keep' }),
    tell: enqueueActions(({ enqueue, self }, request: AlertsRequest) => {
      enqueue.emit(request);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, request);
    }),
  },
}).createMachine({
  id: 'console',
  context: ({ input }) => ({ profile: input.profile }),
  invoke: {
    id: 'workspace',
    src: 'workspace',
    systemId: 'workspace',
    onError: { actions: { type: 'tell', params: ({ event }) => problemAlert(event.error) } },
  },
  on: {
    'profile.changed': { actions: { type: 'rememberProfile', params: ({ event }) => event } },
    'drafts.keep': { actions: 'keepDrafts' },
    'alert.show': { actions: { type: 'tell', params: ({ event }) => event } },
    'dialog.ask': { actions: { type: 'tell', params: ({ event }) => event } },
    'dialog.withdraw': { actions: { type: 'tell', params: ({ event }) => event } },
  },
});
