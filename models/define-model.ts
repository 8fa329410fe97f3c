import { z } from 'zod';
import { type AreaHead, type AreaName, areaOf } from './areas.ts';
import { type Issue, toIssues } from './issues.ts';
import type { Feature } from './licence-info.ts';
import type { PermissionCode } from './permission-catalogue.ts';
import { withoutSignatures } from './picture-sources.ts';
import type { FilterKind, Queryable } from './query.ts';
import { secondsIn } from './time.ts';

/** A row of another area as it is shown and held in a draft: its id and what people call it. */
export const named = z.strictObject({ id: z.uuid(), name: z.string() });
export type Named = z.infer<typeof named>;
/** A group with the names from the highest one may see down to it: flats of two towers have the same name. */
export const placedGroup = z.strictObject({ ...named.shape, path: z.array(z.string()) });

/** Addresses of stored pictures: answers carry them signed, so that they open for a while (`pictureLinkSeconds`) and for nobody who makes one up. */
export const picture = z.string().meta({ kind: 'picture' });
export const portrait = z.string().meta({ kind: 'portrait' });
/** What a camera saw is looked at once it was read; portraits, logos and pictures in texts stand on a page for a working day. */
export const pictureLinkSeconds = { picture: 900, portrait: secondsIn(1, 'day'), 'rich-text': secondsIn(1, 'day') } as const;

/** A moment in seconds since 1970; 0 where there was none. */
export const epochSeconds = z.int().meta({ kind: 'epoch' });

/** What every stored row carries besides its own fields; times in ISO 8601 UTC. */
const stamps = {
  id: z.uuid(),
  version: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
};

type FieldMeta = { kind?: string; ref?: string; words?: readonly string[]; secret?: boolean; label?: boolean; min?: number; max?: number };
type Fields = Record<string, z.ZodType>;
type Draft = Record<string, unknown>;

interface Described extends FieldMeta {
  nullable: boolean;
  optional: boolean;
  inner: z.ZodType;
}
/** Schemas do not change, and each is asked about by every call and form that it is part of. */
const described = new WeakMap<z.ZodType, Described>();

function peel(schema: z.ZodType): Described {
  let inner: z.ZodType = schema;
  let meta: FieldMeta = {};
  let nullable = false;
  let optional = false;
  for (;;) {
    meta = { ...(inner.meta() as FieldMeta | undefined), ...meta };
    if (inner instanceof z.ZodNullable) nullable = true;
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) optional = true;
    if (inner instanceof z.ZodNullable || inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap() as z.ZodType;
    else if (inner instanceof z.ZodPipe) inner = (inner.in instanceof z.ZodTransform ? inner.out : inner.in) as z.ZodType;
    else return { ...meta, nullable, optional, inner };
  }
}

/** Peels optional, nullable, default and pipes off a schema and collects what its metas say. */
export function describe(schema: z.ZodType): Described {
  const known = described.get(schema) ?? peel(schema);
  described.set(schema, known);
  return known;
}

/** The dotted paths of all secrets among fields, those inside blocks too. */
const secretsIn = (fields: Fields, prefix = ''): string[] =>
  Object.entries(fields).flatMap(([key, schema]) => {
    const { secret, inner } = describe(schema);
    if (secret) return [prefix + key];
    return inner instanceof z.ZodObject ? secretsIn(inner.shape as Fields, `${prefix}${key}.`) : [];
  });

const idOf = (value: unknown): unknown => (value !== null && typeof value === 'object' && 'id' in value ? (value as { id: unknown }).id : value);

