import { sql } from 'drizzle-orm';
import { defineRepository } from '#server/crud/define-repository.ts';
import { jsonObject, stampsOf } from '#server/crud/json.ts';
import { forwardRules, groupForwardRules, groups } from '#server/db/schema/index.ts';

const { name, isImmediately, timeout, redirectIfError, createdAt, updatedAt } = forwardRules;

/** Forward rules in the database. A rule that groups follow is not deleted. */
export const forwardRulesRepository = defineRepository({
  area: 'forward-rules',
  table: forwardRules,
  compared: {
    name: { column: name },
    redirect_if_error: { column: redirectIfError },
    created_at: { column: createdAt },
    updated_at: { column: updatedAt },
  },
  shown: () => ({
    ...stampsOf(forwardRules),
    name: sql`${name}`,
    redirect_if_no_answer: jsonObject({ is_immediately: isImmediately, timeout }),
    redirect_if_error: sql`${redirectIfError}`,
    groups_count: sql`(select count(*)::int from ${groupForwardRules} where ${groupForwardRules.ruleId} = ${forwardRules.id})`,
  }),
  dependants: [
    {
      area: 'groups',
      where: (id) => sql`${groups.id} in (select ${groupForwardRules.groupId} from ${groupForwardRules} where ${groupForwardRules.ruleId} = ${id})`,
    },
  ],
  written: {
    name: 'name',
    redirect_if_no_answer: { parts: { is_immediately: 'isImmediately', timeout: 'timeout' } },
    redirect_if_error: 'redirectIfError',
  },
});
