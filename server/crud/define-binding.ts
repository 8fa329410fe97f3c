import type { z } from 'zod';
import { type AreaName, modelOf, type models } from '#models/index.ts';
import type { byRules, later, Link, WritableBinding, WritableTable } from './binding.ts';

/** The columns that the engine itself fills. */
type Kept = 'id' | 'projectId' | 'version' | 'createdAt' | 'updatedAt' | 'createdBy';
/** The columns of a table that can hold a value. */
type ColumnFor<T extends WritableTable, V> = {
  [C in Exclude<keyof T['$inferInsert'], Kept>]-?: [V] extends [T['$inferInsert'][C]] ? C : never;
}[Exclude<keyof T['$inferInsert'], Kept>] &
  string;
type WrittenAs<T extends WritableTable, V> =
  | ColumnFor<T, V>
  | ([V] extends [readonly string[]] ? { link: Link } : never)
  | ([V] extends [readonly unknown[]] ? never : [V] extends [object] ? { parts: { [P in keyof V]-?: ColumnFor<T, V[P]> | typeof byRules } } : never)
  | typeof byRules
  | typeof later;

type Wire<A extends AreaName> = z.infer<(typeof models)[A]['write']>;
/** Each field of the area's model, once, with where it is kept. */
type AllWritten<A extends AreaName, T extends WritableTable> = { [F in keyof Wire<A>]-?: WrittenAs<T, Exclude<Wire<A>[F], undefined>> };

interface Definition<A extends AreaName, T extends WritableTable> extends Omit<WritableBinding, 'model'> {
  area: A;
  table: T;
  written: AllWritten<A, T>;
}

/** Binds an area to its table. A field of the model that `written` leaves out does not compile, nor one that the model does not have. */
export const defineBinding = <A extends AreaName, T extends WritableTable>(definition: Definition<A, T>): WritableBinding => ({
  ...definition,
  model: modelOf(definition.area),
});
