import type { SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { AnyModel } from '#models/define-model.ts';
import type { AreaName } from '#models/areas.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import type { ViewScope } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';

/** A row as the wire has it. */
export interface Row extends Record<string, unknown> {
  id: string;
  version: number;
}

/** The columns the engine itself handles. */
export type AreaTable = PgTable & { id: PgColumn; projectId: PgColumn; createdAt: PgColumn };
/** A table whose rows people write. */
export type WritableTable = AreaTable & { version: PgColumn; updatedAt: PgColumn; createdBy: PgColumn };

/** A many-to-many field: rows of `table` join this area's row (`own`) with one of another area (`other`). */
export interface Link {
  area: AreaName;
  table: PgTable;
  own: PgColumn;
  other: PgColumn;
  /** The linked rows show the link too: their version grows when it changes. */
  both?: boolean;
}

/** What filters and sorts compare for one field of the list grammar. */
export interface Compared {
  column?: PgColumn | SQL;
  /** What is compared by those from whom some of the column is hidden. */
  columnFor?: (scope: ViewScope) => SQL;
  /** What `contains` asks instead, where several columns are looked into and each by its index; `holds` is the question to one of them. */
  containing?: (scope: ViewScope, holds: (column: PgColumn | SQL) => SQL, text: string) => SQL;
  /** Sorts by this instead of the column. */
  order?: SQL | ((scope: ViewScope) => SQL);
  /** The column holds ids of this area; only ids that may be seen can be asked for. */
  area?: AreaName;
  /** Which values of the column may be seen, where the area's own view rule is not the answer; undefined is all. */
  seen?: (scope: ViewScope) => SQL | undefined;
  link?: Link;
  /** Told only to those who hold this; for others it is as if nothing were there, in filters and sorts too. */
  code?: PermissionCode;
}

/** Rows of an area that stand in the way of deleting this one. */
interface Dependant {
  area: AreaName;
  /** Which rows of that area's table use the row with this id. */
  where: (id: string | SQL) => SQL;
}

/** One write on its way: what the rules of an area look at, inside its transaction. */
export interface Change {
  services: Services;
  tx: Db;
  principal: Principal;
  at: Date;
  verb: 'create' | 'edit' | 'delete';
  id: string;
  /** The row before, as the principal sees it; null when it is being made. */
  before: Row | null;
  /** The fields that really change, in wire shape. */
  fields: Record<string, unknown>;
  /** Work for when the change stands: removing files, and what else cannot be rolled back. */
  later: (work: () => Promise<void>) => void;
}

/** Written by the area's own rules, `prepare` and `settle`. */
export const byRules: unique symbol = Symbol('by rules');
/** Kept nowhere yet: the area it names rows of is still to come, so nothing but an empty value passes. */
export const later: unique symbol = Symbol('later');

/** Where a field of the model is kept: in a column, in a link, in a column for each part of a block, or as the area's rules say. */
export type Written = string | { link: Link } | { parts: Readonly<Record<string, string | typeof byRules>> } | typeof byRules | typeof later;

/** How an area lies in the database, and the rules that are its own. */
export interface AreaRepository {
  area: AreaName;
  model: AnyModel;
  table: AreaTable;
  compared: Record<string, Compared>;
  /** The row as SQL by field; `deep` names the relations asked for, or is null for all of them. */
  shown: (scope: ViewScope, deep: ReadonlySet<string> | null) => Record<string, SQL | PgColumn>;
  /** Puts into rows what names rows of any area inside free values, as far as the sight takes them in. */
  nameValues?: (db: Db, scope: ViewScope, rows: Row[]) => Promise<Row[]>;
  dependants: readonly Dependant[];
  /** Rows are deleted in this order, so that what hangs on others goes first. */
  deleteOrder?: SQL;
}

/** An area whose rows people write. */
export interface WritableRepository extends AreaRepository {
  table: WritableTable;
  written: Readonly<Record<string, Written>>;
  /** Takes locks that must come before that of the row, so that two writers wait for each other in one order. */
  hold?: (tx: Db, principal: Principal, verb: Change['verb'], fields: Record<string, unknown>) => Promise<void>;
  /** The area's rules before the row is written; answers columns that follow from the change. */
  prepare?: (change: Change) => Promise<Record<string, unknown> | void>;
  /** What must happen in the same transaction once row and links are written. */
  settle?: (change: Change) => Promise<void>;
  /** The area's rules for deleting. */
  beforeDelete?: (change: Change) => Promise<void>;
}

/** Whether people write the rows of an area; those of a log come about by themselves. */
export const isWritable = (repository: AreaRepository): repository is WritableRepository => !repository.model.readOnly;
