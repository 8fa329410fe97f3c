import type { Announce, AnnounceStatus } from '#models/announces.ts';
import { groupText } from '#src/components/group-text.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { NoValue } from '#src/views/area/cell.tsx';
import type { CellProps } from '#src/views/area/resource.ts';
import { StatusTag } from '#src/views/announces/status-tag.tsx';

/** What it is about, and under it whether anything is asked. */
export function TitleCell({ row }: CellProps<string, Announce>) {
  const { t } = useText();
  return (
    <>
      <span className="cell-line" dir="auto" title={row.title}>
        {row.title}
      </span>
      <span className="cell-sub">{t(`areas.announces.options.type.${row.type}`)}</span>
    </>
  );
}

export const StatusCell = ({ value }: CellProps<AnnounceStatus, Announce>) => <StatusTag status={value} />;

/** Whom it names, the groups first. */
export function AudienceCell({ row }: CellProps<Announce['domains'], Announce>) {
  const { t } = useText();
  const names = [
    ...row.domains.map((group) => groupText(group)),
    ...[row.roles, row.markers, row.users].flatMap((list) => list.map(({ name }) => name)),
  ];
  if (names.length === 0) return <NoValue />;
  return (
    <span className="cell-lines" title={names.join(', ')}>
      {names.slice(0, 2).join(', ')}
      {names.length > 2 && ` ${t('list.and_more', { count: names.length - 2 })}`}
    </span>
  );
}

/** How many have read it, and answered; what did not arrive. */
export function ReadCell({ row }: CellProps<number, Announce>) {
  const { t } = useText();
  if (!row.started_at) return <NoValue />;
  const answered = row.type === 'poll' ? t('areas.announces.answered', { count: row.answers_count }) : null;
  const failed = row.failed_count > 0 ? t('areas.announces.failed', { count: row.failed_count }) : null;
  return (
    <>
      {t('areas.announces.read', { seen: row.seen_count, count: row.recipients_count })}
      <span className="cell-sub">{[answered, failed].filter(Boolean).join(' · ')}</span>
    </>
  );
}

/** When it went out, or will. */
export function SentCell({ row }: CellProps<string | null, Announce>) {
  const at = row.started_at ?? row.execute_at;
  return at ? <When at={at} /> : <NoValue />;
}
