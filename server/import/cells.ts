import { describe } from '#models/define-model.ts';
import type { AnyModel } from '#models/define-model.ts';
import { locales } from '#models/constants.ts';
import type { ImportColumn } from '#models/import-columns.ts';
import { readText } from '#models/time-text.ts';
import { lengthOf, utc } from '#models/time.ts';
import { momentAt } from '#models/zone.ts';
import type { z } from 'zod';
import { wordsOf } from '../texts.ts';
import type { Habits, Read } from './importer.ts';

/** Words as people compare them: no matter the case, the spaces and whether there are dots on the ё. */
export const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll(/[\s_]+/g, ' ')
    .trim();

/** The words of a key in every language. */
const inEveryLanguage = (key: string): string[] => locales.flatMap((locale) => wordsOf(locale, key) ?? []);
const yes = new Set(['1', 'true', 'yes', 'y', '+', 'on', 'да', 'д', 'истина'].map(plain));
const no = new Set(['0', 'false', 'no', 'n', '-', 'off', 'нет', 'н', 'ложь'].map(plain));

/** What a spreadsheet makes of a long number when it was not told that it is text. */
const rounded = /^\d+[.,]\d+e\+\d+$/i;
export const roundedIssue = (text: string): Read | null => (rounded.test(text) ? { rule: 'import_rounded' } : null);

/** A cell that names one of some options, as the wire, or any language, calls it. */
function choiceReader(area: string, field: string, options: readonly string[]): ReadCell {
  const key = (word: string): string => `areas.${area}.options.${field}.${word}`;
  const known = new Map(options.flatMap((word) => [word, ...inEveryLanguage(key(word))].map((name) => [plain(name), word])));
  return (text, { locale }) => {
    const value = known.get(plain(text));
    if (value !== undefined) return { value };
    const values = options.map((word) => wordsOf(locale, key(word)) ?? word).join(', ');
    return { rule: 'import_choice', params: { value: text.slice(0, 40), values } };
  };
}

const times = ['', ' HH:mm', ' HH:mm:ss', ' H:mm'];
const isoDays = ['YYYY-MM-DD', 'YYYY/MM/DD'];
const spelledOut = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;
/** Days since 1899-12-30, as spreadsheets keep moments. */
const serial = /^\d{5}(?:\.\d+)?$/;

/** A moment as the person writes it, in their time zone; a day alone is its beginning, or its end where it is the last one. */
function readMoment(text: string, isEnd: boolean, { zone, timeFormat }: Habits): Read {
  if (spelledOut.test(text)) {
    const moment = utc(text);
    return moment.isValid() ? { value: moment.toISOString() } : { rule: 'import_moment', params: { example: '2026-12-31 18:00' } };
  }
  const days = [...isoDays, 'DD.MM.YYYY', timeFormat, timeFormat.replaceAll('-', '/')];
  const ofSerial = serial.test(text) ? utc('1899-12-30').valueOf() + Math.round((Number(text) * lengthOf(1, 'day')) / 1_000) * 1_000 : null;
  const local =
    ofSerial ??
    readText(
      text,
      days.flatMap((day) => times.map((time) => day + time)),
    );
  if (local === null) return { rule: 'import_moment', params: { example: '2026-12-31 18:00' } };
  const isDay = utc(local).format('HH:mm:ss') === '00:00:00' && !/:/.test(text);
  return { value: utc(momentAt(zone, isEnd && isDay ? local + lengthOf(1, 'day') : local)).toISOString() };
}

function readNumber(text: string): Read {
  return /^-?\d{1,15}$/.test(text) ? { value: Number(text) } : { rule: 'number' };
}
function readFlag(text: string): Read {
  const word = plain(text);
  if (yes.has(word)) return { value: true };
  return no.has(word) ? { value: false } : { rule: 'import_flag' };
}
function readNumbers(text: string): Read {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  return parts.every((part) => /^\d{1,9}$/.test(part)) ? { value: parts.map(Number) } : { rule: 'import_numbers' };
}

/** The schema of a field, or of a field of a block by its dotted path. */
export const schemaOf = (model: AnyModel, path: string): z.ZodType =>
  path.split('.').reduce<z.ZodType>((block, part) => (describe(block).inner as z.ZodObject).shape[part] as z.ZodType, model.write);

/** A cell of a field that is no reference to other rows. */
export type ReadCell = (text: string, habits: Habits) => Read;

/** How the cells of a field are read, by its kind in the model; null for references, which are looked up. */
export function readerOf(model: AnyModel, column: ImportColumn): ReadCell | null {
  const { kind, words } = describe(schemaOf(model, column.field));
  switch (kind) {
    case 'ref':
    case 'refs':
      return null;
    case 'choice':
      return choiceReader(model.name, column.field, column.options ?? words ?? []);
    case 'flag':
      return readFlag;
    case 'number':
      return readNumber;
    case 'locks':
      return readNumbers;
    case 'moment':
      return (text, habits) => readMoment(text, column.field.endsWith('_to'), habits);
    default:
      return (text) => ({ value: text });
  }
}

/** The columns guessed by their headings: a field's name, its label in any language, and what else it goes by. */
export function guessMapping(area: string, columns: readonly ImportColumn[], headings: readonly string[]): Record<string, number> {
  const free = headings.map(plain);
  const mapping: Record<string, number> = {};
  for (const passes of [0, 1])
    for (const { field, headings: others = [] } of columns) {
      if (field in mapping) continue;
      const names = passes === 0 ? [field, ...inEveryLanguage(`areas.${area}.fields.${field}`)] : others;
      const wanted = new Set(names.map(plain));
      const at = free.findIndex((heading) => heading !== '' && wanted.has(heading));
      if (at < 0) continue;
      mapping[field] = at;
      free[at] = '';
    }
  return mapping;
}
