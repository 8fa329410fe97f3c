// Keeps in order: the life of one identifier: in its owner's hands or lost, valid or revoked.
// Spawned by: nobody; the server refuses what it refuses, views offer what it offers.
// Asks (ports): nothing.
// Tells (facts): nothing.
import { setup } from 'xstate';
import type { IdentifierType } from '#models/device-events.ts';

type IdentifierEvent = { type: 'identifier.lose' } | { type: 'identifier.find' } | { type: 'identifier.revoke' } | { type: 'identifier.restore' };

/** The life of one identifier. A ukey2 is issued to one telephone: once revoked it never opens again, another one is issued. */
export const identifierMachine = setup({
  types: {
    context: {} as { type: IdentifierType },
    input: {} as { type: IdentifierType },
    events: {} as IdentifierEvent,
  },
  guards: { mayBeRestored: ({ context }) => context.type !== 'ukey2' },
}).createMachine({
  id: 'identifier',
  context: ({ input }) => ({ type: input.type }),
  type: 'parallel',
  states: {
    hands: {
      initial: 'held',
      states: {
        held: { on: { 'identifier.lose': { target: 'lost' } } },
        lost: { on: { 'identifier.find': { target: 'held' } } },
      },
    },
    right: {
      initial: 'valid',
      states: {
        valid: { on: { 'identifier.revoke': { target: 'revoked' } } },
        revoked: { on: { 'identifier.restore': { guard: 'mayBeRestored', target: 'valid' } } },
      },
    },
  },
});

/** An identifier as far as its life is concerned. */
export interface Standing {
  type: IdentifierType;
  lost_at: string | null;
  revoked_at: string | null;
}

/** May this happen to an identifier as it stands? */
export const mayHappenToIdentifier = ({ type, lost_at, revoked_at }: Standing, event: IdentifierEvent['type']): boolean =>
  identifierMachine
    .resolveState({ value: { hands: lost_at ? 'lost' : 'held', right: revoked_at ? 'revoked' : 'valid' }, context: { type } })
    .can({ type: event });
