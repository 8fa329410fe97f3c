import { z } from 'zod';
import { locales } from './constants.ts';
import { call } from './define-call.ts';
import { longCalls } from './long-calls.ts';
import { mailOutcome } from './mail.ts';
import { mailText, mailTypeIds } from './mail-templates.ts';
import { choice, email, ref } from './rules.ts';

const templateText = z.strictObject({ subject: z.string(), body: z.string() });
const typeShown = z.strictObject({
  id: choice(mailTypeIds),
  placeholders: z.array(z.string()),
  required: z.array(z.string()),
  /** What is written where nothing else was chosen, by language. */
  texts: z.strictObject({ en: templateText, ru: templateText }),
});
const draft = z.strictObject({ mail_type_id: choice(mailTypeIds), locale: choice(locales), domain_id: ref('groups').nullable(), ...mailText });
const preview = z.strictObject({ subject: z.string(), text: z.string(), html: z.string() });

const view = { area: 'mail-templates', verb: 'view' } as const;
const create = { area: 'mail-templates', verb: 'create' } as const;

/** What templates are besides rows (COMM-07). */
export const mailTemplateCalls = {
  mailTypes: call({
    method: 'GET',
    path: '/mail-templates/types',
    access: view,
    summary: 'The types of e-mails, what their templates can name and must name, and their built-in texts',
    answer: z.array(typeShown),
  }),
  previewMail: call({
    method: 'POST',
    reads: true,
    path: '/mail-templates/preview',
    access: create,
    summary: 'An e-mail as this template would have it, with examples for what it names; nothing is stored',
    body: draft,
    answer: preview,
  }),
  sendMailPreview: call({
    method: 'POST',
    path: '/mail-templates/preview/send',
    access: create,
    summary: 'Send the preview of a template; answers what the mail server said',
    body: draft.extend({ email: email() }),
    answer: mailOutcome,
    timeout: longCalls.sendMailPreview,
  }),
} as const;
