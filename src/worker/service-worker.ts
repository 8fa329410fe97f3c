import { matchPrecache, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { hearPushes } from './push.ts';

declare const self: ServiceWorkerGlobalScope;
/** What the console is made of, by address; put in by the build (scripts/precached.ts). */
declare const __PRECACHED__: PrecacheEntry[];

/** The console's own addresses: not those of the API, of files, of what a guest was sent, and of what the server says about itself. */
const othersPages = [/^\/(?:api|files|guest-access\/|healthz|readyz|metrics|openapi|docs)/];

/** The page itself comes from the server for as long as it answers: another version there means other files. Before the kept files, of which it is one. */
registerRoute(
  new NavigationRoute(
    async ({ event, request }) => {
      try {
        const { preloadResponse } = event as FetchEvent;
        return ((await preloadResponse) as Response | undefined) ?? (await fetch(request));
      } catch {
        return (await matchPrecache('/')) ?? Response.error();
      }
    },
    { denylist: othersPages },
  ),
);

// Parts of the console come from here, so that they are there while the server restarts, and after a newer version has replaced them.
precacheAndRoute(__PRECACHED__, { cleanURLs: false });

hearPushes();

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});
