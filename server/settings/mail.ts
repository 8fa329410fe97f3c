import { mailPlace, type MailSettings, type ShownMail } from '#models/mail-settings.ts';
import type { Principal, Services } from '../context.ts';
import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { mails } from '../db/schema/index.ts';
import { seal, unseal } from '../devices/secrets.ts';
import { HttpError, invalidField } from '../http-error.ts';
import { mayBeNamed, mayBeWritten } from '../integrations/guard.ts';
import { changeBlock, type Patch, readBlock } from './store.ts';

/** What is told of a project's mail server. */
export async function shownMail(db: Db, projectId: string): Promise<ShownMail> {
  const { value, secretCipher } = await readBlock(db, projectId, 'mail');
  return { ...value, has_password: secretCipher !== null };
}

/** A password goes where it was meant to go: for another server it is typed again. @throws HttpError `invalid_data` */
function requireSamePlace(before: MailSettings, after: MailSettings): void {
  if (after.type === 'none' || mailPlace.every((field) => before[field] === after[field])) return;
  throw new HttpError('invalid_data', { issues: [{ path: ['password'], rule: 'password_again', params: {} }] });
}

/** A mail server may stand in the house, but not be this machine; the API of a mail service is somewhere in the world. @throws HttpError `invalid_data` */
function requireAllowed({ type, host, api_url: api }: MailSettings, { config }: Pick<Services, 'config'>): void {
  const loopback = config.integrationLoopback;
  if (type === 'smtp' && host !== null && !mayBeNamed(host, loopback)) throw invalidField(['host'], 'address_not_allowed');
  if (type === 'mailgun' && api !== null && !mayBeWritten(api, loopback, !loopback)) throw invalidField(['api_url'], 'address_not_allowed');
}

export type MailPatch = Patch<MailSettings & { password: string | null }>;

/** Changes the mail server; mails that wait for their next try have it at once. @throws HttpError `invalid_data` where the stored password would go to another server */
export async function setMail(services: Services, principal: Principal, { password, ...patch }: MailPatch): Promise<ShownMail> {
  await changeBlock(services, principal, 'mail', patch, async ({ tx, before, after }) => {
    requireAllowed(after, services);
    const unsent = and(eq(mails.projectId, principal.projectId), isNull(mails.sentAt), isNull(mails.failedAt));
    // What was kept while there was no mail server does not surprise people weeks later.
    if (before.value.type === 'none' && after.type !== 'none' && services.config.mailUrl === null)
      await tx
        .update(mails)
        .set({ failedAt: services.now(), claimedUntil: null })
        .where(and(unsent, eq(mails.attempts, 0)));
    await tx
      .update(mails)
      .set({ claimedUntil: null })
      .where(and(unsent, gt(mails.attempts, 0)));
    if (password !== undefined) return { secretCipher: password === null ? null : seal(services, password) };
    if (before.secretCipher !== null) requireSamePlace(before.value, after);
    return {};
  });
  return shownMail(services.db, principal.projectId);
}

/** Whether mails of a project can go out at all: until then they wait. */
export const hasMailServer = async ({ db, config }: Pick<Services, 'db' | 'config'>, projectId: string): Promise<boolean> =>
  config.mailUrl !== null || (await readBlock(db, projectId, 'mail')).value.type !== 'none';

/** The mail server of a project with its password, for the post alone. */
export async function mailAccount(services: Pick<Services, 'db' | 'config'>, projectId: string): Promise<MailSettings & { password: string | null }> {
  const { value, secretCipher } = await readBlock(services.db, projectId, 'mail');
  return { ...value, password: secretCipher === null ? null : unseal(services, secretCipher) };
}
