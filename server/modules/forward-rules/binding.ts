import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { forwardRules as model } from '#models/forward-rules.ts';
import { modelOf } from '#models/index.ts';
import type { WritableBinding } from '#server/crud/binding.ts';
import { jsonObject, stampsOf } from '#server/crud/json.ts';
import { forwardRules, groupForwardRules, groups } from '#server/db/schema/index.ts';

type Wire = z.infer<(typeof model)['write']>;
const { name, isImmediately, timeout, redirectIfError, createdAt, updatedAt } = forwardRules;

/** Forward rules in the database. A rule that groups follow is not deleted. */
export const forwardRulesBinding: WritableBinding = {
  area: 'forward-rules',
  model: modelOf('forward-rules'),
  table: forwardRules,
  compared: {
    name: { column: name },
    redirect_if_error: { column: redirectIfError },
    created_at: { column: createdAt },
    updated_at: { column: updatedAt },
  },
  links: {},
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
  columns: (fields) => {
    const { name: called, redirect_if_no_answer: noAnswer, redirect_if_error: onError } = fields as Partial<Wire>;
    return {
      ...(called !== undefined && { name: called }),
      ...(noAnswer && { isImmediately: noAnswer.is_immediately, timeout: noAnswer.timeout }),
      ...(onError !== undefined && { redirectIfError: onError }),
    };
  },
};
