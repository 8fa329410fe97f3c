import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Message, newConversation, newMessage } from '#models/conversation-calls.ts';
import { topics } from '#models/realtime.ts';
import { idArray } from '#server/access/measures.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { transact } from '#server/crud/write.ts';
import type { Db } from '#server/db/database.ts';
import {
  conversationMembers as members,
  conversationMessages as messages,
  conversations as table,
  messagePictures,
  notifications,
  roles,
  users,
} from '#server/db/schema/index.ts';
import { HttpError, invalidField, unknownRelated } from '#server/http-error.ts';
import { announce } from '#server/realtime/publish.ts';
import { markAsRead, notify } from '../notifications/notify.ts';
import { usablePictures } from '../text-pictures.ts';
import { readable, reachable, shown } from './read.ts';

/** Tells all who take part, on every page of theirs, that the conversation is another. */
async function notifyMembers(tx: Db, projectId: string, id: string, people: readonly string[]): Promise<void> {
  await announce(
    tx,
    people.map((user) => ({ project: projectId, topic: topics.user(user), name: 'ConversationChanged' as const, payload: { id } })),
  );
}

const membersOf = async (tx: Db, id: string): Promise<string[]> =>
  (await tx.select({ id: members.userId }).from(members).where(eq(members.conversationId, id))).map((row) => row.id);

interface Written {
  conversation: string;
  clientId: string;
  text: string;
  pictures: readonly string[];
  at: Date;
}

async function shownOne(tx: Db, row: typeof messages.$inferSelect): Promise<Message> {
  const [message] = await shown(tx, [row]);
  if (!message) throw new Error('a message was not kept');
  return message;
}

/** Adds a message at the end; its author has read up to it. */
async function addMessage(tx: Db, principal: Principal, { conversation, clientId, text, pictures, at }: Written): Promise<Message> {
  const [held] = await tx
    .update(table)
    .set({ lastSeq: sql`${table.lastSeq} + 1`, lastAt: at, updatedAt: at })
    .where(eq(table.id, conversation))
    .returning({ seq: table.lastSeq });
  if (!held) throw new HttpError('not_found');
  const [row] = await tx
    .insert(messages)
    .values({ conversationId: conversation, seq: held.seq, authorId: principal.id, authorName: principal.name, clientId, text, createdAt: at })
    .returning();
  if (!row) throw new Error('a message was not kept');
  if (pictures.length > 0) {
    if ((await usablePictures(tx, principal, pictures)).length < pictures.length) throw invalidField(['pictures'], 'picture_gone');
    await tx.insert(messagePictures).values(pictures.map((pictureId, place) => ({ messageId: row.id, pictureId, place })));
  }
  await tx
    .update(members)
    .set({ readSeq: held.seq })
    .where(and(eq(members.conversationId, conversation), eq(members.userId, principal.id)));
  return shownOne(tx, row);
}

/** Begins a conversation with its first message. @throws HttpError `own_conversation`, `invalid_related` for people one may not write to */
export function createConversation(services: Services, principal: Principal, wanted: z.output<typeof newConversation>): Promise<string> {
  const { title, recipients, text, pictures, client_id: clientId } = wanted;
  if (recipients.includes(principal.id)) throw new HttpError('own_conversation');
  const { projectId } = principal;
  return transact(services, async (tx) => {
    // Whoever sends the same beginning twice waits here for the first one.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${principal.id} ${clientId}`}, 0))`);
    const [sent] = await tx
      .select({ id: messages.conversationId })
      .from(messages)
      .where(and(eq(messages.authorId, principal.id), eq(messages.clientId, clientId)));
    if (sent) return sent.id;
    const allowed = await tx
      .select({ id: users.id })
      .from(users)
      .innerJoin(roles, eq(roles.id, users.roleId))
      .where(and(sql`${users.id} = any(${idArray(recipients)})`, reachable(principal)));
    if (allowed.length < recipients.length) throw unknownRelated(['recipients']);
    const at = services.now();
    const [row] = await tx
      .insert(table)
      .values({ projectId, title, createdBy: principal.id, createdAt: at, updatedAt: at, lastAt: at })
      .returning({ id: table.id });
    if (!row) throw new Error('a conversation was not kept');
    await tx.insert(members).values([principal.id, ...recipients].map((userId) => ({ conversationId: row.id, userId })));
    await addMessage(tx, principal, { conversation: row.id, clientId, text, pictures, at });
    await notifyMembers(tx, projectId, row.id, [principal.id, ...recipients]);
    const data = { conversation_id: row.id, title, user: { id: principal.id, name: principal.name } };
    await notify(tx, { projectId, type: 'conversation_received', data, at }, recipients);
    await audit(tx, principal, { area: 'conversations', action: 'create', entityId: row.id, entityName: title }, at);
    return row.id;
  });
}

