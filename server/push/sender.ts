import type { EventPayload } from '#models/realtime.ts';
import type { Services } from '../context.ts';
import { type Announced, channel } from '../realtime/publish.ts';
import { Semaphore } from '../semaphore.ts';
import { pushServerOf } from '../settings/mobile.ts';
import { AppTarget } from './app.ts';
import { BrowserTarget } from './browser.ts';
import { type Push, pushOfCall, pushOfEmergency, pushOfNotification } from './recipients.ts';
import type { PushTarget, Sent } from './target.ts';
import { type VapidKey, vapidKey } from './vapid.ts';

/** What became of a push. */
export type PushOutcome = 'sent' | 'gone' | 'given_up' | 'dropped';

/** Pauses before it is tried again, where the push service names none; a call that nobody took by then is over. */
const pauses = [2_000, 10_000, 30_000];
const atOnce = 8;
const mostWaiting = 2_000;
const mostRemembered = 1_000;

/** Sends what happens at the desk, and emergency alerts, to mobile apps and to browsers whose page is closed. The page itself says it where it is open: the service worker sees to that. */
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
    remember(this.#calls, call.id);
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
    if (push?.kind === 'over' && push.tag !== undefined) remember(this.#over, push.tag);
    await this.#sendAll(push);
  }

  /** All that a push goes to. */
  async #targets({ recipients, apps }: Push): Promise<PushTarget[]> {
    const browsers = recipients.map((recipient) => new BrowserTarget(this.#services, recipient, () => (this.#key ??= vapidKey(this.#services))));
    const projects = [...new Set(apps.map(({ projectId }) => projectId))];
    const servers = new Map(await Promise.all(projects.map(async (id) => [id, await pushServerOf(this.#services, id)] as const)));
    const phones = apps.flatMap((app) => {
      const server = servers.get(app.projectId);
      return server ? [new AppTarget(this.#services, app, server)] : [];
    });
    return [...browsers, ...phones];
  }

  async #sendAll(push: Push | null): Promise<void> {
    if (!push) return;
    await Promise.all(
      (await this.#targets(push)).map(async (target) => {
        if (this.#waiting >= mostWaiting && !push.says) return this.#count('dropped');
        this.#waiting += 1;
        try {
          if (await target.claim(push)) await this.#deliver(target, push);
        } finally {
          this.#waiting -= 1;
        }
      }),
    );
  }

  async #deliver(target: PushTarget, push: Push): Promise<void> {
    for (const pause of [...pauses, null]) {
      const { status, retryAfter } = await this.#semaphore.run(() => this.#send(target, push));
      if (status >= 200 && status < 300) return this.#count('sent');
      if (status === 404 || status === 410) {
        await target.forget();
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

  async #send(target: PushTarget, push: Push): Promise<Sent> {
    try {
      return await target.send(push, this.#stop.signal);
    } catch (error) {
      const { host } = target;
      if (!this.#stop.signal.aborted) this.#services.log.info({ err: error, host }, 'a push service was not reached');
      return { status: 0, retryAfter: null };
    }
  }

  #wait(time: number): Promise<void> {
    return this.#services.timers.pause(time, this.#stop.signal);
  }
}

/** Remembers the latest. */
function remember(some: Set<string>, one: string): void {
  some.add(one);
  const [oldest] = some;
  if (some.size > mostRemembered && oldest !== undefined) some.delete(oldest);
}
