import type { IncomingCall } from '#machines/phone/ports.ts';
import type { SosMark } from '#machines/phone/types.ts';
import { dialable, sipHeaders } from '#models/sip.ts';
import type { Session, SipMessage } from './jssip-parts.ts';

interface Deps {
  /** A fresh uuid, for a server that sends no speech id. */
  freshId: () => string;
  now: () => number;
  warn: (what: string, error: unknown) => void;
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const yes = /^(?:1|true|yes)$/i;
const no = /^(?:0|false|no|)$/i;

/** Reads the SOS header (clauses SIP-06, SIP-07): what cannot be read is only logged, and the call is marked as unclear rather than plain. */
export function sosOf(message: Pick<SipMessage, 'getHeader'>, warn: Deps['warn']): SosMark {
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

const nameAddr = /^\s*(?:"((?:[^"\\]|\\.)*)"|([^<"]*?))\s*<sips?:([^@;>]+)/i;

/** Whom one talks with by now, as a request within a call says it (RFC 3325), and that call's speech id; null where it names nobody that can be dialled. */
export function readPeer(message: Pick<SipMessage, 'getHeader'>): { number: string; name: string | null; speechId: string | null } | null {
  const [, quoted, plain, user] = nameAddr.exec(message.getHeader(sipHeaders.assertedIdentity) ?? '') ?? [];
  const number = user?.replaceAll(/%23/g, '#') ?? '';
  if (!dialable.test(number)) return null;
  const speechId = message.getHeader(sipHeaders.speechId)?.trim().toLowerCase() ?? '';
  return { number, name: quoted?.replaceAll(/\\(.)/g, '$1') || plain || null, speechId: uuid.test(speechId) ? speechId : null };
}

/** A picture is offered: a line for video with a port and a direction in which it comes to us. */
export const offersVideo = (sdp: string | null): boolean =>
  (sdp ?? '').split(/\r?\n(?=m=)/).some((part) => /^m=video [1-9]/.test(part) && !/^a=(?:inactive|recvonly)/m.test(part));

/** What an INVITE says of its call (clause SIP-06). */
export function readIncoming(sipId: string, session: Session, message: SipMessage, { freshId, now, warn }: Deps): IncomingCall {
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
