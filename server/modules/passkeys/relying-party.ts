import type { Services } from '#server/context.ts';

/** The console as authenticators know it: its public address. Passkeys made under one name are of no use under another. */
export function relyingParty({ config }: Pick<Services, 'config'>) {
  const { origin, hostname } = new URL(config.publicUrl);
  return { origin, id: hostname };
}
