import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { calls } from '#models/api.ts';
import type { Locale } from '#models/constants.ts';
import type { MailOutcome } from '#models/mail.ts';
import { fillText, mailTypeIds, mailTypes, templateIssues } from '#models/mail-templates.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { HttpError } from '#server/http-error.ts';
import '#server/announces/letter.ts';
import '#server/mail/device-letters.ts';
import { attachmentsOf } from '#server/mail/attachment.ts';
import { builtIn, compose, type WrittenMail } from '#server/mail/letters.ts';
import { mailFailureOf } from '#server/mail/outcome.ts';
import { deliverFor } from '#server/mail/transport.ts';
import { serve } from '#server/serve.ts';
import { linkBase } from '#server/settings/general.ts';
import { mailAccount } from '#server/settings/mail.ts';
import { projectSettings } from '#server/settings/store.ts';
import { requireTemplatePlace } from './rules.ts';

type Draft = z.output<(typeof calls)['previewMail']['body']>;

const people: Record<Locale, Record<string, string>> = {
  en: {
    name: 'Anna Example',
    host: 'Anna Example',
    device: 'Main entrance',
    group: 'Tower B',
    error: 'no answer',
    object: 'Tower B, 22',
    sender: 'Tower B management',
    title: 'Water off on Thursday',
    text: 'The water is off from 9 to 11.',
    message: '',
  },
  ru: {
    name: 'Анна Примерова',
    host: 'Анна Примерова',
    device: 'Главный вход',
    group: 'Башня Б',
    error: 'нет ответа',
    object: 'Башня Б, 22',
    sender: 'Управляющая башни Б',
    title: 'В четверг отключат воду',
    text: 'Воды не будет с 9 до 11 часов.',
    message: '',
  },
};

/** What stands for the words of a template in a preview. */
async function examples(services: Services, principal: Principal, locale: Locale): Promise<Record<string, string>> {
  const console = await linkBase(services.db, services, principal.projectId);
  const { general } = await projectSettings(services.db, principal.projectId);
  return {
    ...people[locale],
    login: 'anna',
    email: 'anna@example.org',
    code: '123456',
    project: general.name,
    when: '2026-01-31 09:00',
    place: '203.0.113.7',
    until: '2026-01-31 18:00',
    console,
    link: `${console}/example`,
  };
}

/** A mail as a draft of a template would have it. @throws HttpError `forbidden`, `invalid_data` */
async function previewed(
  services: Services,
  principal: Principal,
  { mail_type_id: type, locale, domain_id, subject, body }: Draft,
): Promise<WrittenMail> {
  await requireTemplatePlace(services.db, principal, domain_id);
  const issues = templateIssues({ mail_type_id: type, subject, body });
  if (issues.length > 0) throw new HttpError('invalid_data', { issues });
  const place = { projectId: principal.projectId, groupIds: domain_id === null ? [] : [domain_id] };
  return compose(services.db, place, { type, locale, values: await examples(services, principal, locale), template: { subject, body } });
}

/** Sends a preview at once. @throws HttpError `invalid_data` where there is no mail server */
async function sendPreview(services: Services, principal: Principal, { email: to, ...draft }: Draft & { email: string }): Promise<MailOutcome> {
  const { subject, text, html, look } = await previewed(services, principal, draft);
  const deliver = deliverFor(await mailAccount(services, principal.projectId), services.config);
  if (!deliver) throw new HttpError('invalid_data', { issues: [{ path: ['email'], rule: 'no_mail_server', params: {} }] });
  const changes = { email: { before: null, after: to } };
  await audit(services.db, principal, { area: 'mail-templates', action: 'mail_sent', entityName: subject, changes }, services.now());
  const messageId = `<${randomUUID()}@${new URL(services.config.publicUrl).hostname}>`;
  try {
    await deliver({
      messageId,
      date: services.now(),
      to,
      subject,
      text,
      html,
      ...(await attachmentsOf(services, { html, logoFile: look.logoFile })),
    });
    return { delivered: true, reason: null, words: null };
  } catch (error) {
    const { reason, words } = mailFailureOf(error);
    return { delivered: false, reason, words };
  }
}

/** What templates are besides rows: their types, and how they will look. */
export function serveMailTemplates(app: FastifyInstance, services: Services): void {
  const plain = (text: string): string => fillText(text, { product: 'Doorward' });
  serve(app, services, calls.mailTypes, () =>
    mailTypeIds.map((id) => {
      const { placeholders, required } = mailTypes[id];
      const text = (locale: Locale) => {
        const { subject, body } = builtIn(id, locale);
        return { subject: plain(subject), body: plain(body) };
      };
      return { id, placeholders: [...placeholders], required: [...required], texts: { en: text('en'), ru: text('ru') } };
    }),
  );
  serve(app, services, calls.previewMail, async ({ principal, body }) => {
    const { subject, text, html } = await previewed(services, principal, body);
    return { subject, text, html };
  });
  serve(app, services, calls.sendMailPreview, ({ principal, body }) => sendPreview(services, principal, body));
}
