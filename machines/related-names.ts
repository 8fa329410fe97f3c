import type { Problem } from '#models/problem.ts';
import type { Draft } from './draft.ts';
import { problemOf } from './port.ts';

const isId = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** Every row that a draft names, by its id; looks into lists and blocks. */
function rowsIn(value: unknown, into = new Map<string, string>()): Map<string, string> {
  if (value === null || typeof value !== 'object') return into;
  const { id, name } = value as { id?: unknown; name?: unknown };
  if (typeof id === 'string' && typeof name === 'string') into.set(id, name);
  for (const part of Object.values(value)) rowsIn(part, into);
  return into;
}

/**
 * Why a save was refused. Where related rows are the reason, the server says the ids it was sent, for it may not tell their
 * names; the draft knows them. An id that nobody knows is left out.
 */
export function refusalOf(error: unknown, draft: Draft): Problem {
  const problem = problemOf(error);
  const { names } = (problem.data ?? {}) as { names?: unknown };
  if (problem.code !== 'invalid_related' || !Array.isArray(names)) return problem;
  const known = rowsIn(draft);
  return { ...problem, data: { names: names.map(String).flatMap((name) => known.get(name) ?? (isId(name) ? [] : [name])) } };
}
