import { mailPlace, type MailSettings, type ShownMail } from '#models/project-settings.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { seal, unseal } from '../devices/secrets.ts';
import { HttpError } from '../http-error.ts';
import { changeBlock, type Patch, readBlock } from './store.ts';

/** What is told of a project's mail server. */
export async function shownMail(db: Db, projectId: string): Promise<ShownMail> {
  const { value, secretCipher } = await readBlock(db, projectId, 'mail');
  return { ...value, has_password: secretCipher !== null };
}

/** A password goes where it was meant to go: for another server it is typed again. @throws HttpError `invalid_data` */
function demandSamePlace(before: MailSettings, after: MailSettings): void {
  if (after.type === 'none' || mailPlace.every((field) => before[field] === after[field])) return;
  throw new HttpError('invalid_data', { issues: [{ path: ['password'], rule: 'password_again', params: {} }] });
}

export type MailPatch = Patch<MailSettings & { password: string | null }>;

/** Changes the mail server. @throws HttpError `invalid_data` where the stored password would go to another server */
export async function setMail(services: Services, principal: Principal, { password, ...patch }: MailPatch): Promise<ShownMail> {
  await changeBlock(services, principal, 'mail', patch, ({ before, after }) => {
    if (password !== undefined) return { secretCipher: password === null ? null : seal(services, password) };
    if (before.secretCipher !== null) demandSamePlace(before.value, after);
    return {};
  });
  return shownMail(services.db, principal.projectId);
}

/** The mail server of a project with its password, for the post alone. */
export async function mailAccount(services: Pick<Services, 'db' | 'config'>, projectId: string): Promise<MailSettings & { password: string | null }> {
  const { value, secretCipher } = await readBlock(services.db, projectId, 'mail');
  return { ...value, password: secretCipher === null ? null : unseal(services, secretCipher) };
}
