import type { MailReason } from '#models/mail.ts';
import { Forbidden } from '../integrations/guard.ts';

const longestWords = 500;
class Late extends Error {}

/** Work that is given up after so long. */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Late('no answer in time')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

/** Why a mail was not taken, in the mail server's own words, and whether trying again can help. */
export interface MailFailure {
  reason: MailReason;
  words: string;
  final: boolean;
}
interface Failure {
  code?: string;
  response?: string;
  responseCode?: number;
  status?: number;
  message?: string;
}

/** The mail itself was refused, by whom it is to or what it says. */
const aboutMail = new Set(['EENVELOPE', 'EMESSAGE']);
const slow = new Set(['ETIMEDOUT', 'ESOCKETTIMEDOUT']);
const encryption = /certificate|self.signed|\bssl\b|\btls\b|starttls|wrong version number/i;

/** What a mail service means by its status: 401 and 403 are about the key, 429 and 5xx pass, the rest is about the mail. */
function ofStatus(status: number): MailReason {
  if (status === 401 || status === 403) return 'password';
  return status === 429 || status >= 500 ? 'later' : 'refused';
}

function reasonOf(error: unknown): MailReason {
  if (error instanceof Forbidden) return 'address_not_allowed';
  if (error instanceof Late) return 'timeout';
  const { code = '', responseCode, status, message = '' } = (error ?? {}) as Failure;
  if (status !== undefined) return ofStatus(status);
  if (code === 'ETLS') return 'encryption';
  // 530: it wants a password first.
  if (responseCode === 530 || (code === 'EAUTH' && responseCode !== undefined && responseCode >= 500)) return 'password';
  if (responseCode !== undefined && responseCode >= 400) return responseCode >= 500 && aboutMail.has(code) ? 'refused' : 'later';
  if (slow.has(code) || /timeout|no answer in time/i.test(message)) return 'timeout';
  if (encryption.test(message)) return 'encryption';
  if (code === 'EAUTH') return 'password';
  return 'unreachable';
}

/** What came of handing a mail on. A refusal of the mail itself is final; a mail server that is not reached, or not let in to, is not. */
export function mailFailureOf(error: unknown): MailFailure {
  const { response, message = '' } = (error ?? {}) as Failure;
  const reason = reasonOf(error);
  return { reason, words: (response ?? message).replaceAll(/\s+/g, ' ').trim().slice(0, longestWords), final: reason === 'refused' };
}

/** Whether the mail server may have taken a mail all the same: it was reached, and did not say no. */
export function mayHaveArrived(error: unknown): boolean {
  const { code = '', command, responseCode, status } = (error ?? {}) as Failure & { command?: string };
  const isRefused = responseCode !== undefined || (status !== undefined && status < 500);
  const isUnreached = command === 'CONN' || ['ECONNREFUSED', 'ENOTFOUND', 'EDNS', 'ETLS', 'EAUTH'].includes(code) || error instanceof Forbidden;
  return !isRefused && !isUnreached;
}

const minute = 60_000;
const waits = [10_000, minute, 5 * minute, 15 * minute, 60 * minute, 3 * 60 * minute];
/** So long a mail is tried. */
export const triedFor = 3 * 24 * 60 * minute;
/** How long to wait after so many tries, ms. */
export const waitAfter = (attempts: number): number => waits[Math.min(attempts, waits.length) - 1] ?? 10_000;
