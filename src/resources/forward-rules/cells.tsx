import type { ForwardRule } from '#models/forward-rules.ts';
import { useText } from '#src/components/text.ts';
import type { CellProps } from '#src/views/area/resource.ts';

/** When the next queue rings: at once, or after so many seconds. */
export function WhenCell({ value }: CellProps<ForwardRule['redirect_if_no_answer'], ForwardRule>) {
  const { t } = useText();
  return <>{value.is_immediately ? t('areas.forward-rules.at_once') : t('areas.forward-rules.after', { count: value.timeout })}</>;
}
