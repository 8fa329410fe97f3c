import type { PushStanding, PushSubscriptionKeys } from '#models/push-calls.ts';
import { refuse } from './http.ts';

/** The push service of this browser; null where there is none, or nothing is kept in the browser that could hear it. */
async function managerOf(): Promise<PushManager | null> {
  const workers = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  const registration = await workers?.getRegistration();
  return (registration as { pushManager?: PushManager } | undefined)?.pushManager ?? null;
}

/** How this browser stands, of which the server knows where it would be reached. */
export async function lookAtPush({ endpoint }: { endpoint: string | null }): Promise<PushStanding> {
  const manager = await managerOf();
  const subscription = await manager?.getSubscription().catch(() => null);
  return { isPossible: manager !== null && 'Notification' in window, isOn: endpoint !== null && subscription?.endpoint === endpoint };
}

/** Subscribes with the server's key; a subscription with another key is given up. @throws Problem where the person or the browser refuses */
export async function subscribeToPush({ public_key: key }: { public_key: string }): Promise<PushSubscriptionKeys> {
  const manager = await managerOf();
  if (!manager || (await Notification.requestPermission()) !== 'granted') return refuse({ code: 'push_refused' });
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscribed = await manager.subscribe(options).catch(async (error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'InvalidStateError')) return refuse({ code: 'push_refused' });
    await (await manager.getSubscription())?.unsubscribe();
    return manager.subscribe(options).catch(() => refuse({ code: 'push_refused' }));
  });
  const { endpoint, keys } = subscribed.toJSON();
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } };
}
