import type { EmergencyAlert } from '#models/emergency-alerts.ts';
import { useText } from '#src/components/text.ts';

const tones = { new: 'tag', started: 'tag tag-bad', stopped: 'tag' } as const;

/** How an alert stands, in a word; a drill says that it is one. */
export function AlertStatusTag({ row: { status, is_drill } }: { row: Pick<EmergencyAlert, 'status' | 'is_drill'> }) {
  const { t } = useText();
  const isDrill = is_drill && status === 'started';
  return (
    <span className={isDrill ? 'tag tag-info' : tones[status]}>
      {t(isDrill ? 'areas.emergency-alerts.drill_runs' : `areas.emergency-alerts.options.status.${status}`)}
    </span>
  );
}
