// Keeps in order: whether the media of one call flow, in both directions, and what is done when their path breaks.
// Spawned by: call, from the moment talk is confirmed to its end.
// Asks (ports): nothing itself; it asks its call for a restart of ICE.
// Tells (facts): media.changed, media.restart, media.lost.
import { enqueueActions, setup } from 'xstate';
import { parentOf } from '#machines/port.ts';
import type { LegReport } from '../ports.ts';

/** How the media of a call stand. `hears`: something came within the last four seconds; `isHeard`: something went out. */
export interface MediaState {
  path: 'connected' | 'disconnected' | 'restarting';
  hears: boolean;
  isHeard: boolean;
}
export type MediaFact = { type: 'media.changed'; change: Partial<MediaState> } | { type: 'media.restart' } | { type: 'media.lost' };
type MediaEvent = Extract<LegReport, { type: 'leg.path' | 'leg.flow' }>;

const notifyChange = (change: Partial<MediaState>) => ({ type: 'notify', params: { type: 'media.changed', change } }) as const;
const is = (state: (MediaEvent & { type: 'leg.path' })['state']) =>
  ({ type: 'isPath', params: ({ event }: { event: MediaEvent & { type: 'leg.path' } }) => ({ state: event.state, wanted: state }) }) as const;
const flowing = (way: 'incoming' | 'outgoing', wanted: boolean) =>
  ({ type: 'flows', params: ({ event }: { event: MediaEvent & { type: 'leg.flow' } }) => ({ flows: event[way], wanted }) }) as const;

/**
 * The watch over the media of one call: told at `disconnected`, restarted at `failed` or after four seconds, given up 15 s later; and
 * where no path was found in the first place.
 */
export const mediaWatchMachine = setup({
  types: { events: {} as MediaEvent, emitted: {} as MediaFact },
  actions: {
    notify: enqueueActions(({ enqueue, self }, fact: MediaFact) => {
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
  },
  guards: {
    isPath: (_, { state, wanted }: { state: string; wanted: string }) => state === wanted,
    flows: (_, { flows, wanted }: { flows: boolean; wanted: boolean }) => flows === wanted,
  },
  delays: { openTimeout: 15_000, silenceTime: 4_000, restartPause: 4_000, restartTimeout: 15_000 },
}).createMachine({
  id: 'mediaWatch',
  type: 'parallel',
  states: {
    path: {
      initial: 'opening',
      states: {
        opening: {
          after: { openTimeout: { target: 'lost', actions: { type: 'notify', params: { type: 'media.lost' } } } },
          on: {
            'leg.path': [
              { guard: is('connected'), target: 'connected' },
              { guard: is('disconnected'), target: 'disconnected' },
              { guard: is('failed'), target: 'restarting' },
            ],
          },
        },
        connected: {
          on: {
            'leg.path': [
              { guard: is('disconnected'), target: 'disconnected' },
              { guard: is('failed'), target: 'restarting' },
            ],
          },
        },
        disconnected: {
          entry: notifyChange({ path: 'disconnected' }),
          after: { restartPause: 'restarting' },
          on: {
            'leg.path': [
              { guard: is('connected'), target: 'connected', actions: notifyChange({ path: 'connected' }) },
              { guard: is('failed'), target: 'restarting' },
            ],
          },
        },
        restarting: {
          entry: [notifyChange({ path: 'restarting' }), { type: 'notify', params: { type: 'media.restart' } }],
          after: { restartTimeout: { target: 'lost', actions: { type: 'notify', params: { type: 'media.lost' } } } },
          on: { 'leg.path': { guard: is('connected'), target: 'connected', actions: notifyChange({ path: 'connected' }) } },
        },
        lost: {},
      },
    },
    incoming: {
      initial: 'flowing',
      states: {
        flowing: { on: { 'leg.flow': { guard: flowing('incoming', false), target: 'dry' } } },
        dry: {
          after: { silenceTime: { target: 'silent', actions: notifyChange({ hears: false }) } },
          on: { 'leg.flow': { guard: flowing('incoming', true), target: 'flowing' } },
        },
        silent: { on: { 'leg.flow': { guard: flowing('incoming', true), target: 'flowing', actions: notifyChange({ hears: true }) } } },
      },
    },
    outgoing: {
      initial: 'flowing',
      states: {
        flowing: { on: { 'leg.flow': { guard: flowing('outgoing', false), target: 'dry' } } },
        dry: {
          after: { silenceTime: { target: 'silent', actions: notifyChange({ isHeard: false }) } },
          on: { 'leg.flow': { guard: flowing('outgoing', true), target: 'flowing' } },
        },
        silent: { on: { 'leg.flow': { guard: flowing('outgoing', true), target: 'flowing', actions: notifyChange({ isHeard: true }) } } },
      },
    },
  },
});
