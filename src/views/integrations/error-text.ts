import { useText } from '#src/components/text.ts';

/** Why nothing was taken, as a sentence: the status of an answer, or why there was none. */
export function useErrorText(): (error: string) => string {
  const { t, has } = useText();
  return (error) => {
    if (/^\d+$/.test(error)) return t('areas.integrations.errors.status', { status: error });
    const key = `areas.integrations.errors.${error}`;
    return t(has(key) ? key : 'areas.integrations.errors.not_reached');
  };
}
