import { and, eq } from 'drizzle-orm';
import type { MobilePush } from '#models/mobile.ts';
import type { Services } from '../context.ts';
import { mobileClients } from '../db/schema/index.ts';
import { reach } from '../integrations/reach.ts';
import type { pushServerOf } from '../settings/mobile.ts';
import type { AppRecipient, Push } from './recipients.ts';
import { type PushTarget, recentClaim, type Sent, sentOf } from './target.ts';
import { pushPaths, spokenPush } from './texts.ts';

type PushServer = NonNullable<Awaited<ReturnType<typeof pushServerOf>>>;

/** A mobile app, reached through the push server of its project (FIELD-67), which knows the app by its client id. */
export class AppTarget implements PushTarget {
  readonly #services: Services;
  readonly #recipient: AppRecipient;
  readonly #server: PushServer;

  constructor(services: Services, recipient: AppRecipient, server: PushServer) {
    this.#services = services;
    this.#recipient = recipient;
    this.#server = server;
  }

  get host(): string {
    return new URL(this.#server.url).host;
  }

  async claim(push: Push): Promise<boolean> {
    const { keys, isFree } = recentClaim(mobileClients.recent, push);
    const claimed = await this.#services.db
      .update(mobileClients)
      .set({ recent: keys })
      .where(and(eq(mobileClients.id, this.#recipient.id), isFree))
      .returning({ id: mobileClients.id });
    return claimed.length > 0;
  }

  async send(push: Push, signal: AbortSignal): Promise<Sent> {
    const { clientId, platform, vendorId, locale } = this.#recipient;
    const { key, tag = key, kind } = push;
    const message: MobilePush = {
      client_id: clientId,
      platform,
      vendor_id: vendorId,
      kind,
      ...spokenPush(push, locale),
      tag,
      path: pushPaths[kind],
    };
    const { url, token } = this.#server;
    const { integrationLoopback: loopback } = this.#services.config;
    return sentOf(
      await reach({
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(message),
        timeout: 10_000,
        mostBytes: 10_000,
        loopback,
        publicly: true,
        signal,
      }),
    );
  }

  /** What the push server does not know is still somebody's app, and takes its seat until they sign out of it. */
  async forget(): Promise<void> {}
}
