import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { and, asc, eq, inArray, isNull, ne } from 'drizzle-orm';
import { withSources } from '#models/picture-sources.ts';
import { topics } from '#models/realtime.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { announceMessages, announces, users } from '../db/schema/index.ts';
import { writeLetter } from '../mail/letters.ts';
import { notify } from '../modules/notifications/notify.ts';
import { publish } from '../realtime/publish.ts';
import { linkBase } from '../settings/general.ts';
import type { StoredAnnounce } from './audience.ts';
import { announceLetter } from './letter.ts';
import { showOn } from './screens.ts';
import { cleanBody, plainBody } from './sanitise.ts';

/** Messages that are settled in one transaction: the embedded database does nothing else meanwhile. Notifications are written together, mails one by one. */
const atOnce = 20;
const oneByOne = 4;
/** Ms. */
const longestRest = 500;
type Sender = { id: string; name: string } | undefined;

interface Waiting {
  id: string;
  channel: (typeof announceMessages.$inferSelect)['channel'];
  deviceId: string | null;
  /** The person; null of a message to a device. */
  to: Person | null;
}
interface Person {
  id: string;
  name: string;
  email: string | null;
  locale: string;
}

/** What nobody has taken on its way yet; text messages go at the pace of their gateway (`texts.ts`). */
const untaken = and(
  eq(announceMessages.state, 'queued'),
  isNull(announceMessages.mailId),
  isNull(announceMessages.taskId),
  ne(announceMessages.channel, 'sms'),
);

const waiting = (tx: Db, announceId: string): Promise<Waiting[]> =>
  tx
    .select({
      id: announceMessages.id,
      channel: announceMessages.channel,
      deviceId: announceMessages.deviceId,
      to: { id: users.id, name: users.name, email: users.email, locale: users.locale },
    })
    .from(announceMessages)
    .leftJoin(users, eq(users.id, announceMessages.userId))
    .where(and(eq(announceMessages.announceId, announceId), untaken))
    // Those at a console are told first.
    .orderBy(asc(announceMessages.channel), asc(announceMessages.id))
    .limit(atOnce)
    .for('update', { of: announceMessages, skipLocked: true });

/** Writes the mail into the outbox, from which it goes once at most; what becomes of it comes back by `settleMailed`. */
async function mail(services: Services, tx: Db, announce: StoredAnnounce, sender: Sender, { id: messageId, to }: Waiting, at: Date): Promise<void> {
  const { projectId, title, body, token } = announce;
  if (!to?.email)
    return void (await tx
      .update(announceMessages)
      .set({ state: 'failed', reason: 'no_email', changedAt: at })
      .where(eq(announceMessages.id, messageId)));
  const locale = to.locale === 'ru' ? 'ru' : 'en';
  const values = {
    name: to.name,
    sender: sender?.name ?? '',
    title,
    text: plainBody(body),
    link: `${await linkBase(tx, services, projectId)}/announce/${token}`,
  };
  const mailId = await writeLetter(
    tx,
    announceLetter,
    {
      projectId,
      userId: to.id,
      recipient: to.email,
      locale,
      once: true,
      formatted: { text: withSources(cleanBody(body), (_address, picture) => `cid:${picture}`) },
    },
    values,
    at,
  );
  await tx.update(announceMessages).set({ mailId, changedAt: at }).where(eq(announceMessages.id, messageId));
}

/** Puts it into the queue of a device, once; what becomes of it comes back by `settleShown`. */
async function show(tx: Db, announce: StoredAnnounce, { id, deviceId }: Waiting, at: Date): Promise<void> {
  if (deviceId === null) return;
  const taskId = await showOn(tx, announce, deviceId);
  await tx.update(announceMessages).set({ taskId, changedAt: at }).where(eq(announceMessages.id, id));
}

/** Takes some of the waiting messages of an announcement on their way; answers how many. What was done stands with the word that it was. */
async function portion(services: Services, announceId: string): Promise<number> {
  return services.db.transaction(async (tx) => {
    // Shared with others who deliver and with those who vote; not with whoever stops it.
    const [announce] = await tx
      .select()
      .from(announces)
      .where(and(eq(announces.id, announceId), eq(announces.status, 'started')))
      .for('share');
    if (!announce) return 0;
    const found = await waiting(tx, announceId);
    const messages = found[0]?.channel === 'console' ? found.filter(({ channel }) => channel === 'console') : found.slice(0, oneByOne);
    if (messages.length === 0) return 0;
    const at = services.now();
    const [sender] = announce.senderId ? await tx.select({ id: users.id, name: users.name }).from(users).where(eq(users.id, announce.senderId)) : [];
    const { projectId, title, token } = announce;
    const here = messages.filter(({ channel }) => channel === 'console');
    if (here.length > 0) {
      const data = { title, token, ...(sender && { user: sender }) };
      await notify(
        tx,
        { projectId, type: 'announce_received', data, at },
        here.flatMap(({ to }) => (to ? [to.id] : [])),
      );
      await tx
        .update(announceMessages)
        .set({ state: 'sent', changedAt: at })
        .where(
          inArray(
            announceMessages.id,
            here.map(({ id }) => id),
          ),
        );
    }
    for (const message of messages) {
      if (message.channel === 'email') await mail(services, tx, announce, sender, message, at);
      if (message.channel === 'devices') await show(tx, announce, message, at);
    }
    await publish(tx, projectId, topics.area('announces'), 'RowsChanged', { area: 'announces', ids: [announceId] });
    return messages.length;
  });
}

/**
 * The event loop turns: the embedded database answers without it ever doing so. It has one connection: others have it for as long as a portion had it.
 */
export async function giveWay({ config }: Services, took: number): Promise<void> {
  await (config.databaseUrl ? turn() : pause(Math.min(took, longestRest), undefined, { ref: false }));
}

/** Takes every waiting message of every running announcement on its way, a few at a time, until told to stop. */
export async function deliverAnnounces(services: Services, signal?: AbortSignal): Promise<void> {
  const running = await services.db
    .selectDistinct({ id: announces.id })
    .from(announces)
    .innerJoin(announceMessages, eq(announceMessages.announceId, announces.id))
    .where(and(eq(announces.status, 'started'), untaken));
  for (const { id } of running) {
    for (let goesOn = true; goesOn && !signal?.aborted;) {
      const began = performance.now();
      goesOn = (await portion(services, id)) > 0;
      await giveWay(services, performance.now() - began);
    }
  }
}
