import { useText } from '#src/components/text.ts';
import type { ListPartProps } from './list-part.ts';

/** By what the rows are sorted, for screens too narrow for the heads of a table. */
export function SortChoice({ resource, address, change }: Pick<ListPartProps, 'resource' | 'address' | 'change'>) {
  const { t } = useText();
  const { sorts, defaultSort } = resource.model;
  const [sort = ''] = address.query.sort.length > 0 ? address.query.sort : defaultSort;
  const options = sorts.flatMap((field) => [field, `-${field}`]);
  return (
    <label className="sort-choice">
      <span>{t('list.sort.label')}</span>
      <select className="native-select" value={sort} onChange={({ target }) => change({ sort: [target.value] })}>
        {options.map((option) => (
          <option key={option} value={option}>
            {t(option.startsWith('-') ? 'list.sort.down' : 'list.sort.up', { field: t(`areas.${resource.area}.fields.${option.replace(/^-/, '')}`) })}
          </option>
        ))}
      </select>
    </label>
  );
}
