import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { type AreaName, areaNames } from '#models/areas.ts';
import { type AnyModel, describe } from '#models/define-model.ts';
import { durationText, lengthOf, secondsIn, utc } from '#models/time.ts';
import { localTime } from '#models/zone.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { users } from '../db/schema/index.ts';
import { loadAreaTexts, wordsOf } from '../texts.ts';
import { schemaOf, valueOf } from './export-columns.ts';
import type { Row } from './repository.ts';
import type { Cell } from './workbook.ts';

/** How a table shows its columns and what stands in them. */
export interface Look {
  head: (column: string) => string;
  cell: (row: Row, column: string) => Cell;
}
/** The text of a key in the reader's language; null where there is none. */
type Word = (key: string) => string | null;
/** What an area has to say in its own way: the areas whose texts it needs besides its own, and its cells by column. */
interface OwnCells {
  texts: readonly AreaName[];
  cells: Readonly<Record<string, (value: unknown, row: Row, word: Word) => string>>;
}

const areaText = (area: string, word: Word): string => word(`areas.${area}.title`) ?? word(`list.audit.areas.${area}`) ?? area;
const fieldText = (area: string, field: string, word: Word): string =>
  word(`areas.${area}.fields.${field}`) ?? word(`list.audit.fields.${field}`) ?? field.replaceAll('_', ' ');

const ownCells: Partial<Record<AreaName, OwnCells>> = {
  'audit-events': {
    texts: areaNames,
    cells: {
      area: (area, _row, word) => areaText(String(area), word),
      changes: (changes, { area }, word) =>
        Object.entries(changes as Record<string, { before: unknown; after: unknown }>)
          .map(([field, { before, after }]) => `${fieldText(String(area), field, word)}: ${textOf(before) || '—'} → ${textOf(after) || '—'}`)
          .join('; '),
    },
  },
  'call-history': {
    texts: [],
    cells: { duration: (seconds) => durationText(Number(seconds)), waited: (seconds) => durationText(Number(seconds)) },
  },
  'device-tasks': {
    texts: ['devices'],
    cells: { error: (error, _row, word) => word(`areas.devices.reasons.${String(error)}`) ?? String(error) },
  },
};

/** Rows of other areas by name; of what has no name all that it holds. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return `${value as string | number | boolean}`;
  if (Array.isArray(value)) return value.map(textOf).join(value.some((item) => typeof item === 'object') ? '; ' : ', ');
  if ('name' in value) return textOf(value.name);
  return Object.values(value)
    .map(textOf)
    .filter((text) => text !== '')
    .join(' ');
}

/** The moment that a column holds, in ms; null where it holds none, or something else. */
function momentOf(schema: z.ZodType | undefined, value: unknown): number | null {
  if (!schema) return null;
  const { inner, kind } = describe(schema);
  if (kind === 'epoch') return Number(value) > 0 ? lengthOf(Number(value), 'second') : null;
  return inner instanceof z.ZodISODateTime ? Date.parse(String(value)) : null;
}

/** Seconds since midnight as a clock says them; the last of a day is its end. */
const timeOfDayText = (seconds: number): string => (seconds === secondsIn(1, 'day') ? '24:00' : utc(lengthOf(seconds, 'second')).format('HH:mm'));

/** What a moment (ms) is by the clocks of a person: what a workbook calls one, or text in the order of their profile. */
async function clockOf(db: Db, id: string, format: 'csv' | 'xlsx'): Promise<(moment: number) => Cell> {
  const [reader] = await db
    .select({ zoneHours: users.timeZone, zoneName: users.timeZoneName, timeFormat: users.timeFormat })
    .from(users)
    .where(eq(users.id, id));
  const { timeFormat, ...zone } = reader ?? { zoneHours: 0, zoneName: null, timeFormat: 'YYYY-MM-DD' };
  return (moment) => {
    const local = localTime(zone, moment);
    return format === 'xlsx' ? new Date(local) : utc(local).format(`${timeFormat} HH:mm:ss`);
  };
}

/**
 * How a table looks to the person it is made for: headings and values in their language, moments by their clocks.
 */
export async function readableLook(
  { db }: Services,
  { id, locale }: Principal,
  model: AnyModel,
  { format, columns }: { format: 'csv' | 'xlsx'; columns: readonly string[] },
): Promise<Look> {
  const { name: area } = model;
  const own = ownCells[area];
  await Promise.all([...new Set([area, ...(own?.texts ?? [])])].map(loadAreaTexts));
  const timeOf = await clockOf(db, id, format);
  const word: Word = (key) => wordsOf(locale, key);
  const headOf = (column: string): string => word(`areas.${area}.searched.${column}`) ?? word(`areas.${area}.fields.${column}`) ?? column;
  /** What stands for itself, in words where there are some: those of a closed set have them, and nothing else is looked up. */
  const said = (schema: z.ZodType | undefined, column: string, value: unknown): Cell => {
    if (typeof value === 'boolean') return word(value ? 'list.yes' : 'list.no') ?? value;
    const { inner, words, kind }: Partial<ReturnType<typeof describe>> = schema ? describe(schema) : {};
    // One that is no moment stands for none.
    if (kind === 'epoch') return '';
    if (typeof value === 'number') return kind === 'time-of-day' ? timeOfDayText(value) : value;
    if (inner instanceof z.ZodArray && Array.isArray(value) && inner.element instanceof z.ZodEnum)
      return value.map((each) => said(inner.element as z.ZodType, column, each)).join('; ');
    const isChoice = typeof value === 'string' && (words !== undefined || inner instanceof z.ZodEnum);
    return (isChoice ? word(`areas.${area}.options.${column}.${value}`) : null) ?? textOf(value);
  };
  const heads = columns.map(headOf);
  return {
    // A part is called by its block only where another column is called the same.
    head: (column) => {
      const own = headOf(column);
      const [block = '', part] = column.split('.');
      return part === undefined || heads.filter((head) => head === own).length === 1 ? own : `${headOf(block)}: ${own}`;
    },
    cell: (row, column) => {
      const [schema, value] = [schemaOf(model, column), valueOf(row, column)];
      if (value === null || value === undefined) return '';
      const moment = momentOf(schema, value);
      return own?.cells[column]?.(value, row, word) ?? (moment === null ? said(schema, column, value) : timeOf(moment));
    },
  };
}
