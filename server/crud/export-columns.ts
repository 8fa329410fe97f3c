import { z } from 'zod';
import { type AnyModel, describe } from '#models/define-model.ts';
import { WrongQuery } from '#models/query.ts';
import type { Row } from './repository.ts';

const innerOf = (schema: unknown): z.ZodType => describe(schema as z.ZodType).inner;
const isNamed = (schema: z.ZodType): boolean => schema instanceof z.ZodObject && 'id' in schema.shape && 'name' in schema.shape;
const isPlain = (schema: z.ZodType): boolean => !(schema instanceof z.ZodObject || schema instanceof z.ZodArray || schema instanceof z.ZodRecord);
const skipped = new Set(['version']);
/** Addresses of pictures open for a while only: nothing to keep in a file. */
const isPicture = (schema: z.ZodType): boolean => ['picture', 'portrait'].includes(describe(schema).kind ?? '');

/** The columns a field gives a table: itself when it fits a cell, its parts when it is an object of such, else none. */
function columnsOf(field: string, schema: z.ZodType): string[] {
  if (skipped.has(field) || isPicture(schema)) return [];
  if (isPlain(schema) || isNamed(schema)) return [field];
  if (schema instanceof z.ZodArray) return isNamed(innerOf(schema.element)) || isPlain(innerOf(schema.element)) ? [field] : [];
  if (!(schema instanceof z.ZodObject)) return [];
  const parts = Object.entries(schema.shape);
  return parts.every(([, part]) => isPlain(innerOf(part)) || isNamed(innerOf(part))) ? parts.map(([part]) => `${field}.${part}`) : [];
}

/** All columns that a table of an area may have. */
export const possibleColumns = (model: AnyModel): string[] =>
  Object.entries(model.row.shape).flatMap(([field, schema]) => columnsOf(field, innerOf(schema)));

/** What may stand in a column. */
export function schemaOf({ row }: AnyModel, column: string): z.ZodType | undefined {
  const [field = '', part] = column.split('.');
  const schema = (row.shape as Record<string, z.ZodType>)[field];
  if (part === undefined || !schema) return schema;
  const block = innerOf(schema);
  return block instanceof z.ZodObject ? (block.shape as Record<string, z.ZodType>)[part] : undefined;
}

/** The columns asked for, or all; a name may also stand for an object whose parts are columns. What fits no cell is one only where it is asked for. */
export function chosenColumns(model: AnyModel, asked: readonly string[] | undefined): string[] {
  const all = possibleColumns(model);
  if (!asked || asked.length === 0) return all;
  return [
    ...new Set(
      asked.flatMap((name) => {
        const parts = all.filter((column) => column === name || column.startsWith(`${name}.`));
        if (parts.length > 0) return parts;
        const schema = schemaOf(model, name);
        if (!schema || skipped.has(name) || isPicture(innerOf(schema))) throw new WrongQuery('columns', name.slice(0, 64));
        return [name];
      }),
    ),
  ];
}

const shortText = (value: unknown): string | number | boolean => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((item) => String(shortText(item))).join('; ');
  return 'name' in (value as object) ? String((value as { name: unknown }).name) : JSON.stringify(value);
};

/** What a row holds in a column. */
export function valueOf(row: Row, column: string): unknown {
  const [field = '', part] = column.split('.');
  const value = row[field];
  if (part === undefined) return value;
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[part] : null;
}

/** The same as one cell: rows of other areas by name, several of them parted by semicolons. */
export const cellOf = (row: Row, column: string): string | number | boolean => shortText(valueOf(row, column));
