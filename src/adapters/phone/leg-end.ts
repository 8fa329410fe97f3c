import type { LegEnd } from '#machines/phone/ports.ts';
import type { Ended } from './jssip-parts.ts';

/** JsSIP's words for an end, by what they mean here; words that are not there are told apart by the message that came. */
const causes: Readonly<Record<string, LegEnd['cause']>> = {
  Terminated: 'bye',
  Canceled: 'cancelled',
  'Request Timeout': 'timeout',
  'No ACK': 'timeout',
  'No Answer': 'timeout',
  Expires: 'timeout',
  'Connection Error': 'transport',
  'RTP Timeout': 'media',
  'WebRTC Error': 'media',
  'User Denied Media Access': 'media',
  'Bad Media Description': 'media',
  'Missing SDP': 'media',
  'Internal Error': 'media',
};
const completed = 200;
const elsewhere = /\b(?:elsewhere|answered by)\b/i;

/** Code and text of a Reason header (RFC 3326): `SIP;cause=200;text="Call completed elsewhere"`. */
function reasonOf(header: string | undefined): { cause: number | null; text: string } {
  const cause = header?.match(/\bcause\s*=\s*(\d{3})/i)?.[1];
  return { cause: cause === undefined ? null : Number(cause), text: header?.match(/\btext\s*=\s*"([^"]*)"/i)?.[1] ?? '' };
}

/** How JsSIP says a leg ended, in the words of the house; who took the call where the Reason header names a number. */
export function legEndOf({ originator, message, cause }: Ended): LegEnd {
  const reason = reasonOf(message?.getHeader('Reason'));
  const status = message?.status_code ?? null;
  const takenBy = reason.text.match(/\bby (\+?[\d*#]+)/i)?.[1] ?? null;
  const by = originator === 'local' ? 'us' : 'them';
  // A call that ends in peace may say 200 too; one that only rang is cancelled with it when somebody else has it.
  const isElsewhere = reason.cause === completed && (cause !== 'Terminated' || elsewhere.test(reason.text));
  if (by === 'them' && isElsewhere) return { by, cause: 'answeredElsewhere', status, takenBy };
  if (status !== null && status >= 300) return { by, cause: 'refused', status, takenBy };
  return { by, cause: causes[cause] ?? 'bye', status: null, takenBy };
}
