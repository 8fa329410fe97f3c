import type { Credential } from '#server/access/world.ts';

/** A card that nothing stands against and nobody has, but for what is said. */
export const credentialOf = (over: Partial<Credential> & { id: string }): Credential => ({
  type: 'card',
  value: '',
  ownerId: null,
  isGuest: false,
  isActive: true,
  isRevoked: false,
  isLost: false,
  period: null,
  passes: null,
  locks: [],
  ...over,
});
