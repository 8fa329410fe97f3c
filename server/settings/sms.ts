import { toIssues } from '#models/issues.ts';
import { type ShownSms, type SmsOutcome, smsPlace, type SmsSettings, smsSettings } from '#models/sms.ts';
import { audit } from '../audit.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { seal, unseal } from '../devices/secrets.ts';
import { HttpError, invalidField } from '../http-error.ts';
import { mayBeWritten } from '../integrations/guard.ts';
import { handOver, type SmsAccount } from '../sms/gateway.ts';
import { changeBlock, type Patch, readBlock } from './store.ts';

/** What is told of a project's SMS gateway. */
export async function shownSms(db: Db, projectId: string): Promise<ShownSms> {
  const { value, secretCipher } = await readBlock(db, projectId, 'sms');
  return { ...value, has_secret: secretCipher !== null };
}

export type SmsPatch = Patch<SmsSettings & { secret: string | null }>;

/** The gateway is somewhere in the world, not in the house: nobody learns by it what answers inside. @throws HttpError `invalid_data` */
function requirePublic({ type, url }: SmsSettings, { config }: Pick<Services, 'config'>): void {
  const loopback = config.integrationLoopback;
  if (type !== 'none' && url !== null && !mayBeWritten(url, loopback, !loopback)) throw invalidField(['url'], 'address_not_allowed');
}

/** Changes the gateway. @throws HttpError `invalid_data` where the stored secret would go to another server */
export async function setSms(services: Services, principal: Principal, { secret, ...patch }: SmsPatch): Promise<ShownSms> {
  await changeBlock(services, principal, 'sms', patch, ({ before, after }) => {
    requirePublic(after, services);
    if (secret !== undefined) return { secretCipher: secret === null ? null : seal(services, secret) };
    const isElsewhere = after.type !== 'none' && smsPlace(before.value.url) !== smsPlace(after.url);
    if (before.secretCipher !== null && isElsewhere) throw invalidField(['secret'], 'password_again');
    return {};
  });
  return shownSms(services.db, principal.projectId);
}

/** The gateway of a project with its secret, for those who send; null where there is none. */
export async function smsAccount(services: Pick<Services, 'db' | 'config'>, projectId: string): Promise<SmsAccount | null> {
  const { value, secretCipher } = await readBlock(services.db, projectId, 'sms');
  return value.type === 'none' ? null : { ...value, secret: secretCipher === null ? null : unseal(services, secretCipher) };
}

/** May text messages of a project leave? */
export const hasSmsGateway = async (db: Db, projectId: string): Promise<boolean> => (await readBlock(db, projectId, 'sms')).value.type !== 'none';

const text = { en: 'Test message. Your SMS settings work.', ru: 'Проверочное сообщение. Настройки SMS работают.' } as const;

/** Sends a test message at once through the settings as they were sent, and answers what the gateway said. */
export async function sendTestSms(services: Services, principal: Principal, phone: string, { secret, ...typed }: SmsPatch): Promise<SmsOutcome> {
  const { value: before, secretCipher } = await readBlock(services.db, principal.projectId, 'sms');
  const read = smsSettings.safeParse({ ...before, ...typed });
  if (!read.success) throw new HttpError('invalid_data', { issues: toIssues(read.error) });
  if (read.data.type === 'none') throw invalidField(['type'], 'no_sms_gateway');
  requirePublic(read.data, services);
  const isSame = smsPlace(before.url) === smsPlace(read.data.url);
  const stored = isSame && secretCipher !== null ? unseal(services, secretCipher) : null;
  const changes = { phone: { before: null, after: phone } };
  await audit(services.db, principal, { area: 'project-settings', action: 'sms_sent', changes }, services.now());
  const account = { ...read.data, secret: secret === undefined ? stored : secret };
  const { reason, words } = await handOver(account, services.config, { phone, text: text[principal.locale] });
  return { delivered: reason === null, reason, words };
}
