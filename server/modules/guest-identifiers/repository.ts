import { sql } from 'drizzle-orm';
import { byRules } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { oneGroup } from '#server/crud/group-path.ts';
import { inNameOrder, isoTime, jsonObject, oneNamed, stampsOf } from '#server/crud/json.ts';
import { accessRuleIdentifiers, accessRules, identifiers, users } from '#server/db/schema/index.ts';
import { pageOf, stateOf, visitOf } from '../identifiers/columns.ts';
import { prepareGuest, settleGuest } from './rules.ts';

/** The rules a guest was given, whoever may see them: they are told to whoever may see the key. */
const given = sql`(select coalesce(json_agg(${jsonObject({ id: accessRules.id, name: accessRules.name })} order by ${inNameOrder(accessRules.name)}, ${accessRules.id}), '[]'::json)
  from ${accessRules} join ${accessRuleIdentifiers} on ${accessRuleIdentifiers.ruleId} = ${accessRules.id} where ${accessRuleIdentifiers.identifierId} = ${identifiers.id})`;

/** The keys of guests in the database: identifiers of nobody, in the group they are let into. */
export const guestIdentifiersRepository = defineRepository({
  area: 'guest-identifiers',
  table: identifiers,
  compared: {
    name: { column: identifiers.name },
    type: { column: identifiers.type },
    guestType: { column: identifiers.guestType },
    state: { column: stateOf },
    visit: { column: visitOf },
    domain: { column: identifiers.domainId, area: 'groups' },
    last_used_at: { column: identifiers.lastUsedAt },
    created_at: { column: identifiers.createdAt },
    updated_at: { column: identifiers.updatedAt },
  },
  shown: (scope) => ({
    ...stampsOf(identifiers),
    name: sql`${identifiers.name}`,
    type: sql`${identifiers.type}`,
    value: sql`${identifiers.value}`,
    guestType: sql`${identifiers.guestType}`,
    selectedAccessRules: given,
    domain: oneGroup(scope, identifiers.domainId),
    restrictPeriod: sql`${identifiers.periodRestrictActive}`,
    validatePeriod: jsonObject({ from: isoTime(identifiers.periodRestrictFrom), to: isoTime(identifiers.periodRestrictTo) }),
    restrictPassCount: sql`${identifiers.passesRestrictActive}`,
    passLimit: sql`${identifiers.passesMaxCount}`,
    keyMessage: sql`${identifiers.keyMessage}`,
    host: oneNamed(users, sql`coalesce(${identifiers.userId}, ${identifiers.createdBy})`),
    state: stateOf,
    visit: visitOf,
    passes_count: sql`${identifiers.passesCount}`,
    url: pageOf,
    revoked_at: isoTime(identifiers.revokedAt),
    last_used_at: isoTime(identifiers.lastUsedAt),
    created_by: sql`${identifiers.createdBy}`,
  }),
  dependants: [],
  written: {
    name: 'name',
    type: 'type',
    value: byRules,
    guestType: 'guestType',
    selectedAccessRules: byRules,
    domain: 'domainId',
    restrictPeriod: 'periodRestrictActive',
    validatePeriod: { parts: { from: byRules, to: byRules } },
    restrictPassCount: 'passesRestrictActive',
    passLimit: 'passesMaxCount',
    keyMessage: 'keyMessage',
  },
  prepare: prepareGuest,
  settle: settleGuest,
});
