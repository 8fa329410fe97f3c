// Keeps in order: the life of one announcement, from being written until it is withdrawn or over.
// Spawned by: nobody; the server refuses what it refuses, views offer what it offers.
// Asks (ports): nothing.
// Tells (facts): nothing.
import { setup } from 'xstate';
import type { AnnounceStatus } from '#models/announces.ts';

type AnnounceEvent =
  | { type: 'announce.start' }
  /** It is to start by itself at its hour. */
  | { type: 'announce.plan' }
  | { type: 'announce.stop' }
  | { type: 'announce.change' }
  /** Its planned end has come. */
  | { type: 'time.over' };

/** The life of one announcement. What was withdrawn may go out once more; what is over stays so. */
export const announceMachine = setup({ types: { events: {} as AnnounceEvent } }).createMachine({
  id: 'announce',
  initial: 'new',
  states: {
    new: { on: { 'announce.start': 'started', 'announce.plan': 'planned', 'announce.change': 'new' } },
    planned: { on: { 'announce.start': 'started', 'announce.stop': 'new' } },
    started: { on: { 'announce.stop': 'stopped', 'time.over': 'expired' } },
    stopped: { on: { 'announce.start': 'started' } },
    expired: {},
  },
});

const at = (status: AnnounceStatus) => announceMachine.resolveState({ value: status });

/** May this happen to an announcement as it stands? */
export const mayHappenToAnnounce = (status: AnnounceStatus, event: AnnounceEvent['type']): boolean => at(status).can({ type: event });
