import { mayHappenToIdentifier, type Standing } from '#machines/lifecycles/identifier.machine.ts';

/** Whether an identifier that stands so may be lost, found, revoked or restored: what its life refuses is not offered. */
export const mayMoveIdentifier = (identifier: Standing, step: 'lose' | 'find' | 'revoke' | 'restore'): boolean =>
  mayHappenToIdentifier(identifier, `identifier.${step}`);
