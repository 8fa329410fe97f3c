import type { GuestIdentifier } from '#models/guest-access.ts';
import { useText } from '#src/components/text.ts';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import { groupIn } from './shared-rules-field.tsx';

/** How long and how often guests of the group are let in at most. */
export function LimitsNote({ draft }: PieceProps<GuestIdentifier>) {
  const { t } = useText();
  const domain = groupIn(draft as Record<string, unknown>);
  const { answer } = useReading('guestLimits', domain ? { query: { domain } } : {});
  const limits = [
    answer?.max_period_days != null && t('areas.guest-identifiers.limits.days', { count: answer.max_period_days }),
    answer?.max_passes_count != null && t('areas.guest-identifiers.limits.passes', { count: answer.max_passes_count }),
  ].filter(Boolean);
  if (limits.length === 0) return null;
  return (
    <p className="quiet small" role="note">
      {t('areas.guest-identifiers.limits.note', { limits: limits.join(', ') })}
    </p>
  );
}
