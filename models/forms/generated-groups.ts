import { z } from 'zod';
import { defineForm } from '../define-form.ts';
import { type GeneratedGroup, generatedLevel, type GeneratedLevel } from '../groups.ts';
import { type Issue, toIssues } from '../issues.ts';

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

const levelsOf = z.object({ levels: z.array(generatedLevel).min(1).max(6) });
/** Wire field → field of the level as it is typed. */
const fieldOf: Readonly<Record<string, keyof LevelDraft>> = { id: 'type' };

/** What is wrong with the levels: `levels`, place, field. */
function issuesIn(levels: readonly LevelDraft[]): Issue[] {
  const read = levelsOf.safeParse({ levels: levels.map(asLevel) });
  const found = (read.success ? [] : toIssues(read.error)).map((issue) => {
    const [, at = 0, ...rest] = issue.path;
    const last = String(rest.at(-1));
    return { ...issue, path: ['levels', at, fieldOf[last] ?? last] };
  });
  const unread = levels.flatMap(({ except }, at): Issue[] =>
    numbersIn(except) === null ? [{ path: ['levels', at, 'except'], rule: 'invalid', params: {} }] : [],
  );
  return [...found, ...unread];
}

/** Groups to be generated below one: levels as they are typed, then the proposed tree as it is looked over. */
export const generatedGroupsForm = defineForm({
  name: 'generated-groups',
  call: 'generateGroups',
  start: (): { levels: readonly LevelDraft[]; proposed: readonly GeneratedGroup[] | null } => ({ levels: [freshLevel(1)], proposed: null }),
  read: ({ levels }, _base, { id }: { id: string }) => {
    const issues = issuesIn(levels);
    return issues.length > 0 ? { issues } : { input: { params: { id }, body: { levels: levels.map(asLevel) } } };
  },
});
