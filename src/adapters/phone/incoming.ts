import type { IncomingCall } from '#machines/phone/ports.ts';
import type { SosMark } from '#machines/phone/words.ts';
import { sipHeaders } from '#models/sip.ts';
import type { Session, SipMessage } from './jssip-parts.ts';

interface Around {
  /** A fresh uuid, for a server that sends no speech id. */
  freshId: () => string;
  now: () => number;
  warn: (what: string, error: unknown) => void;
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const yes = /^(?:1|true|yes)$/i;
const no = /^(?:0|false|no|)$/i;

/** Reads the SOS header (clauses SIP-06, SIP-07): what cannot be read is only logged, and the call is marked as unclear rather than plain. */
export function sosOf(message: Pick<SipMessage, 'getHeader'>, warn: Around['warn']): SosMark {
  try {
    const value = message.getHeader(sipHeaders.sosCall);
    if (value === undefined || no.test(value.trim())) return 'no';
    if (yes.test(value.trim())) return 'yes';
    warn('the SOS header of a call could not be read', value);
  } catch (error) {
    warn('the SOS header of a call could not be read', error);
  }
  return 'unclear';
}

/** A picture is offered: a line for video with a port and a direction in which it comes to us. */
const offersVideo = (sdp: string | null): boolean =>
  (sdp ?? '').split(/\r?\n(?=m=)/).some((part) => /^m=video [1-9]/.test(part) && !/^a=(?:inactive|recvonly)/m.test(part));

/** What an INVITE says of its call (clause SIP-06). */
export function readIncoming(sipId: string, session: Session, message: SipMessage, { freshId, now, warn }: Around): IncomingCall {
  const { uri, display_name: name } = session.remote_identity;
  const speechId = message.getHeader(sipHeaders.speechId)?.trim() ?? '';
  return {
    sipId,
    speechId: uuid.test(speechId) ? speechId.toLowerCase() : freshId(),
    number: uri.user,
    name: name || null,
    callee: message.getHeader(sipHeaders.targetCallee)?.trim() || (message.getHeader('To')?.match(/sips?:([^@;>]+)/)?.[1] ?? ''),
    type: message.getHeader(sipHeaders.speechType)?.trim() === 'awaiting' ? 'awaiting' : 'normal',
    sos: sosOf(message, warn),
    video: offersVideo(message.body),
    at: now(),
  };
}
