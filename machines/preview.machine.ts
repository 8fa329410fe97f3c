// Keeps in order: that the console is viewed as a role, with no more rights than it has, and that nothing is written meanwhile.
// Spawned by: console, while a person views as a role; a reload or the end of the session ends it.
// Asks (ports): holdWrites (lasting).
// Tells (facts): nothing; views read whose rights to show, and its end is told by XState.
import { type ActorRefFrom, assign, type EventObject, setup } from 'xstate';
import { type Viewpoint, viewedAs } from '#models/preview.ts';
import type { Profile } from '#models/profile.ts';
import { unpluggedLasting } from './port.ts';

/** What it holds. */
export interface PreviewContext {
  own: Profile;
  viewpoint: Viewpoint;
  /** The person with the rights of the role. */
  shown: Profile;
}

/** The console as somebody with another role would have it. */
export const previewMachine = setup({
  types: {
    input: {} as { profile: Profile; viewpoint: Viewpoint },
    context: {} as PreviewContext,
    events: {} as { type: 'profile.changed'; profile: Profile } | { type: 'preview.change'; viewpoint: Viewpoint } | { type: 'preview.stop' },
  },
  actors: {
    /** Has all requests that write refused for as long as it lives. */
    holdWrites: unpluggedLasting<EventObject>('holdWrites'),
  },
  actions: {
    lookAs: assign(({ context }, change: { profile?: Profile; viewpoint?: Viewpoint }) => {
      const { profile: own = context.own, viewpoint = context.viewpoint } = change;
      return { own, viewpoint, shown: viewedAs(own, viewpoint) };
    }),
  },
}).createMachine({
  id: 'preview',
  context: ({ input: { profile, viewpoint } }) => ({ own: profile, viewpoint, shown: viewedAs(profile, viewpoint) }),
  initial: 'viewing',
  states: {
    viewing: {
      // Writes that cannot be held back are worse than no preview.
      invoke: { id: 'holdWrites', src: 'holdWrites', onError: { target: 'over' } },
      on: {
        'profile.changed': { actions: { type: 'lookAs', params: ({ event }) => event } },
        'preview.change': { actions: { type: 'lookAs', params: ({ event }) => event } },
        'preview.stop': { target: 'over' },
      },
    },
    over: { type: 'final' },
  },
});
export type PreviewActor = ActorRefFrom<typeof previewMachine>;
