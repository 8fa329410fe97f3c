import { randomUUID } from 'node:crypto';
import type { PhoneState } from '#models/simulator.ts';
import { sipHeaders } from '#models/sip.ts';
import { type AgentOptions, type OwnInvite, SipAgent } from '#server/telephony/sip/agent.ts';
import type { LegEvent, SipLeg } from '#server/telephony/sip/leg.ts';
import type { PanelMedia } from './panel-media.ts';

/** What a phone of the demo is. */
export interface PhonePlan extends Pick<AgentOptions, 'url' | 'number' | 'name' | 'password' | 'instance' | 'trustAll'> {
  /** Shows a moving picture. */
  hasCamera: boolean;
  /** How long it rings before it takes a call by itself, in ms. */
  answersAfter: number;
  /** How long it talks at most, in seconds; looked up at the beginning of a talk. */
  talkSeconds: () => number;
}
/** What becomes of its calls. */
export interface PhoneEars {
  started: (number: string) => void;
  answered: (number: string) => void;
  /** Nobody took the call that it made. */
  missed: (number: string) => void;
  ended: (number: string, seconds: number) => void;
  /** Whoever talks with it presses a key. */
  key: (digit: string, number: string) => void;
}
interface Talk {
  /** Names its media. */
  id: string;
  /** The number at the other end. */
  number: string;
  leg: SipLeg | null;
  isOurs: boolean;
  answeredAt: number | null;
  timer: NodeJS.Timeout | null;
}

/** The phone in a panel or monitor of the demo: a client of the SIP server like anybody's, with one call at a time. */
export class PanelPhone {
  readonly plan: PhonePlan;
  readonly #agent: SipAgent;
  readonly #media: PanelMedia;
  readonly #ears: PhoneEars;
  readonly #log: AgentOptions['log'];
  #talk: Talk | null = null;
  #isClosed = false;

  constructor(plan: PhonePlan, media: PanelMedia, ears: PhoneEars, log: AgentOptions['log']) {
    this.plan = plan;
    this.#media = media;
    this.#ears = ears;
    this.#log = log;
    this.#agent = new SipAgent({ ...plan, userAgent: 'Doorward panel', log });
    this.#agent.onInvite((leg, invite) => this.#called(leg, invite));
  }

