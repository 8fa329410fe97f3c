import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { PushMessage } from '#models/push-calls.ts';
import type { EventPayload } from '#models/realtime.ts';
import type { Services } from '../context.ts';
import { pushSubscriptions } from '../db/schema/index.ts';
import { Lane } from '../lane.ts';
import { reach } from '../integrations/reach.ts';
import { type Announced, channel } from '../realtime/publish.ts';
import { encryptPush } from './encrypt.ts';
import { type Push, pushOfCall, pushOfNotification, type Recipient } from './recipients.ts';
import { vapidHeader, type VapidKey, vapidKey } from './vapid.ts';
import { pushPaths, pushWords } from './words.ts';

/** What became of a push. */
export type PushOutcome = 'sent' | 'gone' | 'given_up' | 'dropped';

/** Pauses before it is tried again, where the push service names none; a call that nobody took by then is over. */
const pauses = [2_000, 10_000, 30_000];
const longestPause = 60_000;
/** Seconds a push service keeps what it cannot deliver yet. */
const lives = { sos: 120, call: 60, alarm: 3_600 } as const;
const atOnce = 8;
const mostWaiting = 2_000;
const rememberedCalls = 1_000;

const keptWords = 20;

/** Sends what happens at the desk to browsers whose page is closed. The page itself says it where it is open: the service worker sees to that. */
export class PushSender {
  readonly #services: Services;
  readonly #count: (outcome: PushOutcome) => void;
  readonly #lane = new Lane(atOnce);
  readonly #calls = new Set<string>();
  readonly #stop = new AbortController();
  #waiting = 0;
  #key: Promise<VapidKey> | undefined;
  #unlisten: () => Promise<void> = () => Promise.resolve();

  constructor(services: Services, count: (outcome: PushOutcome) => void) {
    this.#services = services;
    this.#count = count;
  }

  async open(): Promise<void> {
    // What was missed in a gap is old by the time it could be told.
    this.#unlisten = await this.#services.listen(
      channel,
      (line) => this.#hear(line),
      () => {},
    );
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#unlisten();
  }

  #hear(line: string): void {
    if (!/"name":"(?:CallUpdated|NotificationReceived)"/.test(line)) return;
    const { name, payload, project } = JSON.parse(line) as Announced;
    const { log } = this.#services;
    const work = name === 'CallUpdated' ? this.#ofCall(project, payload as EventPayload<'CallUpdated'>) : this.#ofNotification(String(payload['id']));
    work.catch((error: unknown) => log.warn({ err: error }, 'a push could not be prepared'));
  }

  /** A call is told several times, of each of its numbers and of each change: the first time counts. */
  async #ofCall(project: string, { call }: EventPayload<'CallUpdated'>): Promise<void> {
    if (call?.type !== 'awaiting' || call.status === 'destroyed' || call.answered_by !== null || this.#calls.has(call.id)) return;
    this.#calls.add(call.id);
    const [oldest] = this.#calls;
    if (this.#calls.size > rememberedCalls && oldest !== undefined) this.#calls.delete(oldest);
    await this.#sendAll(await pushOfCall(this.#services, project, call.id));
  }

  async #ofNotification(id: string): Promise<void> {
    await this.#sendAll(await pushOfNotification(this.#services, id));
  }

  async #sendAll(push: Push | null): Promise<void> {
    await Promise.all(
      (push?.recipients ?? []).map(async (recipient) => {
        if (!push) return;
        if (this.#waiting >= mostWaiting) return this.#count('dropped');
        this.#waiting += 1;
        try {
          if (await this.#claim(recipient, push.key)) await this.#deliver(recipient, push);
        } finally {
          this.#waiting -= 1;
        }
      }),
    );
  }

  /** Of several processes that hear the same, one sends it. */
  async #claim({ sessionId }: Recipient, key: string): Promise<boolean> {
    const { recent } = pushSubscriptions;
    const claimed = await this.#services.db
      .update(pushSubscriptions)
      .set({ recent: sql`(array_append(${recent}, ${key}))[greatest(1, cardinality(${recent}) + 2 - ${keptWords}):]` })
      .where(and(eq(pushSubscriptions.sessionId, sessionId), sql`not ${key} = any(${recent})`))
      .returning({ id: pushSubscriptions.sessionId });
    return claimed.length > 0;
  }

  async #deliver(recipient: Recipient, push: Push): Promise<void> {
    for (const pause of [...pauses, null]) {
      const { status, retryAfter } = await this.#lane.run(() => this.#send(recipient, push));
      if (status >= 200 && status < 300) return this.#count('sent');
      if (status === 404 || status === 410) {
        await this.#forget(recipient);
        return this.#count('gone');
      }
      // What is wrong with the request itself stays wrong.
      if (pause === null || (status >= 300 && status < 500 && status !== 429)) break;
      await this.#wait(retryAfter ?? pause);
      if (this.#stop.signal.aborted) return;
    }
    this.#count('given_up');
  }

  async #send(recipient: Recipient, { key, kind }: Push): Promise<{ status: number; retryAfter: number | null }> {
    const { config, now, log } = this.#services;
    const message: PushMessage = { ...pushWords[recipient.locale][kind], tag: key, path: pushPaths[kind] };
    try {
      this.#key ??= vapidKey(this.#services);
      const { status, headers } = await reach({
        url: recipient.endpoint,
        method: 'POST',
        headers: {
          authorization: vapidHeader(await this.#key, recipient.endpoint, contactOf(config.publicUrl), now()),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(lives[kind]),
          urgency: 'high',
          // A newer one with the same topic takes the place of one that was not delivered yet.
          topic: createHash('sha256').update(key).digest('base64url').slice(0, 32),
        },
        body: encryptPush(recipient, JSON.stringify(message)),
        timeout: 10_000,
        mostBytes: 10_000,
        loopback: config.integrationLoopback,
        publicly: true,
        signal: this.#stop.signal,
      });
      const seconds = Number(headers['retry-after'] ?? Number.NaN);
      return { status, retryAfter: Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, longestPause) : null };
    } catch (error) {
      if (!this.#stop.signal.aborted) log.info({ err: error, host: new URL(recipient.endpoint).host }, 'a push service was not reached');
      return { status: 0, retryAfter: null };
    }
  }

  async #forget({ sessionId, endpoint }: Recipient): Promise<void> {
    await this.#services.db
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.sessionId, sessionId), eq(pushSubscriptions.endpoint, endpoint)));
  }

  #wait(time: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, time);
      timer.unref();
      this.#stop.signal.addEventListener('abort', () => (clearTimeout(timer), done()), { once: true });
    });
  }
}

/** Push services want to know whom to write to: an https address, or a mailbox. */
const contactOf = (publicUrl: string): string => (publicUrl.startsWith('https:') ? publicUrl : `mailto:postmaster@${new URL(publicUrl).hostname}`);
