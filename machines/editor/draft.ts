import type { AreaName } from '#models/areas.ts';
import { modelOf } from '#models/registry.ts';
import type { Issue } from '#models/issues.ts';
import type { Problem } from '#models/problem.ts';
import type { Row } from '../rows.ts';

/** What a form edits. */
export type Draft = Readonly<Record<string, unknown>>;
/** Where in a draft: field names and places in lists, outermost first. */
export type Path = readonly (string | number)[];

/** Which kept draft: of a row, or of a new one; a page and a dialog keep theirs apart. */
export interface DraftKey {
  area: AreaName;
  id: string | null;
  place: 'page' | 'dialog';
}
/** Where a draft gets its values from besides the stored row: another row that it is a copy of, or an earlier version by its entry in the audit trail. */
export type DraftSource = { kind: 'copy' | 'version'; id: string };
/** What is told of an earlier version: when it came about, by whom, and what of it can no longer hold. */
export interface VersionFacts {
  at: string;
  by: string | null;
  lost: readonly { field: string; name: string | null }[];
}
/** What a source gave: fields in the shape of a row, laid over the stored one. */
export interface SourcedDraft {
  fields: Readonly<Record<string, unknown>>;
  version?: VersionFacts;
}
/**
 * A draft as it is kept for the case that the page goes away. `chain` (a random id made by the recallDraft port) and
 * `attempt` together name one try to store it: the idempotency key of a request is `chain:attempt`.
 */
export interface SavedDraft {
  chain: string;
  attempt: number;
  draft: Draft;
  base: Draft;
  version: number | null;
}

/** One field that two people wanted differently, or that only one of them changed; `side` says whose value is taken. */
export interface ConflictField {
  field: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  side: 'mine' | 'theirs' | null;
}
/** Somebody else saved first: their row, and the fields in which it and the draft part. */
export interface Conflict {
  row: Row;
  fields: readonly ConflictField[];
}

const isPlain = (value: unknown): value is Draft => typeof value === 'object' && value !== null && !Array.isArray(value) && !('id' in value);

/** The draft with one value replaced; what lies on the way is made where it is missing. */
export function withValue(draft: Draft, path: Path, value: unknown): Draft {
  const set = (node: unknown, [key, ...rest]: Path): unknown => {
    if (key === undefined) return value;
    if (Array.isArray(node)) return node.map((item, place) => (place === key ? set(item, rest) : item));
    const held = (typeof node === 'object' && node !== null ? node : {}) as Draft;
    return { ...held, [key]: set(held[key], rest) };
  };
  return set(draft, path) as Draft;
}

/** The value at a path. */
export const valueAt = (draft: Draft, path: Path): unknown =>
  path.reduce<unknown>(
    (node, key) => (typeof node === 'object' && node !== null ? (node as Record<string | number, unknown>)[key] : undefined),
    draft,
  );

/** What an empty form starts with, in the shape of the area's draft. An address says one value: of a list it is the only one. */
export function blankDraft(area: AreaName, preset: Draft): Draft {
  const { initial } = modelOf(area);
  const listed = ([key, value]: [string, unknown]): [string, unknown] => [
    key,
    Array.isArray((initial as Draft)[key]) && !Array.isArray(value) ? [value] : value,
  ];
  return { ...initial, ...Object.fromEntries(Object.entries(preset).map(listed)) };
}

/** What a form that edits a row starts with. */
export const draftOf = (area: AreaName, row: Row): Draft => modelOf(area).fromRow({ ...row });

function withoutPath(draft: Draft, [key, ...rest]: readonly string[]): Draft {
  if (key === undefined || !(key in draft)) return draft;
  const { [key]: held, ...others } = draft;
  if (rest.length === 0) return others;
  return isPlain(held) ? { ...draft, [key]: withoutPath(held, rest) } : draft;
}

/** The draft as it may be kept: without passwords and other secrets. */
export const withoutSecrets = (area: AreaName, draft: Draft): Draft =>
  modelOf(area).secrets.reduce((rest, path) => withoutPath(rest, path.split('.')), draft);

/** Whether saving would change anything. */
export const differs = (area: AreaName, draft: Draft, base: Draft): boolean =>
  Object.keys(modelOf(area).changes({ ...draft }, { ...base })).length > 0;

function leaves(node: Draft, prefix: readonly string[] = []): string[][] {
  return Object.entries(node).flatMap(([key, value]) => (isPlain(value) ? leaves(value, [...prefix, key]) : [[...prefix, key]]));
}
const known = (a: Draft, b: Draft): string[][] => {
  const paths = new Map([...leaves(a), ...leaves(b)].map((path) => [path.join('.'), path]));
  return [...paths.values()];
};

/**
 * Compares three versions of a row field by field, as the wire sees them. A field that only one side changed takes that
 * side by itself; where both changed it differently the person decides (`side: null`).
 */
export function compare(area: AreaName, base: Draft, mine: Draft, row: Row): Conflict {
  const model = modelOf(area);
  const theirs = draftOf(area, row);
  const [before, here, there] = [base, mine, theirs].map((draft) => model.toWire({ ...draft })) as [Draft, Draft, Draft];
  const text = (draft: Draft, path: Path) => JSON.stringify(valueAt(draft, path) ?? null);
  const fields = known(here, there).flatMap((path): ConflictField[] => {
    const [was, is, other] = [text(before, path), text(here, path), text(there, path)];
    if (is === other) return [];
    const side = other === was ? 'mine' : is === was ? 'theirs' : null;
    return [{ field: path.join('.'), base: valueAt(base, path), mine: valueAt(mine, path), theirs: valueAt(theirs, path), side }];
  });
  return { row, fields };
}

/** Their row with my values where I chose mine. */
export const merge = (area: AreaName, { row, fields }: Conflict): Draft =>
  fields.reduce((draft, { field, mine, side }) => (side === 'mine' ? withValue(draft, field.split('.'), mine) : draft), draftOf(area, row));

/** The server's findings in a refusal, by field. */
export function issuesOf({ code, data }: Problem): readonly Issue[] {
  const issues = (data as { issues?: unknown } | undefined)?.issues;
  if (Array.isArray(issues)) return issues as Issue[];
  return code === 'email_used' ? [{ path: ['email'], rule: 'email_used', params: {} }] : [];
}

const overlap = (a: Path, b: Path): boolean => a.slice(0, b.length).join('.') === b.slice(0, a.length).join('.');

/** What the server found, without the findings about a field that was changed since. */
export const stillRefused = (serverIssues: readonly Issue[], path: Path): readonly Issue[] =>
  serverIssues.filter((issue) => !overlap(issue.path, path));

/** What is wrong with a draft: by its model, and what the server found besides. */
export function findings(area: AreaName, draft: Draft, serverIssues: readonly Issue[]): readonly Issue[] {
  const own = modelOf(area).check({ ...draft });
  return [...own, ...serverIssues.filter(({ path }) => !own.some((issue) => issue.path.join('.') === path.join('.')))];
}
