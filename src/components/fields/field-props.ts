import type { ReactNode } from 'react';

/** A row of another area as a field holds it. */
export interface Chosen {
  id: string;
  name: string;
  color?: string;
  /** Of a group: the names from the top down to it. */
  path?: readonly string[];
}

/** What the model says about a field's value. */
export interface FieldMeta {
  kind: string;
  ref?: string;
  words?: readonly string[];
  min?: number;
  max?: number;
  nullable: boolean;
  optional: boolean;
  secret?: boolean;
}

/** What every widget is given; it draws the control only, the frame around it is drawn once for all. */
export interface FieldProps<Value = unknown> {
  /** The control's id; the label points at it. */
  id: string;
  /** Dotted path of the field in the draft. */
  path: string;
  area: string;
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  meta: FieldMeta;
  readOnly: boolean;
  invalid: boolean;
  /** Ids of hint and issue. */
  describedBy: string | undefined;
  /** Whether an empty value is refused, for assistive technology. */
  required: boolean;
  /** Opens the sheet in which rows of another area are chosen. */
  pick?: ((request: { area: string; multiple: boolean; path: string; chosen: readonly Chosen[] }) => void) | undefined;
  /** The whole draft, for widgets that depend on a neighbour. */
  draft: Record<string, unknown>;
  children?: ReactNode;
}
