import { AddChip, Chip } from '#src/components/chips.tsx';
import { useText } from '#src/components/text.ts';
import type { Chosen, FieldProps } from './field-props.ts';

const listOf = (value: unknown): Chosen[] => {
  if (Array.isArray(value)) return value as Chosen[];
  return value !== null && typeof value === 'object' ? [value as Chosen] : [];
};

/** Rows of another area as chips; choosing opens the sheet of that area. */
export function RefField({ id, path, value, onChange, meta, label, pick, describedBy }: FieldProps) {
  const { t } = useText();
  const multiple = meta.kind === 'refs';
  const chosen = listOf(value);
  const area = meta.ref ?? '';
  const open = () => pick?.({ area, multiple, path, chosen });
  const without = (row: Chosen) => onChange(multiple ? chosen.filter(({ id: other }) => other !== row.id) : null);
  const [first] = chosen;
  return (
    <div className="chips" role="group" aria-label={label} aria-describedby={describedBy}>
      {chosen.map((row) => (
        <Chip
          key={row.id}
          color={row.color}
          onOpen={multiple ? undefined : open}
          onRemove={multiple || meta.nullable ? () => without(row) : undefined}
          removeLabel={t('list.fields.remove', { name: row.name })}
        >
          {row.name}
        </Chip>
      ))}
      <AddChip id={id} label={t(multiple ? 'list.fields.add' : first ? 'list.fields.change' : 'list.fields.choose')} onClick={open} />
    </div>
  );
}
