import { metaAt } from '#src/components/fields/field-meta.ts';
import type { FieldMeta } from '#src/components/fields/field-props.ts';
import type { AnyResource, Facts } from './resource.ts';

/** Kinds of which nothing chosen is an answer too, or that cannot be empty. */
const neverEmpty: ReadonlySet<string> = new Set([
  'flag',
  'licences',
  'notify',
  'permissions',
  'buttons',
  'relays',
  'floors',
  'period',
  'licence-types',
  'queues',
  'phones',
  'holidays',
  'weekdays',
  'locks',
  'guest-period',
  'channels',
  'answers',
]);

const byItself = ({ kind, nullable, optional, min = 0 }: FieldMeta): boolean =>
  !nullable && !optional && (kind === 'refs' ? min > 0 : !neverEmpty.has(kind));

/** Whether a field has to be filled in: always, or by the rules of its model with the rest of the draft as it is. */
export function isRequired({ model }: Pick<AnyResource, 'model'>, path: string, { draft }: Pick<Facts, 'draft'>): boolean {
  const meta = metaAt(model, path);
  if (byItself(meta)) return true;
  if (!meta.nullable || path.includes('.')) return false;
  return model.refine({ ...model.toWire(draft), [path]: null }).some((issue) => issue.rule === 'required' && issue.path.join('.') === path);
}
