import { z } from 'zod';
import { call } from './define-call.ts';

const base64url = (max: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(max);
/** Where and for whom a browser is sent to while the page is closed, as its push service says (RFC 8030, RFC 8291). */
const pushSubscription = z.strictObject({
  endpoint: z.url().max(2_000),
  keys: z.strictObject({ p256dh: base64url(120), auth: base64url(60).meta({ secret: true }) }),
});
export type PushSubscriptionKeys = z.infer<typeof pushSubscription>;

/** How this browser stands with Web Push. */
export interface PushStanding {
  /** It has none: no service worker here, or no push service. */
  isPossible: boolean;
  /** This session is sent to, in this browser. */
  isOn: boolean;
}

/** What a push holds, encrypted for the browser: no more than that something waits; an emergency alert in its own words. */
export const pushMessage = z.strictObject({ title: z.string(), body: z.string(), tag: z.string(), path: z.string() });
export type PushMessage = z.infer<typeof pushMessage>;

/** Being reached by calls of the desk, alarms and emergency alerts while the page is closed. */
export const pushCalls = {
  push: call({
    method: 'GET',
    path: '/profile/push',
    access: 'signedIn',
    summary: 'Where this session is sent to while its page is closed; null if nowhere',
    answer: z.strictObject({ endpoint: z.string().nullable() }),
    ceremony: 'look',
  }),
  pushKey: call({
    method: 'GET',
    path: '/profile/push/key',
    access: 'signedIn',
    summary: 'The public key with which browsers subscribe (VAPID, RFC 8292)',
    answer: z.strictObject({ public_key: z.string() }),
    ceremony: 'subscribe',
  }),
  savePush: call({
    method: 'PUT',
    path: '/profile/push',
    access: 'signedIn',
    summary: 'Send calls of the desk, alarms and emergency alerts to this browser while its page is closed, until the session ends',
    body: pushSubscription,
  }),
  removePush: call({ method: 'DELETE', path: '/profile/push', access: 'signedIn', summary: 'Send nothing to this browser any more' }),
};
