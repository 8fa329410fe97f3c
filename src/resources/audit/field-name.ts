import { useCallback } from 'react';
import { useText } from '#src/components/text.ts';

/** What people call a field of an area; a field nobody has words for keeps its own name. */
export function useFieldName(area: string): (field: string) => string {
  const { t, has } = useText();
  return useCallback(
    (field) => {
      const known = [`areas.${area}.fields.${field}`, `list.audit.fields.${field}`].find((key) => has(key));
      return known ? t(known) : field.replaceAll('_', ' ');
    },
    [area, t, has],
  );
}
