import { z } from 'zod';
import { type AnyModel, describe } from '#models/define-model.ts';
import type { FieldMeta } from './field-props.ts';

const inside = (schema: z.ZodType, key: string): z.ZodType | undefined => {
  const { inner } = describe(schema);
  return inner instanceof z.ZodObject ? (inner.shape as Record<string, z.ZodType>)[key] : undefined;
};

/** The schema of a dotted path in what a person may write; none where the model has no such field. */
export function schemaAt(model: Pick<AnyModel, 'write'>, path: string): z.ZodType | undefined {
  return path.split('.').reduce<z.ZodType | undefined>((schema, key) => schema && inside(schema, key), model.write);
}

/** What the model says about the field at a dotted path: its kind, its bounds, the area it names. */
export function metaAt(model: Pick<AnyModel, 'write'>, path: string): FieldMeta {
  const schema = schemaAt(model, path);
  if (!schema) throw new Error(`the model has no field ${path}`);
  const { kind, ref, words, min, max, nullable, optional, secret, inner } = describe(schema);
  return {
    kind: kind ?? (inner instanceof z.ZodObject ? 'block' : 'text'),
    nullable,
    optional,
    ...(ref !== undefined && { ref }),
    ...(words !== undefined && { words }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(secret !== undefined && { secret }),
  };
}

/** A block of fields as the paths of its fields; every other path as itself. */
export function leavesOf(model: Pick<AnyModel, 'write'>, path: string): string[] {
  if (metaAt(model, path).kind !== 'block') return [path];
  const schema = schemaAt(model, path);
  const inner = schema && describe(schema).inner;
  return inner instanceof z.ZodObject ? Object.keys(inner.shape).flatMap((key) => leavesOf(model, `${path}.${key}`)) : [];
}

/** The closed set of words a shown field may hold, for filters; empty where it is not such a field. */
export function wordsOf(model: Pick<AnyModel, 'row'>, field: string): readonly string[] {
  const schema = (model.row.shape as Record<string, z.ZodType>)[field];
  if (!schema) return [];
  const { words, inner } = describe(schema);
  return words ?? (inner instanceof z.ZodEnum ? inner.options.map(String) : []);
}

/** The value at a dotted path. */
export const valueAt = (source: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[key] : undefined), source);
