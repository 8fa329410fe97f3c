import { and, asc, desc, eq, gt, inArray, lt, or, type SQL, sql } from 'drizzle-orm';
import { type Conversation, type Message, messagesPage, type Recipient } from '#models/conversation-calls.ts';
import { hasPermission } from '#models/permissions.ts';
import type { TextPicture } from '#models/text-pictures.ts';
import { idArray, ownTree, peopleOf } from '#server/access/measures.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal } from '#server/context.ts';
import { pathTo } from '#server/crud/group-path.ts';
import type { Db } from '#server/db/database.ts';
import {
  conversationMembers as members,
  conversationMessages as messages,
  conversations as table,
  groups,
  messagePictures,
  roles,
  textPictures,
  userDomains,
  users,
} from '#server/db/schema/index.ts';
import { fileAddress } from '#server/files.ts';
import { HttpError } from '#server/http-error.ts';

/** So much of the last message a list shows. */
const beginning = 160;
/** So many people are offered at once. */
const mostOffered = 50;

/** Conversations that somebody takes part in, if they may read their own at all. */
const ownOnes = (principal: Principal): SQL =>
  hasPermission(principal, 'can_view_conversations')
    ? sql`${table.id} in (select ${members.conversationId} from ${members} where ${members.userId} = ${principal.id})`
    : sql`false`;

/** Conversations that somebody may read: their own, those of people of their groups, or all (PERM-39). */
export function readable(principal: Principal): SQL {
  const project = eq(table.projectId, principal.projectId);
  if (hasPermission(principal, 'can_view_all_conversations')) return project;
  const ofTree = sql`${table.id} in (select ${members.conversationId} from ${members} where ${members.userId} in ${peopleOf(ownTree(principal))})`;
  return and(project, hasPermission(principal, 'can_view_descendant_conversations') ? or(ownOnes(principal), ofTree) : ownOnes(principal)) ?? project;
}

/** A column of the conversation around: a query of one table alone says its columns without the table. */
const outer = (column: 'id' | 'last_seq'): SQL => sql`${table}.${sql.identifier(column)}`;
const memberList = sql<
  Conversation['members']
>`coalesce((select json_agg(json_build_object('id', person.id, 'name', person.name, 'read_seq', part.read_seq) order by lower(person.name), person.id)
  from ${members} part join ${users} person on person.id = part.user_id where part.conversation_id = ${outer('id')}), '[]'::json)`;
const lastOne = sql<
  Conversation['last']
>`(select json_build_object('text', left(${messages.text}, ${sql.raw(String(beginning))}), 'author_name', ${messages.authorName},
  'pictures', (select count(*)::int from ${messagePictures} where ${messagePictures.messageId} = ${messages.id}))
  from ${messages} where ${messages.conversationId} = ${outer('id')} and ${messages.seq} = ${outer('last_seq')})`;
const readUpTo = (principal: Principal): SQL<number | null> =>
  sql`(select ${members.readSeq} from ${members} where ${members.conversationId} = ${outer('id')} and ${members.userId} = ${principal.id})`;

async function select(db: Db, principal: Principal, where: SQL | undefined, page: { offset: number; limit: number }): Promise<Conversation[]> {
  const rows = await db
    .select({
      id: table.id,
      title: table.title,
      members: memberList,
      lastSeq: table.lastSeq,
      lastAt: table.lastAt,
      last: lastOne,
      read: readUpTo(principal),
      createdAt: table.createdAt,
    })
    .from(table)
    .where(where)
    .orderBy(desc(table.lastAt), desc(table.id))
    .offset(page.offset)
    .limit(page.limit);
  return rows.map(({ lastSeq, lastAt, read, createdAt, ...row }) => ({
    ...row,
    last_seq: lastSeq,
    last_at: lastAt.toISOString(),
    unread: read === null ? 0 : Math.max(0, lastSeq - read),
    is_member: read !== null,
    created_at: createdAt.toISOString(),
  }));
}

/** A page of conversations, how many there are, and how many messages somebody has not read in all of theirs. */
export async function readConversations(
  db: Db,
  principal: Principal,
  { of, offset, limit }: { of: 'own' | 'all'; offset: number; limit: number },
): Promise<{ items: Conversation[]; total: number; unread: number }> {
  const where = of === 'all' ? readable(principal) : and(eq(table.projectId, principal.projectId), ownOnes(principal));
  const items = await select(db, principal, where, { offset, limit });
  const total = await db.$count(table, where);
  const [count] = await db
    .select({ unread: sql<number>`coalesce(sum(${table.lastSeq} - ${members.readSeq}), 0)::int` })
    .from(table)
    .innerJoin(members, eq(members.conversationId, table.id))
    .where(and(eq(table.projectId, principal.projectId), eq(members.userId, principal.id), ownOnes(principal)));
  return { items, total, unread: count?.unread ?? 0 };
}

