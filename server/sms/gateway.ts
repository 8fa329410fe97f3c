import { fillSms, headersOf, type SmsReason, type SmsSettings, smsWritten } from '#models/sms.ts';
import type { Config } from '../config.ts';
import { Forbidden } from '../integrations/guard.ts';
import { type Asked, reach } from '../integrations/reach.ts';

/** A gateway that says nothing for so long is given up, ms. */
const silence = 15_000;
const mostAnswered = 65_536;
const longestWords = 300;
const contentTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded', text: 'text/plain; charset=utf-8' } as const;

/** A gateway and what opens it. */
export type SmsAccount = SmsSettings & { secret: string | null };
export interface Sms {
  phone: string;
  text: string;
}
/** What became of handing one over. `again`: it was certainly not taken, and may be tried once more. */
export interface SmsResult {
  reason: SmsReason | null;
  words: string | null;
  again: boolean;
  /** The gateway's own word on when, ms. */
  after: number | null;
}

type Request = Pick<Asked, 'url' | 'method' | 'headers' | 'body'>;

/** The request as the project composed it. */
export function smsRequest({ method, url, headers, body_kind, body, secret }: SmsAccount, { phone, text }: Sms): Request {
  const values = { phone, text, secret: secret ?? '' };
  const hasBody = method !== 'GET' && body !== null;
  return {
    method,
    url: fillSms(url ?? '', { phone, text }, encodeURIComponent),
    headers: {
      ...(hasBody && { 'content-type': contentTypes[body_kind] }),
      // A header ends with its line, whatever was typed as the secret.
      ...Object.fromEntries(headersOf(headers).map(([name, value]) => [name, fillSms(value, values, (one) => one.replaceAll(/[^\x20-\x7e]/g, ''))])),
    },
    ...(hasBody && { body: fillSms(body, values, smsWritten[body_kind]) }),
  };
}

const taken: SmsResult = { reason: null, words: null, again: false, after: null };

/** What the gateway said, on one line; should it repeat the secret, that is left out. */
function wordsOf(status: number, bytes: Buffer, secret: string | null): string {
  const said = bytes
    .toString('utf8')
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  const clean = secret === null || secret === '' ? said : said.replaceAll(secret, '***');
  return `${status} ${Array.from(clean).slice(0, longestWords).join('')}`.trim();
}

function ofError(error: unknown): SmsResult {
  if (error instanceof Forbidden) return { reason: 'address_not_allowed', words: null, again: false, after: null };
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  const isUnreached =
    ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code) || /certificate|\bssl\b|\btls\b/i.test(message);
  if (isUnreached) return { reason: 'sms_unreachable', words: code || message.slice(0, longestWords), again: true, after: null };
  // It may have been taken before the line broke: a second one would be one too many.
  return { reason: 'sms_unknown', words: code || message.slice(0, longestWords), again: false, after: null };
}

/** Hands a text message over, once. */
export async function handOver(account: SmsAccount, config: Pick<Config, 'integrationLoopback'>, sms: Sms, signal?: AbortSignal): Promise<SmsResult> {
  const { success, success_text: sign, secret } = account;
  try {
    const { status, bytes, headers } = await reach({
      ...smsRequest(account, sms),
      timeout: silence,
      mostBytes: mostAnswered,
      loopback: config.integrationLoopback,
      publicly: !config.integrationLoopback,
      signal,
    });
    const isTaken = status >= 200 && status < 300 && (success === 'status' || bytes.toString('utf8').includes(sign ?? ''));
    if (isTaken) return taken;
    const words = wordsOf(status, bytes, secret);
    const seconds = Number(headers['retry-after'] ?? Number.NaN);
    if (status === 429 || status >= 500)
      return { reason: 'sms_later', words, again: true, after: Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null };
    return { reason: 'sms_refused', words, again: false, after: null };
  } catch (error) {
    return ofError(error);
  }
}
