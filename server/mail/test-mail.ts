import { randomUUID } from 'node:crypto';
import type { MailOutcome } from '#models/mail.ts';
import { fillText } from '#models/mail-templates.ts';
import { mailPlace, mailSettings } from '#models/mail-settings.ts';
import { toIssues } from '#models/issues.ts';
import { audit } from '../audit.ts';
import type { Principal, Services } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { type MailPatch, mailAccount } from '../settings/mail.ts';
import { attachmentsOf } from './attachment.ts';
import { asHtml } from './html.ts';
import { lookAt } from './look.ts';
import { mailFailureOf } from './outcome.ts';
import { deliverFor, type MailAccount } from './transport.ts';

const text = {
  en: {
    subject: '{{product}} test e-mail',
    body: 'This is a test e-mail. If you can read it, your mail settings work.\n',
  },
  ru: {
    subject: 'Проверочное письмо {{product}}',
    body: 'Это проверочное письмо. Если вы его читаете, настройки почты работают.\n',
  },
} as const;

/** The settings as they were sent, with the stored password where it was given for the same server. @throws HttpError `invalid_data` */
async function accountOf(services: Services, projectId: string, { password, ...typed }: MailPatch): Promise<MailAccount> {
  const stored = await mailAccount(services, projectId);
  const { password: storedPassword, ...before } = stored;
  const read = mailSettings.safeParse({ ...before, ...typed });
  if (!read.success) throw new HttpError('invalid_data', { issues: toIssues(read.error) });
  const isSame = mailPlace.every((field) => read.data[field] === before[field]);
  return { ...read.data, password: password === undefined ? (isSame ? storedPassword : null) : password };
}

/** Sends a test mail at once, past the outbox, and answers what the mail server said. */
export async function sendTestMail(services: Services, principal: Principal, to: string, settings: MailPatch): Promise<MailOutcome> {
  const account = await accountOf(services, principal.projectId, settings);
  const deliver = deliverFor(account, services.config);
  if (!deliver) throw new HttpError('invalid_data', { issues: [{ path: ['type'], rule: 'no_mail_server', params: {} }] });
  const changes = { email: { before: null, after: to } };
  await audit(services.db, principal, { area: 'project-settings', action: 'mail_sent', changes }, services.now());
  const look = await lookAt(services.db, { projectId: principal.projectId, groupIds: [] });
  const { subject, body } = text[principal.locale];
  const mail = { to, subject: fillText(subject, { product: look.name }), text: body, html: asHtml(body, look) };
  const host = new URL(services.config.publicUrl).hostname;
  try {
    await deliver({
      messageId: `<${randomUUID()}@${host}>`,
      date: services.now(),
      ...mail,
      ...(await attachmentsOf(services, { html: mail.html, logoFile: look.logoFile })),
    });
    return { delivered: true, reason: null, words: null };
  } catch (error) {
    const { reason, words } = mailFailureOf(error);
    return { delivered: false, reason, words };
  }
}
