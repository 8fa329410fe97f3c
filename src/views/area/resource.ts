import type { ComponentType } from 'react';
import type { ListActor } from '#machines/list/list.machine.ts';
import type { AnyModel } from '#models/define-model.ts';
import type { AreaName } from '#models/areas.ts';
import type { Subject } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import type { FilterItem, FilterRule, Filters } from '#models/query.ts';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import type { GivesWay } from '#src/components/table/table-row.tsx';

/** A row or a draft as code that serves every area holds it. */
export type AnyRow = Record<string, unknown> & { id: string; version: number };
type AnyDraft = Record<string, unknown>;
export type Mode = 'add' | 'edit' | 'view';

/** What a rule of showing may look at: who asks, the draft, and the row as stored (none while adding). */
export interface Facts<Draft = AnyDraft, Row = AnyRow> {
  profile: Profile;
  mode: Mode;
  draft: Draft;
  row: Row | null;
}

/** What a cell is given: one value of the row and the row. */
export interface CellProps<Value = unknown, Row = AnyRow> {
  value: Value;
  row: Row;
}

/** One column of the list; `sort` names the field the server sorts by where it is not the column's own. */
export interface Column {
  key: string;
  cell?: ComponentType<CellProps>;
  sort?: string;
  /** What else of the row its cell shows: it goes into files beside it. */
  shows?: readonly string[];
  /** Left out until somebody chooses it. */
  extra?: boolean;
  width?: string;
  /** Shows two lines. */
  tall?: boolean;
  /** Gives way in narrow tables, unless somebody chose it. */
  givesWay?: GivesWay;
}

/** One input of the form; its kind is read from the model unless a widget is named. */
export interface Field {
  key: string;
  widget?: ComponentType<FieldProps>;
  show?: (facts: Facts) => boolean;
  locked?: (facts: Facts) => boolean;
  /** Takes the whole line. */
  wide?: boolean;
  /** What else in the draft no longer fits once this has a value: by path, what stands there instead. */
  changes?: (value: unknown, draft: AnyDraft) => Record<string, unknown>;
  /** Which rows of the other area may be chosen. */
  only?: readonly FilterItem[];
  /** The widget draws what is only read itself, and its own label. */
  reads?: boolean;
}

/** What a piece of an area's own in the form is given. */
export interface PieceProps<Row = AnyRow, Draft = AnyDraft> {
  row: Row | null;
  draft: Draft;
  mode: Mode;
  change: (path: string, value: unknown) => void;
  /** Reads the row anew, after a call that changed it. */
  reload: () => void;
}

/** One part of the form under a heading: fields, and below them a piece of the area's own. */
export interface Section {
  section: string;
  fields: readonly Field[];
  show?: (facts: Facts) => boolean;
  /** A piece above the fields. */
  lead?: ComponentType<PieceProps>;
  /** A piece below the fields. */
  piece?: ComponentType<PieceProps>;
}

/** What an action of a row opens. */
export interface ActionProps<Row = AnyRow> {
  row: Row;
  close: () => void;
  /** Reads what changed anew. */
  reload: () => void;
}

/** Something one can do with a row besides edit and delete: a dialog of its own, or a way to go. */
export interface Action {
  key: string;
  icon: `pi-${string}`;
  show?: (row: AnyRow, profile: Profile) => boolean;
  dialog?: ComponentType<ActionProps>;
  /** Address to go to instead of a dialog. */
  to?: (row: AnyRow) => string;
}

/** What a list drawn in another way, or a piece beside it, is given. */
export interface ListSlotProps {
  entry: AreaEntry;
  resource: AnyResource;
  profile: Profile;
  /** The area's list, once it lives; deleting goes through it. */
  list?: ListActor | undefined;
  /** Turns to the flat list. */
  onFlat?: () => void;
}

/** What one can do with several selected rows besides changing them: a way to go, named below `areas.<area>.together`. */
interface Together {
  key: string;
  /** From two rows on, up to so many. */
  upTo: number;
  to: (ids: readonly string[]) => string;
}

/** The area whose rows a filter names: always the same, or as the other filters say. */
export type FilterArea = AreaName | ((filters: Filters) => string | undefined);
/** A comparison with words of its own. */
export interface FilterPreset {
  words: string;
  rule: FilterRule;
  value: string | number | boolean;
}

/** One area as data, as the generic screens see it. */
export interface AnyResource {
  area: AreaName;
  model: AnyModel;
  icon: `pi-${string}`;
  columns: readonly Column[];
  filters: readonly string[];
  /** The areas whose rows filters name, where the model does not say it. */
  filterAreas: Readonly<Record<string, FilterArea>>;
  /** Ready-made comparisons in words, by field. */
  filterPresets: Readonly<Record<string, readonly FilterPreset[]>>;
  form: readonly Section[];
  /** Shown fields that stand beside the form. */
  facts: readonly string[];
  actions: readonly Action[];
  together?: Together;
  /** Whether the editor opens as a page of its own or as a dialog over the list. */
  editor: 'page' | 'dialog';
  dialogWidth: 'small' | 'normal' | 'wide';
  /** How the row stands to the catalogue of permissions. */
  subject: (row: AnyRow) => Subject;
  /** Rows that nobody may delete, whatever their role. */
  undeletable: (row: AnyRow) => boolean;
  /** Whether a new row may begin as a copy of another, under a name of its own. */
  copies: boolean;
  /** Whether these rows may be exported. */
  exports: boolean;
  slots: {
    /** Another way to see the rows, with its name below `areas.<area>.views`; shown first, unless it is `second`: then only when it is asked for. */
    list?: { key: string; icon: `pi-${string}`; view: ComponentType<ListSlotProps>; second?: boolean };
    /** Beside the buttons of the list. */
    toolbar?: ComponentType<ListSlotProps>;
    /** Beside the form, about the stored row. */
    aside?: ComponentType<PieceProps>;
    /** Instead of the form, for rows that are only read. */
    item?: ComponentType<{ row: AnyRow }>;
  };
}

/** What is known of an area without loading it: enough for menu, routes and links. */
export interface AreaEntry {
  area: AreaName;
  path: `/${string}`;
  icon: `pi-${string}`;
  /** Where its rows are listed, for an area without a list of its own. */
  home?: `/${string}`;
  /** The entry of the side menu, or null for an area reached from another one. */
  menu: string | null;
  editor: 'page' | 'dialog';
  load: () => Promise<{ default: AnyResource }>;
  /** Further screens below the area's path, by their own part of the address. */
  pages?: Readonly<Record<string, () => Promise<ComponentType>>>;
}