  get state(): PhoneState {
    if (!this.#talk) return this.#agent.state === 'registered' ? 'ready' : 'unregistered';
    if (this.#talk.answeredAt !== null) return 'talking';
    return this.#talk.isOurs ? 'calling' : 'ringing';
  }
  /** The number at the other end of its call. */
  get with(): string | null {
    return this.#talk?.number ?? null;
  }
  open(): void {
    this.#agent.open();
  }
  async close(): Promise<void> {
    this.#isClosed = true;
    this.hangUp();
    await this.#agent.close();
  }

  /** Calls a number, if it is not in a call. An SOS call ends whatever there was. Resolves when it is on its way. */
  async call(number: string, sos: boolean): Promise<void> {
    if (this.#talk && !sos) return;
    this.hangUp();
    const talk = this.#begin(number, true);
    this.#ears.started(number);
    try {
      const media = await this.#mediaOf(talk);
      const sdp = await media.offer(talk.id, { video: this.plan.hasCamera, kind: 'webrtc', checks: true });
      if (this.#talk !== talk) return;
      talk.leg = this.#agent.invite(number, { sdp, headers: sos ? { [sipHeaders.sosCall]: '1' } : {} });
      talk.leg.listen((event) => this.#happened(talk, event));
    } catch (error) {
      this.#log.warn({ err: error, number: this.plan.number }, 'a phone of the demo could not call');
      this.#over(talk);
    }
  }
  hangUp(): void {
    const talk = this.#talk;
    if (!talk) return;
    talk.leg?.end(talk.leg.direction === 'incoming' ? { status: 480 } : {});
    this.#over(talk);
  }

  #begin(number: string, isOurs: boolean): Talk {
    const talk: Talk = { id: `phone ${this.plan.number} ${randomUUID()}`, number, leg: null, isOurs, answeredAt: null, timer: null };
    this.#talk = talk;
    return talk;
  }
  #mediaOf(talk: Talk) {
    return this.#media.at(talk.id, (event) => {
      if (event.type === 'dtmf') this.#ears.key(event.digit, talk.number);
      // A server that is lost for good is not waited for.
      if ((event.type === 'failed' || event.type === 'gone') && this.#talk === talk) this.hangUp();
    });
  }
  /** Over, for whatever reason; the rest of the world is told once. */
  #over(talk: Talk): void {
    if (this.#talk !== talk) return;
    this.#talk = null;
    if (talk.timer) clearTimeout(talk.timer);
    this.#media.close(talk.id).catch(() => undefined);
    if (talk.answeredAt !== null) this.#ears.ended(talk.number, Math.round((Date.now() - talk.answeredAt) / 1_000));
    else if (talk.isOurs) this.#ears.missed(talk.number);
  }

  /** Somebody calls it: one call at a time, and no other number's than its own. */
  #called(leg: SipLeg, invite: OwnInvite): void {
    if (this.#talk || this.#isClosed) return leg.end({ status: 486 });
    const talk = this.#begin(leg.remote.number, false);
    talk.leg = leg;
    leg.listen((event) => this.#happened(talk, event));
    leg.ring();
    // A call to the whole flat is for its people: the monitor on the wall only rings along.
    const callee = invite.header(sipHeaders.targetCallee);
    if (callee !== null && callee !== this.plan.number) return;
    talk.timer = setTimeout(() => void this.#take(talk, leg, invite.sdp), this.plan.answersAfter);
  }
  async #take(talk: Talk, leg: SipLeg, offer: string | null): Promise<void> {
    try {
      const media = await this.#mediaOf(talk);
      const wants = { video: this.plan.hasCamera, kind: 'webrtc', checks: true } as const;
      const sdp = await (offer === null ? media.offer(talk.id, wants) : media.answer(talk.id, offer));
      if (this.#talk === talk) leg.accept(sdp);
    } catch {
      leg.end({ status: 488 });
      this.#over(talk);
    }
  }

  #happened(talk: Talk, event: LegEvent): void {
    if (this.#talk !== talk) return;
    switch (event.type) {
      case 'progress':
      case 'answered':
        if (event.sdp !== null) void this.#hear(talk, event.sdp);
        return;
      case 'confirmed':
        return this.#talking(talk);
      case 'offered':
        void this.#mediaOf(talk)
          .then((media) => media.answer(talk.id, event.sdp))
          .then(event.accept, () => event.refuse(488));
        return;
      case 'dtmf':
        return this.#ears.key(event.digit, talk.number);
      case 'transfer':
        return event.refuse(603);
      case 'ended':
        return this.#over(talk);
      default:
        // Its way to the server broke or is there again: talk goes on meanwhile.
        return undefined;
    }
  }
  /** Takes what the server has to say; from then on the camera shows and the microphone hears. */
  async #hear(talk: Talk, sdp: string): Promise<void> {
    try {
      const media = await this.#mediaOf(talk);
      await media.accept(talk.id, sdp);
      await media.play(talk.id, 'clip');
    } catch (error) {
      this.#log.warn({ err: error, number: this.plan.number }, 'a phone of the demo cannot be heard');
      if (this.#talk === talk) this.hangUp();
    }
  }
  #talking(talk: Talk): void {
    talk.answeredAt = Date.now();
    this.#ears.answered(talk.number);
    if (!talk.isOurs)
      void this.#mediaOf(talk).then(
        (media) => media.play(talk.id, 'clip'),
        () => this.hangUp(),
      );
    talk.timer = setTimeout(() => this.#talk === talk && this.hangUp(), this.plan.talkSeconds() * 1_000);
  }
}
