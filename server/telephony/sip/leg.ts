import type { Trunk } from './trunk.ts';

/** One end of talk: a number and the name shown with it. */
export interface Party {
  number: string;
  name: string | null;
}

/** Who is at the other end of a call by now, after a transfer, and the call's own speech id. */
export interface Peer extends Party {
  speechId: string;
}

/** Why a leg ended; one that is `cancelled` never became talk. `status`: the SIP status of a refusal; `reason`: the text of a Reason header, made safe. */
export interface LegEnd {
  by: 'us' | 'them' | 'lost';
  cause: 'bye' | 'cancelled' | 'refused' | 'timeout' | 'transport' | 'answered-elsewhere' | 'failed';
  status: number | null;
  reason: string | null;
}

/** What happens on a leg. */
export type LegEvent =
  /** An outgoing leg rings (180) or has early media (183). */
  | { type: 'progress'; status: number; sdp: string | null }
  /**
   * An outgoing leg was answered; its ACK is sent by the stack. Of an incoming leg that wanted our offer (`Invite.sdp` null):
   * the far side's answer came with its ACK, just before `confirmed`.
   */
  | { type: 'answered'; sdp: string | null }
  /** Both sides know that there is talk: the ACK of our 200 came, or ours was sent. */
  | { type: 'confirmed' }
  /** The far side offers anew (re-INVITE or UPDATE): hold, resume, restart of ICE. Answered once by `accept` or `refuse`. */
  | { type: 'offered'; sdp: string; accept: (sdp: string) => void; refuse: (status: number) => void }
  /** A key by INFO. `duration` in ms. */
  | { type: 'dtmf'; digit: string; duration: number }
  /** The far side asks to be connected elsewhere (REFER); `replaces` is the speech id of an attended transfer. */
  | { type: 'transfer'; to: string; replaces: string | null; accept: () => void; refuse: (status: number) => void; notify: (status: number) => void }
  /**
   * The far side's socket is gone, or it is back: the call moves to the next socket of the same registration by itself. A leg that
   * is not answered yet ends `lost` after 10 s without one. A call that is answered goes on for as long as its media does:
   * who watches the media ends it when it is unreachable for 10 s and silent.
   */
  | { type: 'unreachable' }
  | { type: 'reachable' }
  | { type: 'ended'; end: LegEnd };

/**
 * One INVITE dialog as the calls see it (RFC 3261 sections 12 to 15). Transactions, retransmission of 2xx, ACK, CANCEL, session
 * timers and time-outs are the stack's own. Commands that make no sense any more do nothing.
 */
export interface SipLeg {
  /** Ours, unique: names the leg in the media port too. */
  readonly id: string;
  readonly direction: 'incoming' | 'outgoing';
  readonly remote: Party;
  /** How the far side reaches us: a browser (WebRTC) or a plain phone. */
  readonly kind: 'webrtc' | 'rtp';
  readonly state: 'trying' | 'ringing' | 'answered' | 'confirmed' | 'ended';
  /** @returns how to stop listening; a leg that has ended says so at once */
  listen(listener: (event: LegEvent) => void): () => void;
  /** Incoming: 180, or 183 with early media. */
  ring(sdp?: string): void;
  /** Incoming: 200. */
  accept(sdp: string, headers?: Readonly<Record<string, string>>): void;
  /** Sends a key by INFO, to a far side that did not agree on telephone-event. `duration` in ms. */
  sendKey(digit: string, duration: number): void;
  /** Ends the leg in the way its state asks for: a refusal, CANCEL or BYE. `status` only for a refusal. */
  end(how?: { status?: number; reason?: { cause: number; text: string } }): void;
  /** Offers anew, and names whom the far side talks with. @returns the answer @throws Error when refused, with the leg still standing unless it says `ended` */
  reoffer(sdp: string, peer?: Peer): Promise<string>;
}

/** What came with the INVITE of an incoming leg. */
export interface Invite {
  /** What was dialled: the user part of the request's URI, already checked against `dialable`. */
  target: string;
  /** The number whose registration sent it; null from a trunk. */
  account: string | null;
  /** The trunk it came by; null from a number of ours. */
  trunk: Trunk | null;
  /** Known by its address alone, which anybody can write on a datagram: until the ACK nothing shows that what is sent there arrives. */
  byAddress: boolean;
  projectId: string;
  /** Null where the far side wants our offer. */
  sdp: string | null;
  /** A header of ours, or null; line breaks cannot be in it. */
  header(name: string): string | null;
}

/** Where a registered number can be reached. */
export interface Binding {
  number: string;
  /** Names the registration, for instance a browser tab. */
  instance: string;
  kind: 'webrtc' | 'rtp';
  userAgent: string | null;
  expiresAt: Date;
  /** From where it registered. */
  address: string;
}

/** The SIP side of the server. */
export interface SipServer {
  /** Who takes calls that come in. */
  onInvite(handler: (leg: SipLeg, invite: Invite) => void): void;
  /** Told when a number becomes reachable or no longer is, and of every further phone it can be reached at. @returns how to stop listening */
  onReachable(listener: (number: string, reachable: boolean) => void): () => void;
  /** Where a number can be reached now, across this process. */
  bindings(number: string): readonly Binding[];
  /** Calls a binding. */
  invite(binding: Binding, call: OutgoingInvite): SipLeg;
  /** Calls out through another server: `uri` is a trunk's termination URI with the number dialled. */
  inviteTrunk(trunk: { uri: string; address: string | null; login: string | null; password: string | null }, call: OutgoingInvite): SipLeg;
  /** Ports listened on, for those who asked for a free one. */
  readonly ports: { ws: number; udp: number | null };
  close(): Promise<void>;
}

export interface OutgoingInvite {
  from: Party;
  to: Party;
  sdp: string;
  headers?: Readonly<Record<string, string>>;
}

/** A number that may register, as the registrar needs it; secrets stay in the server's memory only. */
export interface SipAccount {
  number: string;
  name: string;
  projectId: string;
  /** Every password that is right now: the number's own, and one for each session of its owner. */
  passwords: readonly string[];
}
