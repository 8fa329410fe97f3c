import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { barriers } from './support/barriers.ts';
import { launchWholeBrowser } from './support/browser.ts';
import { sense, simulated } from './support/alarms.ts';
import { sitDown } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage({ DOORWARD_INTEGRATION_LOOPBACK: 'on' }, [], launchWholeBrowser);

/** A push service of this test, with one browser that subscribed: Chromium without a screen has no push service of its own. */
const got: Buffer[] = [];
const service = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    got.push(Buffer.concat(parts));
    response.writeHead(201).end();
  });
});
let endpoint = '';
beforeAll(async () => {
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
  endpoint = `http://localhost:${(service.address() as AddressInfo).port}/browser`;
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});

const ecdh = createECDH('prime256v1');
ecdh.generateKeys();
const auth = randomBytes(16);
/** What the browser's push service hands to the worker: the text again (RFC 8291). */
function read(body: Buffer): string {
  const derive = (key: Uint8Array, salt: Uint8Array, info: Buffer, length: number) => Buffer.from(hkdfSync('sha256', key, salt, info, length));
  const [salt, theirs, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
  const key = derive(ecdh.computeSecret(theirs), auth, Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), theirs]), 32);
  const content = derive(key, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const decipher = createDecipheriv('aes-128-gcm', content, derive(key, salt, Buffer.from('Content-Encoding: nonce\0'), 12));
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    .subarray(0, -1)
    .toString();
}

async function registrationOf(session: CDPSession): Promise<string> {
  const known = new Promise<string>((done) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first) done(first.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  return known;
}

it('an alarm reaches a browser whose page is closed, and none whose page is before its person', async () => {
  const anna = await sitDown(stage, { offline: true });
  const { page, context } = anna;
  await context.grantPermissions(['notifications'], { origin: stage.server.url });
  await page.addInitScript(
    ({ endpoint: at, keys }) => {
      const subscription = { endpoint: at, toJSON: () => ({ endpoint: at, keys }), unsubscribe: () => Promise.resolve(true) };
      let current: unknown = null;
      PushManager.prototype.subscribe = (options) => {
        if (!options?.userVisibleOnly || typeof options.applicationServerKey !== 'string') return Promise.reject(new TypeError('wrong options'));
        current = subscription;
        return Promise.resolve(subscription as unknown as PushSubscription);
      };
      PushManager.prototype.getSubscription = () => Promise.resolve(current as PushSubscription | null);
    },
    { endpoint, keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') } },
  );
  await anna.signIn('admin', { remember: true });
  await page.locator('.person-button').waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.goto('/notifications/settings');
  await anna.press('Turn on in this browser');
  await page.getByRole('button', { name: 'Turn off', exact: true }).waitFor();
  expect(await barriers(page, { within: '.inbox-settings-page' })).toEqual([]);

  await sense(stage, await simulated(stage, 'Gym'), 'trip', 'flood');
  await expect.poll(() => got.length).toBe(1);
  const data = read(got[0] ?? Buffer.alloc(0));
  expect(JSON.parse(data)).toMatchObject({ title: 'Alarm raised', path: '/notifications?type=alarm' });

  const session = await context.newCDPSession(page);
  const push = { origin: stage.server.url, registrationId: await registrationOf(session), data };
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title }) => title);
    });
  await session.send('ServiceWorker.deliverPushMessage', push);
  // The worker is done with one before it says how many there are.
  await expect.poll(() => context.serviceWorkers().length).toBe(1);
  expect(await shown()).toEqual([]);

  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('no worker is there');
  expect(anna.errors).toEqual([]);
  // An empty page is no page of the console: whether it may fetch the notice's icon is the browser's own affair.
  await page.goto('about:blank');
  // The page that was left may still be there for the worker, and then whoever is before it needs no notice.
  const pages = () =>
    worker.evaluate(async () => {
      const { clients } = self as unknown as { clients: { matchAll: (of: object) => Promise<unknown[]> } };
      return (await clients.matchAll({ type: 'window', includeUncontrolled: true })).length;
    });
  await expect.poll(pages).toBe(0);
  await session.send('ServiceWorker.deliverPushMessage', push);
  const noticed = () =>
    worker.evaluate(async () => (await (self as unknown as { registration: ServiceWorkerRegistration }).registration.getNotifications()).length);
  await expect.poll(noticed).toBe(1);
  const opened = await worker.evaluate(async () => {
    const scope = self as unknown as {
      registration: ServiceWorkerRegistration;
      clients: object;
      NotificationEvent: new (type: string, init: object) => Event;
      dispatchEvent: (event: Event) => void;
    };
    const [notice] = await scope.registration.getNotifications();
    const path = new Promise((done) => Object.defineProperty(scope.clients, 'openWindow', { value: async (at: string) => done(at) }));
    const title = notice?.title;
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification: notice }));
    return { title, path: await path, left: (await scope.registration.getNotifications()).length };
  });
  expect(opened).toEqual({ title: 'Alarm raised', path: '/notifications?type=alarm', left: 0 });
  await context.close();
});
