import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { PushMessage } from '#models/push-calls.ts';
import type { Services } from '../context.ts';
import { pushSubscriptions } from '../db/schema/index.ts';
import { reach } from '../integrations/reach.ts';
import { encryptPush } from './encrypt.ts';
import type { Push, Recipient } from './recipients.ts';
import { type PushTarget, recentClaim, type Sent, sentOf } from './target.ts';
import { pushPaths, spokenPush } from './texts.ts';
import { vapidHeader, type VapidKey } from './vapid.ts';

/** Seconds a push service keeps what it cannot deliver yet. */
const lives = { sos: 120, call: 60, alarm: 3_600, emergency: 3_600, drill: 600, over: 3_600 } as const;

/** A browser that subscribed, reached through its push service (RFC 8030). */
export class BrowserTarget implements PushTarget {
  readonly #services: Services;
  readonly #recipient: Recipient;
  readonly #key: () => Promise<VapidKey>;

  constructor(services: Services, recipient: Recipient, key: () => Promise<VapidKey>) {
    this.#services = services;
    this.#recipient = recipient;
    this.#key = key;
  }

  get host(): string {
    return new URL(this.#recipient.endpoint).host;
  }

  async claim(push: Push): Promise<boolean> {
    const { keys, isFree } = recentClaim(pushSubscriptions.recent, push);
    const claimed = await this.#services.db
      .update(pushSubscriptions)
      .set({ recent: keys })
      .where(and(eq(pushSubscriptions.sessionId, this.#recipient.sessionId), isFree))
      .returning({ id: pushSubscriptions.sessionId });
    return claimed.length > 0;
  }

  async send(push: Push, signal: AbortSignal): Promise<Sent> {
    const { config, now } = this.#services;
    const { key, tag = key, kind } = push;
    const message: PushMessage = { ...spokenPush(push, this.#recipient.locale), tag, path: pushPaths[kind] };
    const { endpoint } = this.#recipient;
    return sentOf(
      await reach({
        url: endpoint,
        method: 'POST',
        headers: {
          authorization: vapidHeader(await this.#key(), endpoint, contactOf(config.publicUrl), now()),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(lives[kind]),
          urgency: 'high',
          // A newer one with the same topic takes the place of one that was not delivered yet.
          topic: createHash('sha256').update(tag).digest('base64url').slice(0, 32),
        },
        body: encryptPush(this.#recipient, JSON.stringify(message)),
        timeout: 10_000,
        mostBytes: 10_000,
        loopback: config.integrationLoopback,
        publicly: true,
        signal,
      }),
    );
  }

  async forget(): Promise<void> {
    const { sessionId, endpoint } = this.#recipient;
    await this.#services.db
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.sessionId, sessionId), eq(pushSubscriptions.endpoint, endpoint)));
  }
}

/** Push services want to know whom to write to: an https address, or a mailbox. */
const contactOf = (publicUrl: string): string => (publicUrl.startsWith('https:') ? publicUrl : `mailto:postmaster@${new URL(publicUrl).hostname}`);
