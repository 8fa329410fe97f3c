import type { GeneratedGroup, GeneratedLevel } from '#models/groups.ts';

/** A level of the tree to be generated as the form holds it: numbers as they are typed. */
export interface LevelDraft {
  key: number;
  type: string;
  count: string;
  prefix: string;
  from: string;
  except: string;
  logicNumber: boolean;
  runsOn: boolean;
  startsWithParent: boolean;
}

/** A level of groups nobody has described yet. */
export const freshLevel = (key: number): LevelDraft => ({
  key,
  type: '',
  count: '1',
  prefix: '',
  from: '1',
  except: '',
  logicNumber: true,
  runsOn: false,
  startsWithParent: false,
});

const MOST = 10_000;

/** Numbers and ranges as people write them: `13, 20-22`; null where something else was typed. */
export function numbersIn(text: string): number[] | null {
  const parts = text.split(/[,;\s]+/).filter(Boolean);
  const numbers: number[] = [];
  for (const part of parts) {
    const match = /^(\d{1,7})(?:[-–](\d{1,7}))?$/.exec(part);
    if (!match) return null;
    const [first, last] = [Number(match[1]), Number(match[2] ?? match[1])];
    if (last < first || numbers.length + last - first >= MOST) return null;
    for (let number = first; number <= last; number += 1) numbers.push(number);
  }
  return numbers;
}

const whole = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN);

/** The level as the wire wants it. */
export const asLevel = (level: LevelDraft): GeneratedLevel => ({
  id: level.type,
  count: whole(level.count),
  prefix: level.prefix === '' ? null : level.prefix,
  logic_number: level.logicNumber,
  numeration: {
    from: whole(level.from),
    except: numbersIn(level.except) ?? [],
    is_in_youngest_num: level.runsOn,
    is_start_youngest_num: level.startsWithParent,
  },
});

/** Where in a proposed tree: the place among the roots, then among each one's children. */
export type Spot = readonly number[];

/** All groups of a tree. */
export const countOf = (groups: readonly GeneratedGroup[]): number => groups.reduce((sum, { children }) => sum + 1 + countOf(children), 0);

/** The tree with one group changed, or without it and all below where there is no change. */
export function replaced(groups: readonly GeneratedGroup[], [at, ...rest]: Spot, change: Partial<GeneratedGroup> | null): GeneratedGroup[] {
  return groups.flatMap((group, index) => {
    if (index !== at) return [group];
    if (rest.length > 0) return [{ ...group, children: replaced(group.children, rest, change) }];
    return change === null ? [] : [{ ...group, ...change }];
  });
}
