import type { ServerCall } from '#models/call.ts';
import type { LegEnd } from '../ports.ts';
import type { EndReason } from '../types.ts';

type ServerSays = { event: { call: ServerCall; at: number | null } };
type Ended = { event: { end: LegEnd; at: number } };
export const take = { type: 'take', params: ({ event }: ServerSays) => event } as const;
export const isHandedOn = { type: 'isHandedOn', params: ({ event }: ServerSays) => event } as const;
export const noteHandedOn = { type: 'noteHandedOn', params: ({ event }: ServerSays) => event } as const;
export const storeEnd = { type: 'storeEnd', params: ({ event }: Ended) => event } as const;
export const endsIt = { type: 'endsIt', params: ({ event }: ServerSays) => event } as const;
/** A question about how a leg has ended. */
export const ended = (type: 'isElsewhere' | 'stillThere' | 'goesBack') => ({ type, params: ({ event }: Ended) => event }) as const;
/** Ends a call here for a reason of our own. */
export const endBy = (reason: EndReason) => ({ type: 'endBy', params: { reason } }) as const;
export const [listed, destroyed] = ['#call.life.listed', '#call.life.destroyed'] as const;
/** A call on hold: after a while, counted from when it was put there, it calls back, and after as long again once more where it was silenced. */
export const heldStates = {
  initial: 'resting',
  states: {
    resting: { after: { recallTime: 'recalling' } },
    recalling: { tags: 'recalling', on: { 'call.silence': { target: 'hushed' } } },
    hushed: { tags: ['recalling', 'silenced'], after: { recallAgain: 'recalling' } },
  },
} as const;
export const mute = [
  { type: 'noteMute', params: ({ event }: { event: { on: boolean } }) => event },
  { type: 'command', params: ({ event }: { event: { on: boolean } }) => ({ type: 'leg.mute', on: event.on }) as const },
] as const;
export const volume = [
  { type: 'noteVolume', params: ({ event }: { event: { level: number } }) => event },
  { type: 'command', params: ({ event }: { event: { level: number } }) => ({ type: 'leg.volume', level: event.level }) as const },
] as const;
export const talk = {
  target: '#call.life.session.up',
  actions: { type: 'noteTalk', params: ({ event }: { event: { at: number; video: boolean } }) => event },
} as const;
/** What was begun to be answered is not, after all: a waiting call goes on waiting, for this desk and for others. */
export const giveBack = [
  { guard: 'isAwaiting', target: listed },
  { target: destroyed, actions: endBy('hungUp') },
] as const;
export const hangUp = [
  { guard: 'isAwaiting', target: '#call.life.stopping' },
  { target: destroyed, actions: endBy('hungUp') },
] as const;
