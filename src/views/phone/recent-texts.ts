import type { RecentCall } from '#machines/phone/ports.ts';
import { useText } from '#src/components/text.ts';

/** What became of a call: answered by me or by a colleague who is named, opened without talk, or missed. */
export function useOutcome({ direction, status, answeredBy, doorOpened }: RecentCall): string {
  const { t } = useText();
  if (answeredBy) return t('phone.recents.colleague', { name: answeredBy.name ?? answeredBy.number });
  if (doorOpened && status !== 'answered') return t('phone.recents.door_opened');
  return t(`phone.recents.${direction}.${status}`);
}
