import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type MobileSdkBody,
  type PushServerBody,
  type PushServerSettings,
  pushPlace,
  type ShownMobileSdk,
  type ShownPushServer,
} from '#models/mobile.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { seal, unseal } from '../devices/secrets.ts';
import { HttpError, invalidField } from '../http-error.ts';
import { mayBeWritten } from '../integrations/guard.ts';
import { changeBlock, readBlock } from './store.ts';

/** What is told of the mobile SDK. */
export async function shownMobileSdk(db: Db, projectId: string): Promise<ShownMobileSdk> {
  const { value, secretCipher } = await readBlock(db, projectId, 'mobile_sdk');
  return { ...value, has_api_key: secretCipher !== null };
}

/** Changes what is asked of mobile apps. @throws HttpError `invalid_data` where a key is asked for and there is none */
export async function setMobileSdk(services: Services, principal: Principal, { api_key: key, ...patch }: MobileSdkBody): Promise<ShownMobileSdk> {
  await changeBlock(services, principal, 'mobile_sdk', patch, ({ before, after }) => {
    const secretCipher = key === undefined ? before.secretCipher : key && seal(services, key);
    if (after.enabled && secretCipher === null) throw invalidField(['api_key'], 'required');
    return { secretCipher };
  });
  return shownMobileSdk(services.db, principal.projectId);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether what an app shows is the project's API key, or none is asked for. */
export async function isApiKey(services: Pick<Services, 'config'>, db: Db, projectId: string, shown: unknown): Promise<boolean> {
  const { value, secretCipher } = await readBlock(db, projectId, 'mobile_sdk');
  if (!value.enabled) return true;
  if (typeof shown !== 'string' || secretCipher === null) return false;
  return timingSafeEqual(digest(shown), digest(unseal(services, secretCipher)));
}

/** @throws HttpError `forbidden` for an app that does not show the API key the project asks for */
export async function requireApiKey(services: Services, projectId: string, shown: unknown): Promise<void> {
  if (!(await isApiKey(services, services.db, projectId, shown))) throw new HttpError('forbidden');
}

/** What is told of the push server for mobile apps. */
export async function shownPushServer(db: Db, projectId: string): Promise<ShownPushServer> {
  const { value, secretCipher } = await readBlock(db, projectId, 'push_server');
  return { ...value, has_token: secretCipher !== null };
}

/** Changes the push server. It is somewhere in the world: nobody learns by it what answers inside. @throws HttpError `invalid_data` */
export async function setPushServer(services: Services, principal: Principal, { token, ...patch }: PushServerBody): Promise<ShownPushServer> {
  const loopback = services.config.integrationLoopback;
  await changeBlock(services, principal, 'push_server', patch, ({ before, after: { url } }) => {
    if (url !== null && !mayBeWritten(url, loopback, !loopback)) throw invalidField(['url'], 'address_not_allowed');
    if (token !== undefined) return { secretCipher: token && seal(services, token) };
    if (before.secretCipher !== null && url !== null && pushPlace(before.value.url) !== pushPlace(url))
      throw invalidField(['token'], 'password_again');
    return {};
  });
  return shownPushServer(services.db, principal.projectId);
}

/** The push server with its token, for those who send; null where pushes are not sent to apps. */
export async function pushServerOf(
  services: Pick<Services, 'db' | 'config'>,
  projectId: string,
): Promise<{ url: NonNullable<PushServerSettings['url']>; token: string | null } | null> {
  const { value, secretCipher } = await readBlock(services.db, projectId, 'push_server');
  if (!value.enabled || value.url === null) return null;
  return { url: value.url, token: secretCipher === null ? null : unseal(services, secretCipher) };
}
