declare const self: ServiceWorkerGlobalScope;

/** As the server sends it (models/push-calls.ts, which the worker is built apart from). */
interface PushMessage {
  title: string;
  body: string;
  tag: string;
  path: string;
}

const windows = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Shows what was sent, unless the console is open before the person: it says so itself. */
async function show({ title, body, tag, path }: PushMessage): Promise<void> {
  if ((await windows()).some(({ visibilityState }) => visibilityState === 'visible')) return;
  await self.registration.showNotification(title, { body, tag, icon: '/icon.svg', requireInteraction: true, data: { path } });
}

/** Goes on in a window that stands where it leads, or in any for a call: what is open there, a call perhaps, is not left. Otherwise opens one. */
async function open(path: string): Promise<void> {
  const open = await windows();
  const found = open.find(({ url }) => new URL(url).pathname + new URL(url).search === path) ?? (path === '/home' ? open[0] : undefined);
  await (found ? found.focus() : self.clients.openWindow(path));
}

/** Has the worker show what the server sends while no page is open. */
export function hearPushes(): void {
  self.addEventListener('push', (event) => {
    const { data } = event;
    if (data) event.waitUntil(show(data.json() as PushMessage));
  });
  self.addEventListener('notificationclick', (event) => {
    const { notification } = event;
    notification.close();
    const { path } = (notification.data ?? {}) as { path?: string };
    event.waitUntil(open(path?.startsWith('/') && !path.startsWith('//') ? path : '/home'));
  });
}
