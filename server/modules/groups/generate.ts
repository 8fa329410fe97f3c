import { groups as model, type GeneratedGroup, type GeneratedLevel } from '#models/groups.ts';
import { invalidField, HttpError } from '#server/http-error.ts';
import { deepest } from './tree-moves.ts';

/** How many groups may be made at once. */
const mostGenerated = 10_000;

/** The number of a group of the level above, as far as there is one. */
type ParentNumber = string | null;

/** Counts upwards from a level's first number, leaving out what is excepted. */
function* count({ from, except }: GeneratedLevel['numeration']): Generator<number, never> {
  const left = new Set(except);
  for (let number = from; ; number += 1) if (!left.has(number)) yield number;
}

/** How many groups a proposal would have, all levels together. */
export const sizeOf = (levels: readonly GeneratedLevel[]): number =>
  levels.reduce<{ inLevel: number; all: number }>(
    ({ inLevel, all }, level) => ({ inLevel: inLevel * level.count, all: all + inLevel * level.count }),
    { inLevel: 1, all: 0 },
  ).all;

/** @throws HttpError `limit_exceeded` when there are more groups than may be made at once */
function requireSize(size: number): void {
  if (size > mostGenerated) throw new HttpError('limit_exceeded', { used: size, max: mostGenerated });
}

/** One group's number as it is written: behind its parent's where the level says so, then with at least two digits. */
const written = ({ is_start_youngest_num }: GeneratedLevel['numeration'], parent: ParentNumber, number: number): string =>
  is_start_youngest_num && parent !== null ? `${parent}${String(number).padStart(2, '0')}` : String(number);

/**
 * Proposes a tree below a group: each level `count` groups under every group of the level above. Nothing is stored.
 * @param logicTypes types of groups that have a logical address
 */
export function generate(
  levels: readonly GeneratedLevel[],
  parent: { logicAddress: string | null },
  logicTypes: ReadonlySet<string>,
): GeneratedGroup[] {
  requireSize(sizeOf(levels));
  // Counts that run on through all parents are kept here, one a level.
  const running = levels.map(({ numeration }) => count(numeration));
  const build = (depth: number, above: ParentNumber): GeneratedGroup[] => {
    const level = levels[depth];
    const shared = running[depth];
    if (!level || !shared) return [];
    const numbers = level.numeration.is_in_youngest_num ? shared : count(level.numeration);
    return Array.from({ length: level.count }, () => {
      const number = written(level.numeration, above, numbers.next().value);
      return {
        name: nameOf(`${level.prefix ?? ''}${number}`, depth),
        domain_type_id: level.id,
        logic_address: level.logic_number && logicTypes.has(level.id) ? number : null,
        children: build(depth + 1, number),
      };
    });
  };
  return build(0, parent.logicAddress);
}

/** A name made of prefix and number obeys the rule of names like any other. */
function nameOf(text: string, depth: number): string {
  const result = model.write.shape.name.safeParse(text);
  if (!result.success) throw invalidField(['levels', depth, 'prefix'], 'name_characters');
  return result.data;
}

/** How many groups a proposal holds and how many levels, counted without trusting its depth. */
export function measure(proposal: readonly GeneratedGroup[]): { size: number; levels: number } {
  let size = 0;
  let levels = 0;
  for (let level = proposal; level.length > 0; level = level.flatMap(({ children }) => children)) {
    size += level.length;
    levels += 1;
    requireSize(size);
    if (levels > deepest) throw invalidField(['groups'], 'too_deep', { max: deepest });
  }
  return { size, levels };
}
