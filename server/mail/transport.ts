import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { createTransport, type SentMessageInfo, type Transporter } from 'nodemailer';
import type { MailSettings } from '#models/mail-settings.ts';
import type { Config } from '../config.ts';
import { allowedAddress } from '../integrations/guard.ts';
import { reach } from '../integrations/reach.ts';
import { inTime } from './outcome.ts';

/** A mail server that says nothing for so long is given up, ms; and so is one that says something for ever. */
const silence = 15_000;
const longest = 45_000;
const mailgunApi = 'https://api.mailgun.net';
const mostAnswered = 65_536;

/** A mail as it goes out. One that goes out twice does so under the same id, by which mailboxes know it again. */
export interface OutgoingMail {
  messageId: string;
  date: Date;
  to: string;
  subject: string;
  text: string;
  html?: string;
  attachments?: { filename: string; content: Buffer; contentType: string; cid: string }[];
}
/** Hands a mail on; resolves when it was taken, rejects when nothing is known of it or it was refused. */
export type Deliver = (mail: OutgoingMail) => Promise<unknown>;
type Place = Pick<Config, 'mailFrom' | 'mailCa' | 'integrationLoopback'>;
/** A mail server and what opens it. */
export type MailAccount = MailSettings & { password: string | null };

const timeouts = { connectionTimeout: silence, greetingTimeout: silence, socketTimeout: silence, dnsTimeout: silence };
/** Those of the settings come besides the usual ones. */
const trust = ({ mailCa }: Pick<Config, 'mailCa'>): { ca?: string[] } =>
  mailCa === null ? {} : { ca: [...rootCertificates, readFileSync(mailCa, 'utf8')] };

async function sendOnce(transport: Transporter<SentMessageInfo>, mail: OutgoingMail): Promise<unknown> {
  try {
    return await inTime(transport.sendMail(mail), longest);
  } finally {
    transport.close();
  }
}

/** The way out over the mail server of the server's own settings. */
export const deliverByUrl =
  (config: Place, mailUrl: string): Deliver =>
  (mail) =>
    sendOnce(createTransport({ url: mailUrl, ...timeouts, tls: trust(config) }, { from: config.mailFrom }), mail);

const senderOf = ({ from_address, from_name }: MailSettings, config: Place) =>
  from_address === null ? config.mailFrom : { address: from_address, name: from_name ?? '' };

/** The way out over SMTP: encrypted from the first byte (ssl), by STARTTLS or not at all (tls), or in the clear (none). */
function deliverBySmtp(account: MailAccount, config: Place): Deliver {
  const { host, port, username, password, encryption } = account;
  return async (mail) => {
    const named = host ?? '';
    const address = await allowedAddress(named, config.integrationLoopback);
    const transport = createTransport(
      {
        host: address,
        port: port ?? (encryption === 'ssl' ? 465 : 587),
        secure: encryption === 'ssl',
        requireTLS: encryption === 'tls',
        ignoreTLS: encryption === 'none',
        ...(username !== null && password !== null && { auth: { user: username, pass: password } }),
        tls: { ...trust(config), ...(isIP(named) === 0 && { servername: named }), minVersion: 'TLSv1.2' },
        ...timeouts,
      },
      { from: senderOf(account, config) },
    );
    return sendOnce(transport, mail);
  };
}

/** The answer of a mail service, where it was no. */
export class ServiceRefused extends Error {
  readonly status: number;
  constructor(status: number, words: string) {
    super(words);
    this.status = status;
  }
}

/** The way out over Mailgun: the whole message, as it would go over SMTP. */
function deliverByMailgun(account: MailAccount, config: Place): Deliver {
  const { domain, api_url: api, password } = account;
  return async (mail) => {
    const composer = createTransport({ streamTransport: true, buffer: true }, { from: senderOf(account, config) });
    const { message } = (await composer.sendMail(mail)) as unknown as { message: Buffer };
    const edge = `doorward-${mail.messageId.replaceAll(/[^\w-]/g, '')}`;
    const part = (head: string, body: string | Buffer): Buffer =>
      Buffer.concat([Buffer.from(`--${edge}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`), Buffer.from(body), Buffer.from('\r\n')]);
    const body = Buffer.concat([
      part('name="to"', mail.to),
      part('name="message"; filename="message.mime"', message),
      Buffer.from(`--${edge}--\r\n`),
    ]);
    const { status, bytes } = await reach({
      url: `${(api ?? mailgunApi).replace(/\/+$/, '')}/v3/${domain ?? ''}/messages.mime`,
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`api:${password ?? ''}`).toString('base64')}`,
        'content-type': `multipart/form-data; boundary=${edge}`,
      },
      body,
      trust: trust(config),
      timeout: silence,
      mostBytes: mostAnswered,
      loopback: config.integrationLoopback,
      publicly: !config.integrationLoopback,
    });
    if (status !== 200) throw new ServiceRefused(status, wordsOf(status, bytes));
  };
}

/** What the service said: its message where it has one. */
function wordsOf(status: number, bytes: Buffer): string {
  try {
    const { message } = JSON.parse(bytes.toString()) as { message?: unknown };
    if (typeof message === 'string') return `${status} ${message}`;
  } catch {
    // It is no JSON: the status has to do.
  }
  return String(status);
}

/** The way out for a project: its own mail server, else that of the server's settings; null where there is neither. */
export function deliverFor(account: MailAccount, config: Place & Pick<Config, 'mailUrl'>): Deliver | null {
  if (account.type === 'smtp') return deliverBySmtp(account, config);
  if (account.type === 'mailgun') return deliverByMailgun(account, config);
  return config.mailUrl === null ? null : deliverByUrl(config, config.mailUrl);
}
