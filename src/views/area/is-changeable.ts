import type { AnyResource, Facts } from './resource.ts';

/** Is there any field in the form that this person may change in this row? Where all are only read there is nothing to save. */
export const isChangeable = ({ form }: Pick<AnyResource, 'form'>, facts: Facts): boolean =>
  form.some(({ show, fields }) => (show?.(facts) ?? true) && fields.some((field) => (field.show?.(facts) ?? true) && !field.locked?.(facts)));