/** One draft value as the wire wants it: rows by id, empty inputs as null, numbers typed as text (comma or point) as numbers. */
function toWireValue(schema: z.ZodType, value: unknown): unknown {
  const { kind, nullable, inner } = describe(schema);
  if (value === undefined) return undefined;
  if (kind === 'rich-text' && typeof value === 'string') return withoutSignatures(value);
  if (kind === 'refs') return Array.isArray(value) ? value.map(idOf) : value;
  if (kind === 'ref') return value === '' ? null : idOf(value);
  if (typeof value === 'string' && value.trim() === '' && nullable) return null;
  if (kind === 'number' && typeof value === 'string') {
    const typed = value.trim();
    return typed === '' ? null : /^[+-]?\d+(?:[.,]\d+)?$/.test(typed) ? Number(typed.replace(',', '.')) : value;
  }
  if (inner instanceof z.ZodObject && value !== null && typeof value === 'object') return toWireObject(inner.shape as Fields, value as Draft);
  if (inner instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => toWireValue(inner.element as z.ZodType, item));
  return value;
}
const toWireObject = (fields: Fields, draft: Draft): Draft =>
  Object.fromEntries(Object.entries(fields).flatMap(([key, schema]) => (key in draft ? [[key, toWireValue(schema, draft[key])]] : [])));

/** A field as whoever makes a row sends it: what a new record has may be left out, and so may each part of a block, of one that is shaped first too. */
function withDefault(schema: z.ZodType, value: unknown): z.ZodType {
  const shaping = schema instanceof z.ZodPipe && schema.in instanceof z.ZodTransform ? schema.in : undefined;
  const block = shaping ? (schema as z.ZodPipe).out : schema;
  const isBlock = block instanceof z.ZodObject && !block.def.checks?.length && value !== null && typeof value === 'object';
  const parts = isBlock ? z.strictObject(withDefaults(block.shape as Fields, value as Draft)) : undefined;
  const field = parts ? (shaping ? z.pipe(shaping, parts) : parts) : schema;
  return describe(schema).optional || !schema.safeParse(value).success ? field : field.prefault(value);
}
const withDefaults = (fields: Fields, values: Draft): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, schema]) => [key, withDefault(schema, values[key])]));

export type RowOf<M extends { row: z.ZodType }> = z.infer<M['row']>;

interface Definition<
  Name extends AreaName,
  F extends z.ZodRawShape,
  S extends z.ZodRawShape,
  Filter extends string,
  Sort extends string,
  Unshown extends keyof F,
> {
  /** Area name, as on the wire and in permissions. */
  name: Name;
  /** The fields a person may write, as the wire has them. */
  fields: F;
  /** How rows show them, where that differs, and fields nobody writes. */
  shown: S;
  /** Initial values of a new record (spec B3); refs as rows. */
  initial: Draft;
  filters: Readonly<Record<Filter, FilterKind>>;
  sorts: readonly Sort[];
  relations?: readonly string[];
  /** Further shaping of a draft on its way to the wire, after the generic one. */
  encode?: (wire: Draft, draft: Draft) => Draft;
  /** Shaping of a row on its way into a draft, after the generic one. */
  decode?: (draft: Draft, row: Draft) => Draft;
  /** Rules that see several fields. */
  refine?: (wire: Draft) => Issue[];
  /** Fields that are sent when a row is made and never again. */
  createOnly?: readonly Unshown[];
  /** Its secrets by name, for the type of its rows; tests/house holds it against the fields themselves. */
  secretFields?: readonly Unshown[];
  /** The field that is sent as a file: rows are made and changed by a form, with POST (LIST-08). */
  formFile?: keyof F & string;
  /** The licensed feature all calls of the area belong to. */
  feature?: Feature;
  /** Fields that only holders of a permission are told: for others they are empty, and no list shows them. */
  codes?: Readonly<Record<string, PermissionCode>>;
  /** Rows are exported only by those who hold this besides. */
  exportCode?: PermissionCode;
  /** Rows are imported by those who hold this. */
  importCode?: PermissionCode;
  /** Fields of which the audit trail keeps the end only: who reads it may not see the row. */
  masked?: readonly (string & (keyof F | keyof S))[];
}

