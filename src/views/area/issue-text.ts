import { useCallback } from 'react';
import type { Issue } from '#models/issues.ts';
import { useText } from '#src/components/text.ts';

/** Says what is wrong with a field; lengths choose the plural form. */
export function useIssueText(): (issue: Pick<Issue, 'rule' | 'params'>) => string {
  const { t, has } = useText();
  return useCallback(
    ({ rule, params }) => {
      const values = 'length' in params ? { ...params, count: params['length'] } : params;
      const key = `validation.${rule}`;
      return has(key) || 'count' in values ? t(key, values) : t('validation.invalid');
    },
    [t, has],
  );
}
