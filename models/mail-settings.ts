import { z } from 'zod';
import { choice, email, optionalText, rule, secret, wholeNumber } from './rules.ts';
import { host, webAddress } from './web-address.ts';

export const mailTypes = ['none', 'smtp', 'mailgun'] as const;
/** tls: encrypted by STARTTLS, or nothing is sent; ssl: encrypted from the first byte. */
export const mailEncryptions = ['none', 'tls', 'ssl'] as const;
const mailFields = {
  type: choice(mailTypes),
  host: host().nullable(),
  port: wholeNumber(1, 65_535).nullable(),
  username: optionalText(255),
  from_address: email().nullable(),
  from_name: optionalText(64),
  encryption: choice(mailEncryptions),
  /** Mailgun: the domain that sends, and the address of its API. */
  domain: host().nullable(),
  api_url: webAddress().nullable(),
};
const missing = (field: string) => ({ ...rule('required'), path: [field] });
/** How mails of the project leave (FIELD-62); its password, or the key of the API, is kept apart and never read back. */
export const mailSettings = z
  .strictObject(mailFields)
  .refine(({ type, host: at }) => type !== 'smtp' || at !== null, missing('host'))
  .refine(({ type, port }) => type !== 'smtp' || port !== null, missing('port'))
  .refine(({ type, from_address: from }) => type === 'none' || from !== null, missing('from_address'))
  .refine(({ type, domain }) => type !== 'mailgun' || domain !== null, missing('domain'));
export type MailSettings = z.infer<typeof mailSettings>;
/** What, once changed, asks for the password again: it must not travel to a place for which nobody gave it. */
export const mailPlace = ['type', 'host', 'port', 'encryption', 'domain', 'api_url'] as const satisfies readonly (keyof MailSettings)[];
/** Until somebody sets it up. */
export const mailInitial: MailSettings = {
  type: 'none',
  host: null,
  port: null,
  username: null,
  from_address: null,
  from_name: null,
  encryption: 'tls',
  domain: null,
  api_url: null,
};

/** What is told of it. */
export const shownMail = z.strictObject({ ...mailFields, has_password: z.boolean() });
export type ShownMail = z.infer<typeof shownMail>;

const password = secret(255).nullable();
/** The settings of a mail server with the password typed for them; without one, the stored password counts where it was given for this server. */
export const mailBody = z.strictObject({ ...mailFields, password: password.optional() }).partial();
export type MailBody = z.input<typeof mailBody>;
