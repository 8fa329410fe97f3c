import { type SQL, sql } from 'drizzle-orm';
import { withdrawDeleted } from '#server/announces/life.ts';
import { byRules, type Link } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { namesAlong } from '#server/crud/group-path.ts';
import { isoTime, linkedRows, stampsOf } from '#server/crud/json.ts';
import {
  announceGroups,
  announceMarkers,
  announceMessages,
  announceRecipients,
  announceRoles,
  announces,
  announceUsers,
  announceVotes,
  groups,
  markers,
  roles,
  users,
} from '#server/db/schema/index.ts';
import { prepareAnnounce, settleAnnounce } from './rules.ts';

const { id, type, status, title, body, sendVia, answers, customAnswer, executeAt, endsAt, startedAt, endedAt, createdAt, updatedAt, createdBy } =
  announces;

const toUsers: Link = { area: 'users', table: announceUsers, own: announceUsers.announceId, other: announceUsers.userId };
const toGroups: Link = { area: 'groups', table: announceGroups, own: announceGroups.announceId, other: announceGroups.groupId };
const toRoles: Link = { area: 'roles', table: announceRoles, own: announceRoles.announceId, other: announceRoles.roleId };
const toMarkers: Link = { area: 'markers', table: announceMarkers, own: announceMarkers.announceId, other: announceMarkers.markerId };

const recipients = (which: SQL): SQL =>
  sql`(select count(*)::int from ${announceRecipients} where ${announceRecipients.announceId} = ${id} and ${which})`;

/** Announcements in the database. */
export const announcesRepository = defineRepository({
  area: 'announces',
  table: announces,
  compared: {
    title: { column: title },
    type: { column: type },
    status: { column: status },
    domains: { link: toGroups },
    execute_at: { column: executeAt },
    started_at: { column: startedAt },
    created_at: { column: createdAt },
    updated_at: { column: updatedAt },
  },
  shown: (scope) => ({
    ...stampsOf(announces),
    type: sql`${type}`,
    title: sql`${title}`,
    body: sql`${body}`,
    send_via: sql`array_to_json(${sendVia})`,
    users: linkedRows(scope, toUsers, users, id),
    domains: linkedRows(scope, toGroups, groups, id, { path: namesAlong(scope, groups.path) }),
    roles: linkedRows(scope, toRoles, roles, id),
    markers: linkedRows(scope, toMarkers, markers, id, { color: markers.color }),
    execute_at: isoTime(executeAt),
    ends_at: isoTime(endsAt),
    answers: sql`${answers}`,
    custom_answer: sql`${customAnswer}`,
    status: sql`${status}`,
    started_at: isoTime(startedAt),
    ended_at: isoTime(endedAt),
    recipients_count: recipients(sql`true`),
    seen_count: recipients(sql`${announceRecipients.seenAt} is not null`),
    answers_count: sql`(select count(*)::int from ${announceVotes} where ${announceVotes.announceId} = ${id})`,
    failed_count: sql`(select count(*)::int from ${announceMessages} where ${announceMessages.announceId} = ${id} and ${announceMessages.state} = 'failed')`,
    created_by: sql`${createdBy}`,
  }),
  dependants: [],
  written: {
    type: 'type',
    title: 'title',
    body: 'body',
    send_via: 'sendVia',
    users: { link: toUsers },
    domains: { link: toGroups },
    roles: { link: toRoles },
    markers: { link: toMarkers },
    execute_at: byRules,
    ends_at: byRules,
    answers: 'answers',
    custom_answer: 'customAnswer',
  },
  prepare: prepareAnnounce,
  settle: settleAnnounce,
  beforeDelete: ({ tx, principal, id, at }) => withdrawDeleted(tx, principal, id, at),
});
