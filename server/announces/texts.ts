import { setTimeout as pause } from 'node:timers/promises';
import { and, asc, eq, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { topics } from '#models/realtime.ts';
import type { Services } from '../context.ts';
import { announceMessages, announces, users } from '../db/schema/index.ts';
import { publish } from '../realtime/publish.ts';
import { linkBase } from '../settings/general.ts';
import { smsAccount } from '../settings/sms.ts';
import { handOver, type SmsAccount, type SmsResult } from '../sms/gateway.ts';
import { plainBody } from './sanitise.ts';
import type { Timer } from '../timers.ts';

const every = 5_000;
/** So many requests of one project are under way at once: a slow gateway does not stretch thousands of messages over a day. */
const atOnce = 4;
const mostTries = 5;
const waits = [10_000, 60_000, 300_000, 900_000];
/** After so long nobody hands a message over any more that was begun: its server has died over it. */
const lease = 120_000;
/** A server that ends waits so long for the answers that are on their way. */
const farewell = 1_500;
/** What an SMS of a few parts holds; the rest is read behind the link. */
const longestText = 300;

const { state, channel, nextAt, sendingAt, attempts } = announceMessages;
const untaken = and(eq(channel, 'sms'), eq(state, 'queued'), isNull(sendingAt));

const cut = (text: string, most: number): string => {
  const signs = Array.from(text);
  return signs.length > most ? `${signs.slice(0, most - 1).join('')}…` : text;
};
/** An announcement as a text message. */
export const smsOfAnnounce = ({ title, body }: { title: string; body: string }, link: string): string =>
  `${cut(`${title}\n${plainBody(body)}`, longestText)}\n${link}`;

interface Claimed {
  id: string;
  announceId: string;
  tries: number;
  phone: string | null;
  text: string;
}

/** Sends the text messages of announcements: each once at most, at the pace of the project's gateway, and again only where it was certainly not taken. */
export class Texter {
  readonly #services: Services;
  readonly #ended = new AbortController();
  readonly #timer: Timer;
  readonly #semaphores = new Map<string, Promise<void>>();
  /** Gateways that rest, because they could not be reached or asked for time: until when, and how often in a row. */
  readonly #resting = new Map<string, { until: number; times: number }>();
  #looking: Promise<void> | null = null;

  constructor(services: Services, interval = every) {
    this.#services = services;
    this.#timer = services.timers.every(interval, () => this.wake());
  }

  /** There may be something to send. */
  wake(): void {
    if (this.#ended.signal.aborted) return;
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#services.log.warn({ err: error }, 'text messages could not be looked for'))
      .finally(() => (this.#looking = null));
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    this.#ended.abort();
    await Promise.race([Promise.all([this.#looking, ...this.#semaphores.values()]), pause(farewell, undefined, { ref: false })]);
  }

  #due() {
    return or(isNull(nextAt), lte(nextAt, this.#services.now()));
  }

  async #look(): Promise<void> {
    await this.#giveUpInterrupted();
    const rows = await this.#services.db
      .selectDistinct({ projectId: announces.projectId })
      .from(announceMessages)
      .innerJoin(announces, eq(announces.id, announceMessages.announceId))
      .where(and(untaken, eq(announces.status, 'started'), this.#due()));
    for (const { projectId } of rows) {
      if (this.#semaphores.has(projectId) || (this.#resting.get(projectId)?.until ?? 0) > this.#services.now().getTime()) continue;
      const semaphore = this.#semaphore(projectId)
        .catch((error: unknown) => this.#services.log.warn({ err: error }, 'text messages could not be sent'))
        .finally(() => this.#semaphores.delete(projectId));
      this.#semaphores.set(projectId, semaphore);
    }
  }

  /** What was handed over when its server died may have arrived: it is not sent a second time. */
  async #giveUpInterrupted(): Promise<void> {
    const at = this.#services.now();
    await this.#services.db
      .update(announceMessages)
      .set({ state: 'failed', reason: 'interrupted', sendingAt: null, changedAt: at })
      .where(and(eq(channel, 'sms'), eq(state, 'queued'), isNotNull(sendingAt), lt(sendingAt, new Date(at.getTime() - lease))));
  }

  async #semaphore(projectId: string): Promise<void> {
    const account = await smsAccount(this.#services, projectId);
    if (!account) return;
    const base = await linkBase(this.#services.db, this.#services, projectId);
    const semaphore = { goesOn: true, next: 0 };
    const hand = async (): Promise<void> => {
      while (semaphore.goesOn && !this.#ended.signal.aborted) {
        await this.#keepPace(account, semaphore);
        const message = semaphore.goesOn ? await this.#claim(projectId, base) : undefined;
        if (!message) return;
        if (!(await this.#send(projectId, account, message))) semaphore.goesOn = false;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, hand));
  }

  async #keepPace({ per_second }: SmsAccount, semaphore: { next: number }): Promise<void> {
    const at = performance.now();
    semaphore.next = Math.max(at, semaphore.next) + 1_000 / per_second;
    const wait = semaphore.next - 1_000 / per_second - at;
    if (wait > 0) await this.#services.timers.pause(wait, this.#ended.signal);
  }

  /** Takes the message that has waited longest: from now on nobody else sends it. */
  async #claim(projectId: string, base: string): Promise<Claimed | undefined> {
    const { db, now } = this.#services;
    return db.transaction(async (tx) => {
      const [found] = await tx
        .select({ id: announceMessages.id, announce: announces, tries: attempts, userId: announceMessages.userId })
        .from(announceMessages)
        .innerJoin(announces, eq(announces.id, announceMessages.announceId))
        .where(and(untaken, eq(announces.projectId, projectId), eq(announces.status, 'started'), this.#due()))
        .orderBy(sql`${nextAt} nulls first`, asc(announceMessages.id))
        .limit(1)
        .for('update', { of: announceMessages, skipLocked: true });
      if (!found) return undefined;
      await tx.update(announceMessages).set({ sendingAt: now() }).where(eq(announceMessages.id, found.id));
      const [person] = found.userId ? await tx.select({ phone: users.phone }).from(users).where(eq(users.id, found.userId)) : [];
      const text = smsOfAnnounce(found.announce, `${base}/announce/${found.announce.token}`);
      return { id: found.id, announceId: found.announce.id, tries: found.tries + 1, phone: person?.phone ?? null, text };
    });
  }

  /** Hands one over and writes down what became of it. @returns whether the gateway can be asked for the next one */
  async #send(projectId: string, account: SmsAccount, { id, announceId, tries, phone, text }: Claimed): Promise<boolean> {
    const { config, now, log } = this.#services;
    if (!phone) return this.#settle(projectId, id, announceId, { state: 'failed', reason: 'no_phone', words: null });
    const result = await handOver(account, config, { phone, text });
    if (result.reason !== null) log.warn({ message: id, reason: result.reason, tries }, 'a text message was not taken');
    if (!result.again) this.#resting.delete(projectId);
    const rest = result.again ? this.#rest(projectId, result) : 0;
    const isOver = !result.again || tries >= mostTries;
    const next = new Date(now().getTime() + Math.max(rest, waits[Math.min(tries, waits.length) - 1] ?? 0));
    const reached = result.reason === null ? ('sent' as const) : isOver ? ('failed' as const) : ('queued' as const);
    await this.#settle(projectId, id, announceId, {
      state: reached,
      reason: result.reason,
      words: result.words,
      attempts: tries,
      nextAt: reached === 'queued' ? next : null,
    });
    return !result.again;
  }

  /** The gateway is left alone for a while, longer each time. */
  #rest(projectId: string, { after }: SmsResult): number {
    const times = (this.#resting.get(projectId)?.times ?? 0) + 1;
    const rest = after ?? Math.min(every * 2 ** (times - 1), 300_000);
    this.#resting.set(projectId, { until: this.#services.now().getTime() + rest, times });
    return rest;
  }

  async #settle(projectId: string, id: string, announceId: string, columns: Partial<typeof announceMessages.$inferInsert>): Promise<boolean> {
    const { db, now } = this.#services;
    await db.transaction(async (tx) => {
      await tx
        .update(announceMessages)
        .set({ ...columns, sendingAt: null, changedAt: now() })
        .where(eq(announceMessages.id, id));
      await publish(tx, projectId, topics.area('announces'), 'RowsChanged', { area: 'announces', ids: [announceId] });
    });
    return true;
  }
}
