import type { SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import type { AreaName } from '#models/areas.ts';
import { modelOf, type models } from '#models/index.ts';
import type { ViewScope } from '../access/scope.ts';
import type { AreaRepository, byRules, Compared, later, Link, WritableRepository, WritableTable } from './repository.ts';

/** The columns that the engine itself fills. */
type EngineColumn = 'id' | 'projectId' | 'version' | 'createdAt' | 'updatedAt' | 'createdBy';
/** The columns of a table that can hold a value. */
type ColumnFor<T extends WritableTable, V> = {
  [C in Exclude<keyof T['$inferInsert'], EngineColumn>]-?: [V] extends [T['$inferInsert'][C]] ? C : never;
}[Exclude<keyof T['$inferInsert'], EngineColumn>] &
  string;
type WrittenAs<T extends WritableTable, V> =
  | ColumnFor<T, V>
  | ([V] extends [readonly string[]] ? { link: Link } : never)
  | ([V] extends [readonly unknown[]] ? never : [V] extends [object] ? { parts: { [P in keyof V]-?: ColumnFor<T, V[P]> | typeof byRules } } : never)
  | typeof byRules
  | typeof later;

type Model<A extends AreaName> = (typeof models)[A];
type Wire<A extends AreaName> = z.infer<Model<A>['write']>;
/** Each field of the area's model, once, with where it is kept. */
type AllWritten<A extends AreaName, T extends WritableTable> = { [F in keyof Wire<A>]-?: WrittenAs<T, Exclude<Wire<A>[F], undefined>> };
/** Each field of the area's rows. */
type AllShown<A extends AreaName> = { [F in keyof z.infer<Model<A>['row']>]: SQL | PgColumn };
/** Each field that the area's filters and sorts name. */
type AllCompared<A extends AreaName> = Record<keyof Model<A>['filters'] | Model<A>['sorts'][number], Compared>;

interface Read<A extends AreaName, S extends AllShown<A>> extends Omit<AreaRepository, 'model'> {
  area: A;
  compared: AllCompared<A>;
  shown: (scope: ViewScope, deep: ReadonlySet<string> | null) => S & Record<Exclude<keyof S, keyof AllShown<A>>, never>;
}
interface Definition<A extends AreaName, T extends WritableTable, S extends AllShown<A>>
  extends Read<A, S>, Omit<WritableRepository, keyof AreaRepository> {
  table: T;
  written: AllWritten<A, T>;
}

/** Binds a log to its table. A field that `shown` or `compared` leaves out does not compile, nor one that the model does not have. */
export const defineLogRepository = <A extends AreaName, S extends AllShown<A>>(definition: Read<A, S>): AreaRepository => ({
  ...definition,
  model: modelOf(definition.area),
});

/** Binds an area to its table; the fields of the model stand in `written` too, each once. */
export const defineRepository = <A extends AreaName, T extends WritableTable, S extends AllShown<A>>(
  definition: Definition<A, T, S>,
): WritableRepository => ({
  ...definition,
  model: modelOf(definition.area),
});
