import type { z } from 'zod';
import { toIssues } from '#models/issues.ts';
import { HttpError } from '../http-error.ts';

/** The parts of a path; an id that cannot be one names nothing. */
export function readParams(schema: z.ZodType, given: unknown): unknown {
  const result = schema.safeParse(given);
  if (!result.success) throw new HttpError('not_found');
  return result.data;
}

/** What stands behind the question mark, each name once; a name the call does not know is refused, never ignored. */
export function readQueryString(schema: z.ZodType | undefined, given: unknown): Record<string, string> {
  const query = given as Record<string, string | string[]>;
  for (const [parameter, value] of Object.entries(query)) {
    if (typeof value !== 'string') throw new HttpError('wrong_parameters', { parameter, value: value.join(',').slice(0, 64) });
    if (!schema) throw new HttpError('wrong_parameters', { parameter: parameter.slice(0, 64), value: value.slice(0, 64) });
  }
  const result = schema?.safeParse(query);
  if (result && !result.success) {
    const [issue] = result.error.issues;
    const parameter = issue?.code === 'unrecognized_keys' ? (issue.keys[0] ?? '') : String(issue?.path[0] ?? '');
    throw new HttpError('wrong_parameters', { parameter: parameter.slice(0, 64), value: String(query[parameter] ?? '').slice(0, 64) });
  }
  return (result?.data ?? {}) as Record<string, string>;
}

/** The body as the call's schema reads it; a body where none is expected is refused unless it is empty. */
export function readBody(schema: z.ZodType, given: unknown): unknown {
  const result = schema.safeParse(given ?? undefined);
  if (!result.success) throw new HttpError('invalid_data', { issues: toIssues(result.error) });
  return result.data;
}