/** One conversation. @throws HttpError `not_found` also for one that somebody may not read */
export async function readConversation(db: Db, principal: Principal, id: string): Promise<Conversation> {
  const [found] = await select(db, principal, and(eq(table.id, id), readable(principal)), { offset: 0, limit: 1 });
  if (!found) throw new HttpError('not_found');
  return found;
}

type StoredMessage = typeof messages.$inferSelect;
const shownWith = ({ id, seq, authorId, authorName, clientId, text, createdAt }: StoredMessage, pictures: TextPicture[]): Message => ({
  id,
  seq,
  author_id: authorId,
  author_name: authorName,
  client_id: clientId,
  text,
  pictures,
  created_at: createdAt.toISOString(),
});

/** Messages as the contract has them, with their pictures. */
export async function shown(db: Db, rows: readonly StoredMessage[]): Promise<Message[]> {
  const found = await db
    .select({ messageId: messagePictures.messageId, id: textPictures.id, width: textPictures.width, height: textPictures.height })
    .from(messagePictures)
    .innerJoin(textPictures, eq(textPictures.id, messagePictures.pictureId))
    .where(
      inArray(
        messagePictures.messageId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(messagePictures.place));
  return rows.map((row) =>
    shownWith(
      row,
      found.flatMap(({ messageId, id, ...size }) => (messageId === row.id ? [{ id, url: fileAddress(id) ?? '', ...size }] : [])),
    ),
  );
}

/** Messages in order: the last ones, those before a number, or those after one; and whether there are more in that direction. */
export async function readMessages(
  db: Db,
  principal: Principal,
  id: string,
  { before, after }: { before?: number | undefined; after?: number | undefined },
): Promise<{ items: Message[]; more: boolean }> {
  await readConversation(db, principal, id);
  const bound = after === undefined ? (before === undefined ? undefined : lt(messages.seq, before)) : gt(messages.seq, after);
  const rows = await db
    .select()
    .from(messages)
    .where(and(eq(messages.conversationId, id), bound))
    .orderBy(after === undefined ? desc(messages.seq) : asc(messages.seq))
    .limit(messagesPage + 1);
  const items = await shown(db, rows.slice(0, messagesPage));
  return { items: after === undefined ? items.toReversed() : items, more: rows.length > messagesPage };
}

const mayRead = sql`${roles.permissions} @> array['can_view_conversations']`;
const acceptsBelow = sql`${roles.permissions} @> array['can_accept_conversations_from_descendant_users']`;
const atDesk = sql<boolean>`${roles.permissions} @> array['can_receive_call_as_concierge'] and ${acceptsBelow}`;
const typed = (search: string): string =>
  `%${search
    .trim()
    .toLowerCase()
    .replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** The groups of somebody and all above them: whoever belongs to these looks after them. */
const above = (principal: Principal): SQL =>
  sql`(select unnest(${groups.path}) from ${groups} where ${groups.id} = any(${idArray(principal.domains)}))`;

/**
 * People somebody may write to, who can read it: everybody for who may message all; else those they see, and those above them who accept
 * conversations from people of their subgroups (PERM-40).
 */
export function reachable(principal: Principal): SQL {
  const there = sql`${users.projectId} = ${principal.projectId} and ${users.id} <> ${principal.id} and ${mayRead}`;
  if (hasPermission(principal, 'can_send_conversations_to_all')) return there;
  const accepts = sql`(${acceptsBelow} and ${users.id} in (select ${userDomains.userId} from ${userDomains} where ${userDomains.groupId} in ${above(principal)}))`;
  return sql`${there} and (${viewable(scopeOf(principal), 'users')} or ${accepts})`;
}

/** People to write to: by name, of a group, or at the desk; those of the desk first. */
export async function readRecipients(
  db: Db,
  principal: Principal,
  { search = '', group, desk }: { search?: string | undefined; group?: string | undefined; desk?: 'yes' | undefined },
): Promise<Recipient[]> {
  const place = sql<
    string[] | null
  >`(select ${pathTo(scopeOf(principal), userDomains.groupId)} from ${userDomains} where ${userDomains.userId} = ${users.id} limit 1)`;
  const ofGroup =
    group && sql`${users.id} in ${peopleOf(sql`array(select ${groups.id} from ${groups} where ${groups.path} @> ${idArray([group])})`)}`;
  const rows = await db
    .select({ id: users.id, name: users.name, place, isDesk: atDesk })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(
      and(
        reachable(principal),
        search.trim() === '' ? undefined : sql`lower(${users.name}) like ${typed(search)}`,
        ofGroup || undefined,
        desk && atDesk,
      ),
    )
    .orderBy(desc(atDesk), sql`lower(${users.name})`, users.id)
    .limit(mostOffered);
  return rows.map(({ isDesk, place: path, ...row }) => ({
    ...row,
    place: path && path.length > 0 ? path.slice(-2).join(' · ') : null,
    is_desk: isDesk,
  }));
}
