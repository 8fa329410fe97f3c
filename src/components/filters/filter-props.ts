import type { ComponentType } from 'react';
import type { FilterItem, FilterKind, FilterRule } from '#models/query.ts';
import { rulesByKind } from '#models/query.ts';

/** One field that may be filtered by: what it holds, what people call it, and what it may be compared with. */
export interface FilterField {
  field: string;
  kind: FilterKind;
  label: string;
  /** The closed set of words of a choice, with their labels. */
  options?: readonly { value: string; label: string }[];
  /** The area whose rows a reference names. */
  area?: string | undefined;
  /** Ready-made comparisons in words, instead of rule and value. */
  presets?: readonly { label: string; rule: FilterRule; value: string | number | boolean }[] | undefined;
}

/** What the control for referenced rows is given. */
export interface RefValueProps {
  id: string;
  area: string;
  label: string;
  ids: readonly string[];
  onChange: (ids: string[]) => void;
}

/** Where references get their names and candidates from. */
export interface RefSource {
  /** The name of a row when it is known. */
  nameOf: (area: string, id: string) => string | undefined;
  Search: ComponentType<RefValueProps>;
}

/** The ready-made comparison that an item is. */
export const presetOf = ({ presets }: FilterField, { rule, value }: FilterItem) =>
  presets?.find((preset) => preset.rule === rule && preset.value === value);

/** Whether somebody can choose to filter by the field; a reference needs the area it names. */
export const isChoosable = ({ kind, area }: FilterField): boolean => area !== undefined || (kind !== 'ref' && kind !== 'refs');

/** The rule a fresh filter starts with: the one people mean when they say nothing. */
export const firstRule = (kind: FilterKind): FilterRule => rulesByKind[kind][0];

/** The value a fresh filter starts with. */
export function firstValue(kind: FilterKind, rule: FilterRule): FilterItem['value'] {
  if (rule === 'is') return kind === 'flag' ? true : null;
  return kind === 'ref' || kind === 'refs' ? [] : '';
}

/** Whether a filter says enough to be asked. */
export function isWhole(kind: FilterKind, { rule, value }: FilterItem): boolean {
  if (rule === 'is') return value === null || typeof value === 'boolean';
  if (Array.isArray(value)) return value.length > 0;
  if (kind === 'number') return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)));
  return value !== null && String(value).trim() !== '';
}

/** The value as the grammar wants it: numbers as numbers, text trimmed. */
export function asAsked(kind: FilterKind, { field, rule, value }: FilterItem): FilterItem {
  if (kind === 'number' && typeof value === 'string') return { field, rule, value: Number(value) };
  return { field, rule, value: typeof value === 'string' ? value.trim() : value };
}
