import type { Locale } from '#models/constants.ts';
import type { ImportArea } from '#models/import.ts';
import type { IdentifierFormat } from '#models/identifier-value.ts';
import type { Issue } from '#models/issues.ts';
import type { Zone } from '#models/zone.ts';
import type { Principal, Services } from '../context.ts';
import type { WritableRepository } from '../crud/repository.ts';
import type { Db } from '../db/database.ts';

export type Fields = Record<string, unknown>;
/** What is wrong with one field of a row. */
export type Finding = { field: string | null } & Pick<Issue, 'rule' | 'params'>;
/** A cell that could be read, or what is wrong with it. */
export type Read = { value: unknown } | { rule: string; params?: Issue['params'] };

/** How the person who imports writes dates and numbers, and the language they read. */
export interface Habits {
  zone: Zone;
  timeFormat: string;
  identifierFormat: IdentifierFormat;
  locale: Locale;
}

/** One import: who, and how they write. */
export interface ImportRun {
  services: Services;
  principal: Principal;
  habits: Habits;
}

/** What an area adds to the mechanism of importing. */
export interface Importer {
  area: ImportArea;
  repository: WritableRepository;
  /** Cells that are read in a way of the area's own; `row` holds what was read before. */
  read?: Readonly<Record<string, (text: string, row: Fields, habits: Habits) => Read>>;
  /** What follows from the cells that are filled: flags of limits that have a value. */
  complete: (fields: Fields) => Fields;
  /** What only a new row is given where the file says nothing; names are those of the rows it refers to, `at` is the present. */
  fresh: (fields: Fields, nameOf: (id: string) => string | undefined, at: Date) => Fields;
  /** What a row is known by, the same in the file and in the database; null where that cannot be told. */
  keyOf: (fields: Fields) => string | null;
  /** The field to blame where two rows are known by the same. */
  keyField: string;
  /** Besides its key, a field that no two rows of the project may share, whatever the case; `find` answers the key of who has it. */
  unique?: { field: string; find: (db: Db, projectId: string, values: readonly string[]) => Promise<Map<string, string>> };
  /** The rows of the project by what they are known by, seen or not. */
  find: (db: Db, projectId: string, keys: readonly string[]) => Promise<Map<string, string>>;
}
