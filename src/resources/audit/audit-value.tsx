import { asText } from '#src/components/as-text.ts';
import { Label } from '#src/components/chips.tsx';
import { metaAt, schemaAt } from '#src/components/fields/field-meta.ts';
import { ReadValue } from '#src/components/fields/read-value.tsx';
import { useText } from '#src/components/text.ts';
import { isArea } from '#models/areas.ts';
import { modelOf } from '#models/index.ts';
import { useFieldName } from './field-name.ts';

interface AuditValueProps {
  area: string;
  path: string;
  value: unknown;
  /** The other side of the change. */
  other: unknown;
}

/** The words for what people choose in their own profile; a user's model has no such fields. */
const profileWords: Readonly<Record<string, string>> = {
  locale: 'interface.languages',
  'profile.identifier_format': 'interface.profile.identifier_formats',
};
/** Where a stored picture is read: an address that says nothing to people. */
const isPicture = (value: unknown): boolean => typeof value === 'string' && value.startsWith('/api/v0/files/');
const key = (item: unknown): string => JSON.stringify(item);

/** Of two lists only what this one has and the other has not. */
export const onlyHere = (value: readonly unknown[], other: unknown): unknown[] => {
  const there = new Set(Array.isArray(other) ? other.map(key) : []);
  return value.filter((item) => !there.has(key(item)));
};

/** One item of a list in words: a name, a permission, or a person with what they are told of. */
function useItemWords(area: string, path: string): (item: unknown) => string {
  const { t, has } = useText();
  const nameOf = useFieldName(area);
  return (item) => {
    if (typeof item === 'string') return has(`permissions.codes.${item}`) ? t(`permissions.codes.${item}`) : item;
    if (item === null || typeof item !== 'object') return asText(item);
    const { name, user, ...rest } = item as Record<string, unknown>;
    const flags = Object.entries(rest).flatMap(([flag, on]) => (on === true ? [nameOf(`${path}.${flag}`)] : []));
    return [asText(name) || asText(user), flags.join(', ')].filter(Boolean).join(': ');
  };
}

/** One side of a change as people read it; of a list only what came or went. */
export function AuditValue({ area, path, value, other }: AuditValueProps) {
  const { t, has } = useText();
  const say = useItemWords(area, path);
  if (Array.isArray(value)) {
    const items = onlyHere(value, other);
    if (items.length === 0) return <span className="field-value-none">{value.length === 0 ? t('list.none') : '—'}</span>;
    return (
      <span className="chips">
        {items.map((item) => (
          <Label key={key(item)} name={say(item)} />
        ))}
      </span>
    );
  }
  if (isPicture(value)) return t('list.audit.picture');
  const word = area === 'users' && typeof value === 'string' && `${profileWords[path]}.${value}`;
  if (word && has(word)) return t(word);
  const model = isArea(area) ? modelOf(area) : undefined;
  const meta = model && schemaAt(model, path) ? metaAt(model, path) : { kind: 'text' };
  const isBlock = value !== null && typeof value === 'object' && !('name' in value);
  return <ReadValue area={area} path={path} value={isBlock ? JSON.stringify(value) : value} meta={meta} />;
}