/** A conversation that somebody takes part in, held until the transaction ends. */
async function heldByMember(tx: Db, principal: Principal, id: string): Promise<{ title: string; lastSeq: number }> {
  const [found] = await tx
    .select({ title: table.title, lastSeq: table.lastSeq })
    .from(table)
    .where(and(eq(table.id, id), readable(principal)))
    .for('update');
  if (!found) throw new HttpError('not_found');
  const isMember = await tx.$count(members, and(eq(members.conversationId, id), eq(members.userId, principal.id)));
  if (isMember === 0) throw new HttpError('forbidden');
  return found;
}

/** Of one conversation each person has one notice that is unread: what comes meanwhile is found behind it. */
const withoutNotice = (id: string, people: readonly string[]) =>
  sql`(select person.id from unnest(${idArray(people)}) person(id) where not exists (select 1 from ${notifications}
    where ${notifications.userId} = person.id and ${notifications.readAt} is null and ${notifications.data} ->> 'conversation_id' = ${id}))`;

/** Sends a message once, however often it is sent. @throws HttpError `not_found`, `forbidden` for who only looks on */
export function sendMessage(
  services: Services,
  principal: Principal,
  id: string,
  { client_id: clientId, text, pictures }: z.output<typeof newMessage>,
): Promise<Message> {
  return transact(services, async (tx) => {
    const { title } = await heldByMember(tx, principal, id);
    const [sent] = await tx
      .select()
      .from(messages)
      .where(and(eq(messages.conversationId, id), eq(messages.authorId, principal.id), eq(messages.clientId, clientId)));
    if (sent) return shownOne(tx, sent);
    const at = services.now();
    const message = await addMessage(tx, principal, { conversation: id, clientId, text, pictures, at });
    const people = await membersOf(tx, id);
    await notifyMembers(tx, principal.projectId, id, people);
    const others = people.filter((person) => person !== principal.id);
    const data = { conversation_id: id, title, user: { id: principal.id, name: principal.name } };
    if (others.length > 0)
      await notify(
        tx,
        { projectId: principal.projectId, type: 'conversation_message_received', data, at },
        sql`select id from ${withoutNotice(id, others)} notified`,
      );
    return message;
  });
}

/** Marks messages up to a number as read, and what was told of them. Whoever only looks on leaves no mark. */
export function markRead(services: Services, principal: Principal, id: string, seq: number): Promise<void> {
  return transact(services, async (tx) => {
    const [found] = await tx
      .select({ lastSeq: table.lastSeq })
      .from(table)
      .where(and(eq(table.id, id), readable(principal)));
    if (!found) throw new HttpError('not_found');
    const upTo = Math.min(seq, found.lastSeq);
    const marked = await tx
      .update(members)
      .set({ readSeq: upTo })
      .where(and(eq(members.conversationId, id), eq(members.userId, principal.id), sql`${members.readSeq} < ${upTo}`))
      .returning({ id: members.userId });
    await markAsRead(tx, principal, sql`${notifications.data} ->> 'conversation_id' = ${id}`, services.now());
    if (marked.length > 0) await notifyMembers(tx, principal.projectId, id, await membersOf(tx, id));
  });
}

/** Deletes a conversation for all who take part. @throws HttpError `not_found` for one that somebody may not read */
export function deleteConversation(services: Services, principal: Principal, id: string): Promise<void> {
  return transact(services, async (tx) => {
    const [found] = await tx
      .select({ title: table.title })
      .from(table)
      .where(and(eq(table.id, id), readable(principal)))
      .for('update');
    if (!found) throw new HttpError('not_found');
    const people = await membersOf(tx, id);
    await audit(tx, principal, { area: 'conversations', action: 'delete', entityId: id, entityName: found.title }, services.now());
    await tx.delete(table).where(eq(table.id, id));
    await notifyMembers(tx, principal.projectId, id, people);
  });
}
