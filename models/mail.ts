import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { longCalls } from './long-calls.ts';
import { email } from './rules.ts';
import { mailBody } from './mail-settings.ts';

/** Why a mail was not taken: what a person would have to put right, or that time alone does. */
export const mailReasons = ['unreachable', 'timeout', 'encryption', 'password', 'later', 'refused', 'address_not_allowed', 'interrupted'] as const;
export type MailReason = (typeof mailReasons)[number];

/** kept: there is no mail server to send it; waiting: it is tried (again); failed: given up. */
export const mailStates = ['kept', 'waiting', 'sent', 'failed'] as const;

/** A mail that was written to somebody, and what became of it. What it says is told in the demo alone: it may open an account. */
export const mail = z.strictObject({
  id: z.uuid(),
  recipient: z.string(),
  subject: z.string(),
  body: z.string().nullable(),
  created_at: z.iso.datetime(),
  state: z.enum(mailStates),
  attempts: z.int(),
  tried_at: z.iso.datetime().nullable(),
  sent_at: z.iso.datetime().nullable(),
  /** When it is tried again. */
  next_at: z.iso.datetime().nullable(),
  reason: z.enum(mailReasons).nullable(),
  /** What the mail server said last, in its own words. */
  words: z.string().nullable(),
});
export type Mail = z.infer<typeof mail>;

/** How sending a test mail ended. */
export const mailOutcome = z.strictObject({ delivered: z.boolean(), reason: z.enum(mailReasons).nullable(), words: z.string().nullable() });
export type MailOutcome = z.infer<typeof mailOutcome>;

const seesMails = { codes: ['can_view_system_info'], about: 'mails' } as const;

/** Mails that were written, and whether the mail server takes them. */
export const mailCalls = {
  mails: call({
    method: 'GET',
    path: '/mails',
    access: seesMails,
    summary: 'The last 50 e-mails to users that the user manages, newest first, and what became of them; their text in the demo only',
    answer: z.array(mail),
  }),
  retryMail: call({
    method: 'POST',
    path: '/mails/{id}/retry',
    access: seesMails,
    summary: 'Send an e-mail again that was not taken',
    params: byId,
    answer: mail,
  }),
  testMail: call({
    method: 'POST',
    path: '/project-settings/mail/test',
    access: { codes: ['can_change_project_settings'], about: 'project-settings' },
    summary: 'Send a test e-mail through these settings, saved or not; answers what the mail server said',
    body: z.strictObject({ email: email(), mail_settings: mailBody }),
    answer: mailOutcome,
    timeout: longCalls.testMail,
  }),
} as const;
