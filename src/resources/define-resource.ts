import type { ComponentType } from 'react';
import type { z } from 'zod';
import type { AnyModel, RowOf } from '#models/define-model.ts';
import type { AreaName } from '#models/areas.ts';
import type { Subject } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import type { FilterItem } from '#models/query.ts';
import { register } from '#models/registry.ts';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import type { GivesWay } from '#src/components/table/table-row.tsx';
import type { ActionProps, AnyResource, CellProps, Facts, FilterArea, FilterPreset, ListSlotProps, PieceProps } from '#src/views/area/resource.ts';
import { plainSubject } from './subjects.ts';

interface Model {
  name: AreaName;
  row: z.ZodObject;
  write: z.ZodObject;
  filters: Readonly<Record<string, unknown>>;
}
type Key<T> = Extract<keyof T, string>;
/** The dotted paths into a draft: a field, or a field of a block. */
type Path<T> = {
  [K in Key<T>]: NonNullable<T[K]> extends readonly unknown[] ? K : NonNullable<T[K]> extends object ? K | `${K}.${Path<NonNullable<T[K]>>}` : K;
}[Key<T>];
type Draft<M extends Model> = z.infer<M['write']>;

interface ColumnOf<M extends Model, K extends Key<RowOf<M>>> {
  key: K;
  cell?: ComponentType<CellProps<RowOf<M>[K], RowOf<M>>>;
  sort?: string;
  shows?: readonly Key<RowOf<M>>[];
  extra?: boolean;
  width?: string;
  tall?: boolean;
  givesWay?: GivesWay;
}
interface FieldOf<M extends Model> {
  key: Path<Draft<M>>;
  widget?: ComponentType<FieldProps>;
  show?: (facts: Facts<Draft<M>, RowOf<M>>) => boolean;
  locked?: (facts: Facts<Draft<M>, RowOf<M>>) => boolean;
  wide?: boolean;
  only?: readonly FilterItem[];
  reads?: boolean;
  changes?: (value: unknown, draft: Draft<M>) => Record<string, unknown>;
}
interface SectionOf<M extends Model> {
  section: string;
  fields?: readonly (Path<Draft<M>> | FieldOf<M>)[];
  show?: (facts: Facts<Draft<M>, RowOf<M>>) => boolean;
  lead?: ComponentType<PieceProps<RowOf<M>, Draft<M>>>;
  piece?: ComponentType<PieceProps<RowOf<M>, Draft<M>>>;
}
interface ActionOf<M extends Model> {
  key: string;
  icon: `pi-${string}`;
  show?: (row: RowOf<M>, profile: Profile) => boolean;
  dialog?: ComponentType<ActionProps<RowOf<M>>>;
  to?: (row: RowOf<M>) => string;
}

/** One area as data: what the list shows, what the form asks, and the holes an area may fill by hand. */
export interface Resource<M extends Model> {
  model: M;
  icon: `pi-${string}`;
  columns: readonly (Key<RowOf<M>> | { [K in Key<RowOf<M>>]: ColumnOf<M, K> }[Key<RowOf<M>>])[];
  /** All the model allows unless named here. */
  filters?: readonly string[];
  /** The areas whose rows filters name, where the model does not say it. */
  filterAreas?: Readonly<Record<string, FilterArea>>;
  /** Ready-made comparisons in words, by field. */
  filterPresets?: Readonly<Record<string, readonly FilterPreset[]>>;
  /** Shown fields that stand beside the form. */
  facts?: readonly Key<RowOf<M>>[];
  form?: readonly SectionOf<M>[];
  actions?: readonly ActionOf<M>[];
  together?: AnyResource['together'];
  editor?: 'page' | 'dialog';
  dialogWidth?: 'small' | 'normal' | 'wide';
  subject?: (row: RowOf<M>) => Subject;
  undeletable?: (row: RowOf<M>) => boolean;
  copies?: boolean;
  exports?: boolean;
  slots?: {
    list?: { key: string; icon: `pi-${string}`; view: ComponentType<ListSlotProps>; second?: boolean };
    toolbar?: ComponentType<ListSlotProps>;
    aside?: ComponentType<PieceProps<RowOf<M>, Draft<M>>>;
    item?: ComponentType<{ row: RowOf<M> }>;
  };
}

const asObject = <T extends { key: string }>(item: string | T): T => (typeof item === 'string' ? ({ key: item } as T) : item);

/** Checks an area's data against its model and hands it on in the shape that the generic screens read. */
export function defineResource<M extends Model>(resource: Resource<M>): AnyResource {
  const { model, columns, form = [], actions = [] } = resource;
  register(model as unknown as AnyModel);
  return {
    editor: 'page',
    dialogWidth: 'normal',
    copies: false,
    exports: true,
    subject: plainSubject,
    undeletable: () => false,
    slots: {},
    filterAreas: {},
    filterPresets: {},
    facts: [],
    filters: Object.keys(model.filters),
    ...resource,
    area: model.name,
    model: model as unknown as AnyModel,
    columns: columns.map((column) => asObject(column)),
    form: form.map((section) => ({ ...section, fields: (section.fields ?? []).map((field) => asObject<FieldOf<M>>(field)) })),
    actions,
  } as unknown as AnyResource;
}
