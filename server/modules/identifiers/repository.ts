import { and, sql } from 'drizzle-orm';
import { byRules } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { oneGroup } from '#server/crud/group-path.ts';
import { fileUrl, isoTime, linkedRows, noRows, onlySeen, stampsOf } from '#server/crud/json.ts';
import { accessRules, identifiers, users } from '#server/db/schema/index.ts';
import { rulesOfIdentifier } from '../access-rules/links.ts';
import { inWords, ownerOf, pageOf, shownValueOf, stateOf, wordsOf } from './columns.ts';
import { beforeIdentifierDelete, prepareIdentifier } from './rules.ts';

/** Identifiers in the database. */
export const identifiersRepository = defineRepository({
  area: 'identifiers',
  table: identifiers,
  compared: {
    name: { column: identifiers.name },
    words: { columnFor: wordsOf, containing: inWords },
    type: { column: identifiers.type },
    state: { column: stateOf },
    owner: {
      column: identifiers.userId,
      area: 'users',
      order: (scope) =>
        sql`(select lower(${users.name}) from ${users} where ${and(sql`${users.id} = ${identifiers.userId}`, onlySeen(scope, 'users', users.id))})`,
    },
    owner_type: { column: identifiers.ownerType },
    guest_type: { column: identifiers.guestType },
    domain: { column: identifiers.domainId, area: 'groups' },
    onlyGuest: { column: sql`(${identifiers.ownerType} = 'guest')` },
    is_active: { column: identifiers.isActive },
    period_restrict_to: { column: identifiers.periodRestrictTo },
    last_used_at: { column: identifiers.lastUsedAt },
    created_at: { column: identifiers.createdAt },
    updated_at: { column: identifiers.updatedAt },
  },
  shown: (scope, deep) => ({
    ...stampsOf(identifiers),
    name: sql`${identifiers.name}`,
    description: sql`${identifiers.description}`,
    type: sql`${identifiers.type}`,
    value: shownValueOf,
    is_active: sql`${identifiers.isActive}`,
    owner: ownerOf(scope),
    owner_type: sql`${identifiers.ownerType}`,
    guest_type: sql`${identifiers.guestType}`,
    domain: oneGroup(scope, identifiers.domainId),
    access_rules: !deep || deep.has('access_rules') ? linkedRows(scope, rulesOfIdentifier, accessRules, identifiers.id) : noRows,
    period_restrict_active: sql`${identifiers.periodRestrictActive}`,
    period_restrict_from: isoTime(identifiers.periodRestrictFrom),
    period_restrict_to: isoTime(identifiers.periodRestrictTo),
    passes_restrict_active: sql`${identifiers.passesRestrictActive}`,
    passes_max_count: sql`${identifiers.passesMaxCount}`,
    passes_count: sql`${identifiers.passesCount}`,
    lock_numbers: sql`to_json(${identifiers.lockNumbers})`,
    onlyGuest: sql`(${identifiers.ownerType} = 'guest')`,
    photo: fileUrl(identifiers.photoFile),
    url: pageOf,
    state: stateOf,
    revoked_at: isoTime(identifiers.revokedAt),
    lost_at: isoTime(identifiers.lostAt),
    last_used_at: isoTime(identifiers.lastUsedAt),
    created_by: sql`${identifiers.createdBy}`,
  }),
  dependants: [],
  written: {
    name: 'name',
    description: 'description',
    type: 'type',
    value: byRules,
    is_active: 'isActive',
    owner: 'userId',
    owner_type: 'ownerType',
    guest_type: 'guestType',
    domain: 'domainId',
    access_rules: { link: rulesOfIdentifier },
    period_restrict_active: 'periodRestrictActive',
    period_restrict_from: byRules,
    period_restrict_to: byRules,
    passes_restrict_active: 'passesRestrictActive',
    passes_max_count: 'passesMaxCount',
    lock_numbers: 'lockNumbers',
  },
  prepare: prepareIdentifier,
  beforeDelete: beforeIdentifierDelete,
});
