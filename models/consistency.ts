/** What a licence is for: the ground a project stands on, more on top of it, or the connection of devices. */
export const licenceTypes = ['basic', 'extension', 'device'] as const;
export type LicenceType = (typeof licenceTypes)[number];

/** What can be wrong between a group's licence and what stands around it (spec B8, and what the catalogue asks beside). */
export const consistencyTypes = [
  'license_type_missing',
  'feature_missing',
  'period_missing',
  'quantity_exceeded',
  'period_conflict',
  'children_over_parent',
  'used_over_group',
] as const;

interface Related {
  id: string;
  name: string;
}
/** What was switched on, counted or dated in a group though the groups around it, or the project, do not bear it (spec A3). */
export interface ConsistencyItem {
  type: (typeof consistencyTypes)[number];
  /** A block of the licence, or one of its flags behind a dot. */
  feature: string | null;
  license_type: LicenceType | null;
  /** No parent is the project itself; no child is a finding about the parent alone. */
  relation: { parent: Related | null; child: Related | null };
  /** Seconds since 1970. */
  period: { from: number; to: number } | null;
  qty: { target: number; available: number } | null;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isRelated = (value: unknown): boolean =>
  value === null || (isObject(value) && typeof value['name'] === 'string' && typeof value['id'] === 'string');
const holdsNumbers = (value: unknown, ...keys: string[]): boolean =>
  value === null || (isObject(value) && keys.every((key) => typeof value[key] === 'number'));

/** Read by hand: what is shown in the alerts area must not bring the schemas of the contract along. */
const isItem = (item: unknown): item is ConsistencyItem =>
  isObject(item) &&
  consistencyTypes.some((type) => type === item['type']) &&
  isObject(item['relation']) &&
  isRelated(item['relation']['parent']) &&
  isRelated(item['relation']['child']) &&
  holdsNumbers(item['period'], 'from', 'to') &&
  holdsNumbers(item['qty'], 'target', 'available');

/** The items a refusal carries, each read by itself: one that cannot be read does not hide the others. Null where it carries none. */
export function consistencyItems(data: unknown): ConsistencyItem[] | null {
  const items = isObject(data) ? data['items'] : undefined;
  return Array.isArray(items) ? items.filter(isItem) : null;
}
