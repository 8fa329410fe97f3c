import { z } from 'zod';
import { call } from './define-call.ts';
import { flag, requiredText, rule, secret } from './rules.ts';
import { webAddress } from './web-address.ts';

/** The header in which an app that was built with the mobile SDK shows the project's key. */
export const apiKeyHeader = 'x-api-key';
/** A key that can be guessed is none. */
export const apiKeyLength = { min: 16, max: 255 } as const;

/** Whether mobile apps have to show the project's API key (FIELD-63). The key is kept apart and never read back. */
export const mobileSdkSettings = z.strictObject({ enabled: flag() });
export type MobileSdkSettings = z.infer<typeof mobileSdkSettings>;

const pushServerFields = { enabled: flag(), url: webAddress().nullable() };
/** The server that takes pushes on to the project's mobile apps (FIELD-67). Its token is kept apart and never read back. */
export const pushServerSettings = z
  .strictObject(pushServerFields)
  .refine(({ enabled, url }) => !enabled || url !== null, { ...rule('required'), path: ['url'] });
export type PushServerSettings = z.infer<typeof pushServerSettings>;
/** Where a token was typed for: with another address, it is typed again. */
export const pushPlace = (url: string | null): string => /^[a-z]+:\/\/[^/?]*/i.exec(url ?? '')?.[0].toLowerCase() ?? '';

/** Both travel in headers. */
const inHeader = (max: number) => secret(max).refine((value) => /^[\x21-\x7e]*$/.test(value), rule('ascii'));
const isLong = (value: string): boolean => value === '' || value.length >= apiKeyLength.min;
const apiKey = inHeader(apiKeyLength.max).refine(isLong, rule('min_length', { length: apiKeyLength.min }));
const token = inHeader(1_000);

const shownMobileSdk = z.strictObject({ ...mobileSdkSettings.shape, has_api_key: z.boolean() });
export type ShownMobileSdk = z.infer<typeof shownMobileSdk>;
export const mobileSdkBody = z.strictObject({ ...mobileSdkSettings.shape, api_key: apiKey.nullable() }).partial();
export type MobileSdkBody = z.infer<typeof mobileSdkBody>;

const shownPushServer = z.strictObject({ ...pushServerFields, has_token: z.boolean() });
export type ShownPushServer = z.infer<typeof shownPushServer>;
export const pushServerBody = z.strictObject({ ...pushServerFields, token: token.nullable() }).partial();
export type PushServerBody = z.infer<typeof pushServerBody>;

/** What the push server is sent for one app: whom it is for, and what to show. */
export const mobilePush = z.strictObject({
  client_id: z.string(),
  platform: z.string(),
  vendor_id: z.string(),
  kind: z.string(),
  title: z.string(),
  body: z.string(),
  tag: z.string(),
  path: z.string(),
});
export type MobilePush = z.infer<typeof mobilePush>;

/** The app as it names itself when somebody has signed in to it. */
const mobileClient = z.strictObject({
  /** By this the push server knows the app. */
  client_id: requiredText(255),
  platform: requiredText(31),
  info: requiredText(255),
  vendor_id: requiredText(255),
});
export type MobileClientBody = z.infer<typeof mobileClient>;

const about = 'project-settings';
const reads = { codes: ['can_view_project_settings', 'can_change_project_settings'], about } as const;
const changes = { codes: ['can_change_project_settings'], about } as const;

/** Mobile apps: what the project asks of them, who takes pushes on to them, and how an app makes itself known. */
export const mobileCalls = {
  mobileSdkSettings: call({
    method: 'GET',
    path: '/project-settings/mobile-sdk',
    access: reads,
    summary: 'Whether mobile apps have to send the API key, without the key',
    answer: shownMobileSdk,
  }),
  setMobileSdkSettings: call({
    method: 'PATCH',
    path: '/project-settings/mobile-sdk',
    access: changes,
    summary: 'Require an API key (X-Api-Key) from mobile apps, or change it; null removes it',
    body: mobileSdkBody,
    answer: shownMobileSdk,
  }),
  pushServerSettings: call({
    method: 'GET',
    path: '/project-settings/push-server',
    access: reads,
    summary: 'The push server for mobile apps, without its token',
    answer: shownPushServer,
  }),
  setPushServerSettings: call({
    method: 'PATCH',
    path: '/project-settings/push-server',
    access: changes,
    summary: 'Change the push server for mobile apps; another server asks for the token again, null removes it',
    body: pushServerBody,
    answer: shownPushServer,
  }),
  registerMobileClient: call({
    method: 'PUT',
    path: '/profile/mobile-clients',
    access: 'signedIn',
    feature: 'mobileApp',
    summary: 'A mobile app makes itself known after sign-in; it takes a seat of the licence and is sent pushes',
    body: mobileClient,
  }),
  removeMobileClient: call({
    method: 'DELETE',
    path: '/profile/mobile-clients/{client_id}',
    access: 'signedIn',
    summary: 'Somebody signs out of a mobile app; its seat is free again',
    params: z.strictObject({ client_id: z.string().min(1).max(255) }),
  }),
} as const;
