import { isId, type Problem } from '#models/problem.ts';
import type { Draft } from './draft.ts';
import { problemOf } from '../port.ts';

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
export function problemIn(error: unknown, draft: Draft): Problem {
  const problem = problemOf(error);
  if (problem.code !== 'invalid_related') return problem;
  const { names, ids } = (problem.data ?? {}) as { names?: unknown; ids?: unknown };
  const known = rowsIn(draft);
  const said = [names, ids].flatMap((list) => (Array.isArray(list) ? list.map(String) : []));
  return { ...problem, data: { names: said.flatMap((name) => known.get(name) ?? (isId(name) ? [] : [name])) } };
}
