import type { GuestPage } from '#models/guest-access.ts';
import { passTypes } from '#models/wallet.ts';
import type { Services } from '#server/context.ts';
import { hasWallet } from '#server/wallet/settings.ts';
import { requireUsable, doorsOfKey, findKey, passesLeft } from './keys.ts';

/** What stands on the page of a key. @throws HttpError as `findKey` and `requireUsable` */
export async function readGuestPage(services: Services, token: string, ip: string): Promise<GuestPage> {
  const key = await findKey(services, token, ip);
  requireUsable(key, services.now());
  const { type, value, periodRestrictActive: isPeriod } = key;
  return {
    name: key.name,
    project: key.project,
    message: key.keyMessage,
    from: isPeriod ? (key.periodRestrictFrom?.toISOString() ?? null) : null,
    to: isPeriod ? (key.periodRestrictTo?.toISOString() ?? null) : null,
    passes_left: passesLeft(key),
    code: type === 'qr' || type === 'access_code' ? { type, value } : null,
    wallet: passTypes.has(type) && (await hasWallet(services, key.projectId)),
    doors: await doorsOfKey(services.db, key),
  };
}
