import type { z } from 'zod';

/** What is wrong with one field: where, which rule (a key below `validation`), and the rule's parameters. */
export interface Issue {
  path: (string | number)[];
  rule: string;
  params: Record<string, string | number>;
}

const size = (
  issue: { minimum?: unknown; maximum?: unknown; origin?: string },
  bound: 'minimum' | 'maximum',
): [string, Record<string, string | number>] => {
  const value = Number(issue[bound]);
  if (issue.origin === 'string') return bound === 'minimum' ? ['min_length', { length: value }] : ['max_length', { length: value }];
  return bound === 'minimum' ? ['at_least', { min: value }] : ['at_most', { max: value }];
};

/** Our own schemas name the rule in the message; of zod's own messages only the end tells whether there was a value. */
const typeRule = (message: string): string =>
  /^[a-z_]+$/.test(message) ? message : /received (?:undefined|null)$/.test(message) ? 'required' : 'invalid';

function ruleOf(issue: z.core.$ZodIssue): [string, Record<string, string | number>] {
  if (issue.message === 'required') return ['required', {}];
  switch (issue.code) {
    case 'custom': {
      const { rule = 'invalid', ...params } = (issue.params ?? {}) as Record<string, string | number>;
      return [String(rule), params];
    }
    case 'too_big':
      return size(issue as never, 'maximum');
    case 'too_small':
      return size(issue as never, 'minimum');
    case 'invalid_type':
      return [typeRule(issue.message), {}];
    case 'unrecognized_keys':
      return ['unknown_field', { fields: issue.keys.join(', ') }];
    case 'invalid_value':
      return ['one_of', { values: issue.values.map(String).join(', ') }];
    default:
      return ['invalid', {}];
  }
}

/** Zod's findings in the contract's words, the first finding of a field only. */
export function toIssues(error: z.ZodError): Issue[] {
  const seen = new Set<string>();
  return error.issues.flatMap((issue) => {
    const path = issue.path.filter((part): part is string | number => typeof part !== 'symbol');
    const key = path.join('.');
    if (seen.has(key)) return [];
    seen.add(key);
    const [rule, params] = ruleOf(issue);
    return [{ path, rule, params }];
  });
}
