import { asText } from '#src/components/as-text.ts';
import { useText } from '#src/components/text.ts';
import type { AnyResource, AnyRow } from './resource.ts';

/** What the copy of a row is called until somebody names it. */
export function useCopyName({ model }: AnyResource): (row: AnyRow) => Record<string, string> {
  const { t } = useText();
  return (row) => ({ [model.label]: t('list.row.copy_name', { name: asText(row[model.label]) }) });
}
