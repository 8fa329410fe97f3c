import type { EmergencyAlert } from '#models/emergency-alerts.ts';
import { useText } from '#src/components/text.ts';
import { NoValue } from '#src/views/area/cell.tsx';
import type { CellProps } from '#src/views/area/resource.ts';
import { AlertStatusTag } from './status-tag.tsx';

/** What it is called, and under it what people read. */
export function NameCell({ row }: CellProps<string, EmergencyAlert>) {
  return (
    <>
      <span className="cell-line" dir="auto" title={row.name}>
        {row.name}
      </span>
      <span className="cell-sub" dir="auto" title={row.message}>
        {row.message}
      </span>
    </>
  );
}

export const StatusCell = ({ row }: CellProps<EmergencyAlert['status'], EmergencyAlert>) => <AlertStatusTag row={row} />;

/** Who is safe and who has seen it, of the last start. */
export function AnsweredCell({ row }: CellProps<number, EmergencyAlert>) {
  const { t } = useText();
  if (!row.started_at) return <NoValue />;
  return (
    <>
      {t('areas.emergency-alerts.safe_of', { safe: row.safe_count, count: row.recipients_count })}
      <span className="cell-sub">{t('areas.emergency-alerts.seen_by', { seen: row.seen_count })}</span>
    </>
  );
}
