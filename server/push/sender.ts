import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { PushMessage } from '#models/push-calls.ts';
import type { EventPayload } from '#models/realtime.ts';
import type { Services } from '../context.ts';
import { pushSubscriptions } from '../db/schema/index.ts';
import { Semaphore } from '../semaphore.ts';
import { reach } from '../integrations/reach.ts';
import { type Announced, channel } from '../realtime/publish.ts';
import { encryptPush } from './encrypt.ts';
import { type Push, pushOfCall, pushOfEmergency, pushOfNotification, type Recipient } from './recipients.ts';
import { vapidHeader, type VapidKey, vapidKey } from './vapid.ts';
import { pushPaths, pushTexts } from './texts.ts';

/** What became of a push. */
export type PushOutcome = 'sent' | 'gone' | 'given_up' | 'dropped';

/** Pauses before it is tried again, where the push service names none; a call that nobody took by then is over. */
const pauses = [2_000, 10_000, 30_000];
const longestPause = 60_000;
/** Seconds a push service keeps what it cannot deliver yet. */
const lives = { sos: 120, call: 60, alarm: 3_600, emergency: 3_600, drill: 600, over: 3_600 } as const;
const atOnce = 8;
const mostWaiting = 2_000;
const mostRemembered = 1_000;

const keptWords = 20;

/** Sends what happens at the desk, and emergency alerts, to browsers whose page is closed. The page itself says it where it is open: the service worker sees to that. */
export class PushSender {
  readonly #services: Services;
  readonly #count: (outcome: PushOutcome) => void;
  readonly #semaphore = new Semaphore(atOnce);
  readonly #calls = new Set<string>();
  /** Alerts whose recipients are being read, and whether they changed meanwhile. */
  readonly #emergencies = new Map<string, boolean>();
  /** Tags of what is over: nothing of it is tried again. */
  readonly #over = new Set<string>();
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
    if (!/"name":"(?:CallUpdated|NotificationReceived|EmergencyAlertChanged)"/.test(line)) return;
    const { name, payload, project } = JSON.parse(line) as Announced;
    const { log } = this.#services;
    const work = (): Promise<void> => {
      if (name === 'CallUpdated') return this.#ofCall(project, payload as EventPayload<'CallUpdated'>);
      const id = String(payload['id']);
      return name === 'EmergencyAlertChanged' ? this.#ofEmergency(id) : this.#ofNotification(id);
    };
    work().catch((error: unknown) => log.warn({ err: error }, 'a push could not be prepared'));
  }

  /** A call is told several times, of each of its numbers and of each change: the first time counts. */
  async #ofCall(project: string, { call }: EventPayload<'CallUpdated'>): Promise<void> {
    if (call?.type !== 'awaiting' || call.status === 'destroyed' || call.answered_by !== null || this.#calls.has(call.id)) return;
    keep(this.#calls, call.id);
    await this.#sendAll(await pushOfCall(this.#services, project, call.id));
  }

  async #ofNotification(id: string): Promise<void> {
    await this.#sendAll(await pushOfNotification(this.#services, id));
  }

  /** Each of its people is told of an alert by an event of their own: all of them are read once. */
  async #ofEmergency(id: string): Promise<void> {
    const isReading = this.#emergencies.has(id);
    this.#emergencies.set(id, isReading);
    if (isReading) return;
    const push = await pushOfEmergency(this.#services, id).finally(() => {
      const isStale = this.#emergencies.get(id) === true;
      this.#emergencies.delete(id);
      if (isStale) this.#ofEmergency(id).catch((error: unknown) => this.#services.log.warn({ err: error }, 'a push could not be prepared'));
    });
    if (push?.kind === 'over' && push.tag !== undefined) keep(this.#over, push.tag);
    await this.#sendAll(push);
  }

  async #sendAll(push: Push | null): Promise<void> {
    await Promise.all(
      (push?.recipients ?? []).map(async (recipient) => {
        if (!push) return;
        if (this.#waiting >= mostWaiting && !push.says) return this.#count('dropped');
        this.#waiting += 1;
        try {
          if (await this.#claim(recipient, push)) await this.#deliver(recipient, push);
        } finally {
          this.#waiting -= 1;
        }
      }),
    );
  }

  /** Of several processes that hear the same, one sends it. */
  async #claim({ sessionId }: Recipient, { key, after }: Push): Promise<boolean> {
    const { recent } = pushSubscriptions;
    const claimed = await this.#services.db
      .update(pushSubscriptions)
      .set({ recent: sql`(array_append(${recent}, ${key}))[greatest(1, cardinality(${recent}) + 2 - ${keptWords}):]` })
      .where(
        and(
          eq(pushSubscriptions.sessionId, sessionId),
          sql`not ${key} = any(${recent})`,
          after === undefined ? undefined : sql`${after} = any(${recent})`,
        ),
      )
      .returning({ id: pushSubscriptions.sessionId });
    return claimed.length > 0;
  }

  async #deliver(recipient: Recipient, push: Push): Promise<void> {
    for (const pause of [...pauses, null]) {
      const { status, retryAfter } = await this.#semaphore.run(() => this.#send(recipient, push));
      if (status >= 200 && status < 300) return this.#count('sent');
      if (status === 404 || status === 410) {
        await this.#forget(recipient);
        return this.#count('gone');
      }
      // What is wrong with the request itself stays wrong.
      if (pause === null || (status >= 300 && status < 500 && status !== 429)) break;
      await this.#wait(retryAfter ?? pause);
      if (this.#stop.signal.aborted) return;
      if (push.kind !== 'over' && this.#over.has(push.tag ?? push.key)) return this.#count('dropped');
    }
    this.#count('given_up');
  }

  async #send(recipient: Recipient, { key, tag = key, kind, says }: Push): Promise<{ status: number; retryAfter: number | null }> {
    const { config, now, log } = this.#services;
    const words = pushTexts[recipient.locale][kind];
    const said = says ? { title: `${words.title}: ${says.title}`, body: says.body || words.body } : words;
    const message: PushMessage = { ...said, tag, path: pushPaths[kind] };
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
          topic: createHash('sha256').update(tag).digest('base64url').slice(0, 32),
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

/** Remembers the latest. */
function keep(some: Set<string>, one: string): void {
  some.add(one);
  const [oldest] = some;
  if (some.size > mostRemembered && oldest !== undefined) some.delete(oldest);
}

/** Push services want to know whom to write to: an https address, or a mailbox. */
const contactOf = (publicUrl: string): string => (publicUrl.startsWith('https:') ? publicUrl : `mailto:postmaster@${new URL(publicUrl).hostname}`);
