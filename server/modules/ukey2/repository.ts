import { and, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Ukey2State } from '#models/ukey2.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { isoTime, onlySeen, stampsOf } from '#server/crud/json.ts';
import { identifiers, ukey2Activations, users } from '#server/db/schema/index.ts';
import { ownerOf, stateOf } from '../identifiers/columns.ts';
import { prepareUkey2, settleUkey2 } from './rules.ts';

const activation = (column: PgColumn | SQL): SQL =>
  sql`(select ${column} from ${ukey2Activations} where ${ukey2Activations.identifierId} = ${identifiers.id})`;
const ukey2StateOf = sql<Ukey2State>`case when ${stateOf} = 'active' and ${activation(ukey2Activations.activatedAt)} is null
  then 'waiting' else ${stateOf} end`;

/** Mobile keys in the database: identifiers that a phone holds. */
export const ukey2Repository = defineRepository({
  area: 'ukey2',
  table: identifiers,
  compared: {
    name: { column: identifiers.name },
    state: { column: ukey2StateOf },
    owner: {
      column: identifiers.userId,
      area: 'users',
      order: (scope) =>
        sql`(select lower(${users.name}) from ${users} where ${and(sql`${users.id} = ${identifiers.userId}`, onlySeen(scope, 'users', users.id))})`,
    },
    last_used_at: { column: identifiers.lastUsedAt },
    created_at: { column: identifiers.createdAt },
    updated_at: { column: identifiers.updatedAt },
  },
  shown: (scope) => ({
    ...stampsOf(identifiers),
    name: sql`${identifiers.name}`,
    description: sql`${identifiers.description}`,
    owner: ownerOf(scope),
    state: ukey2StateOf,
    phone: activation(ukey2Activations.phone),
    activated_at: activation(isoTime(ukey2Activations.activatedAt)),
    code_until: activation(isoTime(ukey2Activations.codeUntil)),
    revoked_at: isoTime(identifiers.revokedAt),
    lost_at: isoTime(identifiers.lostAt),
    last_used_at: isoTime(identifiers.lastUsedAt),
    passes_count: sql`${identifiers.passesCount}`,
    created_by: sql`${identifiers.createdBy}`,
  }),
  dependants: [],
  written: { name: 'name', owner: 'userId', description: 'description' },
  prepare: prepareUkey2,
  settle: settleUkey2,
});
