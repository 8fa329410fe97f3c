import { and, desc, eq, isNotNull, or, sql } from 'drizzle-orm';
import { type AnnounceDelivery, type AnnounceResponse, type AnnounceResponses, mostFailures, mostResponses } from '#models/announce-calls.ts';
import { announceChannels, type Announce } from '#models/announces.ts';
import { known, type ViewScope, scopeOf, visibleIds } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { seenRow } from '#server/crud/routes.ts';
import type { Db } from '#server/db/database.ts';
import { announceMessages, announceRecipients, announces, announceVotes, devices, users } from '#server/db/schema/index.ts';
import { hasMailServer } from '#server/settings/mail.ts';
import { addressOf, homeOf } from '#server/telephony/places.ts';
import { announcesRepository } from './repository.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
const { announceId, userId, seenAt } = announceRecipients;

/** What became of the messages to a recipient, by channel; what stands in the console is no message. */
const messagesTo = sql<AnnounceResponse['messages']>`coalesce((
  select json_agg(json_build_object('channel', sent.channel, 'state', sent.state,
    'reason', case when sent.state = 'failed' then coalesce(sent.reason, 'refused') end) order by sent.channel)
  from ${announceMessages} sent where sent.announce_id = ${announceId} and sent.user_id = ${userId} and sent.channel <> 'console'), '[]'::json)`;

/** The recipients of an announcement whom the principal knows, with what they answered: who did so or read it last first. */
export async function recipientsOf(db: Db, scope: ViewScope, id: string, atMost: number): Promise<AnnounceResponse[]> {
  const rows = await db
    .select({
      id: users.id,
      name: users.name,
      group: addressOf(scope, homeOf(users.id)),
      messages: messagesTo,
      seenAt,
      answer: sql<string | null>`coalesce(${announceVotes.custom}, ${announces.answers} ->> ${announceVotes.answer})`,
      answeredAt: announceVotes.createdAt,
    })
    .from(announceRecipients)
    .innerJoin(announces, eq(announces.id, announceId))
    .innerJoin(users, eq(users.id, userId))
    .leftJoin(announceVotes, and(eq(announceVotes.announceId, announceId), eq(announceVotes.userId, userId)))
    .where(and(eq(announceId, id), known(scope, userId)))
    .orderBy(sql`coalesce(${announceVotes.createdAt}, ${seenAt}) desc nulls last`, sql`lower(${users.name})`, users.id)
    .limit(atMost);
  return rows.map(({ seenAt: seen, answeredAt, ...row }) => ({ ...row, seen_at: iso(seen), answered_at: iso(answeredAt) }));
}

/** How a poll stands, and who has read it. @throws HttpError `not_found` */
export async function responsesOf(services: Services, principal: Principal, id: string): Promise<AnnounceResponses> {
  const { db } = services;
  const row = (await seenRow(services, announcesRepository, principal, id)) as unknown as Announce;
  const counted = await db
    .select({ answer: announceVotes.answer, votes: sql<number>`count(*)::int` })
    .from(announceVotes)
    .where(eq(announceVotes.announceId, id))
    .groupBy(announceVotes.answer);
  const votesFor = (answer: number | null): number => counted.find((one) => one.answer === answer)?.votes ?? 0;
  const { title, type, status, recipients_count, seen_count, answers_count } = row;
  return {
    announce: { id, title, type, status, recipients_count, seen_count, answers_count },
    results: type === 'poll' ? row.answers.map((answer, at) => ({ answer, votes: votesFor(at) })) : [],
    custom_votes: type === 'poll' && row.custom_answer ? votesFor(null) : null,
    people: await recipientsOf(db, scopeOf(principal), id, mostResponses),
  };
}

/** How far the messages have come. @throws HttpError `not_found` */
export async function deliveryOf(services: Services, principal: Principal, id: string): Promise<AnnounceDelivery> {
  const { db } = services;
  const row = (await seenRow(services, announcesRepository, principal, id)) as unknown as Announce;
  const { channel, state, reason, changedAt } = announceMessages;
  const counted = await db
    .select({ channel, state, count: sql<number>`count(*)::int` })
    .from(announceMessages)
    .where(eq(announceMessages.announceId, id))
    .groupBy(channel, state);
  const count = (way: string, at: string): number => counted.find((one) => one.channel === way && one.state === at)?.count ?? 0;
  const scope = scopeOf(principal);
  const isKnown = or(
    and(isNotNull(announceMessages.userId), known(scope, announceMessages.userId)),
    and(isNotNull(announceMessages.deviceId), sql`${announceMessages.deviceId} in ${visibleIds(scope, 'devices')}`),
  );
  const failures = await db
    .select({ id: announceMessages.id, name: sql<string>`coalesce(${users.name}, ${devices.name})`, channel, reason, words: announceMessages.words })
    .from(announceMessages)
    .leftJoin(users, eq(users.id, announceMessages.userId))
    .leftJoin(devices, eq(devices.id, announceMessages.deviceId))
    .where(and(eq(announceMessages.announceId, id), eq(state, 'failed'), isKnown))
    .orderBy(desc(changedAt))
    .limit(mostFailures);
  const ways = announceChannels.filter((way) => counted.some((one) => one.channel === way));
  return {
    recipients: row.recipients_count,
    seen: row.seen_count,
    channels: ways.map((way) => ({ channel: way, queued: count(way, 'queued'), sent: count(way, 'sent'), failed: count(way, 'failed') })),
    mail_server: await hasMailServer(services, principal.projectId),
    failures: failures.flatMap((one) => (one.channel === 'console' ? [] : [{ ...one, channel: one.channel, reason: one.reason ?? 'refused' }])),
  };
}