/** What a form begins with: the writable fields of a row, and what a new record has for those the row does not show. */
const writable = (keys: readonly string[], row: Draft, initial: Draft): Draft =>
  Object.fromEntries(keys.flatMap((key) => (key in row ? [[key, row[key]]] : key in initial ? [[key, initial[key]]] : [])));

const without = (fields: z.ZodRawShape, ...left: (readonly string[])[]) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !left.flat().includes(key)));

/** What is wrong with each field, and by the rules that see several with those that are right by themselves. */
function issuesOf(write: z.ZodType, refine: (wire: Draft) => Issue[], wire: Draft): Issue[] {
  const result = write.safeParse(wire);
  const issues = result.success ? [] : toIssues(result.error);
  return [...issues, ...refine(wire).filter(({ path }) => !issues.some((issue) => issue.path.join() === path.join()))];
}

/** What client and server agree on for one area. */
export function defineModel<
  const Name extends AreaName,
  F extends z.ZodRawShape,
  S extends z.ZodRawShape,
  const Filter extends string,
  const Sort extends string,
  const Unshown extends keyof F & string = never,
>(definition: Definition<Name, F, S, Filter, Sort, Unshown>) {
  const { name, fields, shown, createOnly = [], refine = () => [], encode = (wire) => wire, decode = (draft) => draft } = definition;
  const write = z.strictObject(fields);
  const secrets = secretsIn(fields as unknown as Fields);
  const row = z.strictObject({ ...stamps, ...(without(fields, secrets, createOnly, Object.keys(shown)) as Omit<F, keyof S | Unshown>), ...shown });

  const toWire = (draft: Draft): Draft => encode(toWireObject(fields as unknown as Fields, draft), draft);
  let create: typeof write | undefined;
  const fromRow = (source: Draft): Draft => decode(writable(Object.keys(fields), source, definition.initial), source);

  return {
    ...areaOf(name),
    ...definition,
    /**
     * The fields of a new row; what the initial values have, as the wire has them, may be left out. Made when it is first asked for: the console never does,
     * and would try every initial value each time it opens.
     */
    get create(): typeof write {
      return (create ??= z.strictObject(withDefaults(fields as unknown as Fields, toWire(definition.initial))) as unknown as typeof write);
    },
    relations: definition.relations ?? [],
    codes: definition.codes ?? {},
    masked: (definition.masked ?? []) as readonly string[],
    createOnly,
    write,
    patch: write.partial(),
    row,
    secrets,
    refine,
    toWire,
    fromRow,
    /** Everything wrong with a draft, by the very schema the server checks with. */
    check: (draft: Draft): Issue[] => issuesOf(write, refine, toWire(draft)),
    /** The fields of `draft` that differ from `base`, in wire shape; what a PATCH carries. */
    changes(draft: Draft, base: Draft): Draft {
      const [now, before] = [toWire(draft), toWire(base)];
      return Object.fromEntries(Object.entries(now).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key])));
    },
  };
}

/** Any area's model, for code that serves all of them. */
export interface AnyModel extends Queryable, AreaHead {
  name: AreaName;
  fields: z.ZodRawShape;
  write: z.ZodObject;
  create: z.ZodObject;
  patch: z.ZodObject;
  row: z.ZodObject;
  initial: Draft;
  /** Dotted paths of what is written and never shown; a secret inside a block is left out of what rows show by the area itself. */
  secrets: readonly string[];
  createOnly: readonly string[];
  codes: Readonly<Record<string, PermissionCode>>;
  formFile?: string | undefined;
  exportCode?: PermissionCode | undefined;
  importCode?: PermissionCode | undefined;
  /** Fields of which the audit trail keeps the end only. */
  masked: readonly string[];
  feature?: Feature | undefined;
  toWire: (draft: Draft) => Draft;
  fromRow: (row: Draft) => Draft;
  refine: (wire: Draft) => Issue[];
  check: (draft: Draft) => Issue[];
  changes: (draft: Draft, base: Draft) => Draft;
}
