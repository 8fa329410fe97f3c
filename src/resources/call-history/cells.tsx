import type { CallEnd, HistoryCall } from '#models/call-history.ts';
import type { HistoryStatus } from '#models/call.ts';
import { durationText } from '#models/time.ts';
import { useText } from '#src/components/text.ts';
import { NoValue } from '#src/views/area/cell.tsx';
import type { CellProps } from '#src/views/area/resource.ts';
import '#src/views/devices/devices.css';

/** The colour that goes with the word. */
export const callTones: Readonly<Record<HistoryStatus, 'good' | 'warn' | 'bad' | 'plain'>> = {
  answered: 'good',
  noanswer: 'warn',
  busy: 'warn',
  cancel: 'plain',
  failed: 'bad',
};

/** What one end is called: the panel, the person, the name it had, or the number alone. */
export const nameOf = ({ device, user, name, number }: CallEnd): string => device?.name ?? user?.name ?? name ?? number;

/** The number, where it is not the name already, and the way down to the place; of the house itself nothing is left out. */
export const placeOf = (end: CallEnd): string => {
  const steps = end.address?.split(' · ') ?? [];
  return [nameOf(end) === end.number ? null : end.number, ...(steps.length > 1 ? steps.slice(1) : steps)].filter(Boolean).join(' · ');
};

function End({ end }: { end: CallEnd }) {
  return (
    <>
      {nameOf(end)}
      <span className="cell-sub" title={end.address ?? undefined}>
        {placeOf(end)}
      </span>
    </>
  );
}

/** Who called, with the sign of how the call ended. */
export function FromCell({ row }: CellProps<CallEnd, HistoryCall>) {
  const { t } = useText();
  const icon = row.sos ? 'pi-exclamation-circle' : row.direction === 'incoming' ? 'pi-arrow-down-left' : 'pi-arrow-up-right';
  return (
    <span className="device-name" data-tone={row.sos ? 'bad' : callTones[row.status]}>
      <i className={`pi ${icon}`} aria-hidden="true" title={t(`areas.call-history.options.type.${row.type}`)} />
      <span>
        <End end={row.from} />
      </span>
    </span>
  );
}

/** Who was called, and who took the call where that was another. */
export function ToCell({ row }: CellProps<CallEnd, HistoryCall>) {
  const { t } = useText();
  const taker = row.answered_by && row.answered_by.number !== row.to.number ? (row.answered_by.name ?? row.answered_by.number) : null;
  if (!taker)
    return (
      <span className="cell-line">
        <End end={row.to} />
      </span>
    );
  return (
    <span className="cell-line">
      {nameOf(row.to)}
      <span className="cell-sub">{t('areas.call-history.taken_by', { name: taker })}</span>
    </span>
  );
}

/** How it ended: how long the talk was, or why there was none. */
export function TalkCell({ row }: CellProps<number, HistoryCall>) {
  const { t } = useText();
  const tone = { good: 'tag-good', warn: 'tag-warn', bad: 'tag-bad', plain: '' }[callTones[row.status]];
  return (
    <span className="cell-labels">
      {row.sos && <span className="tag tag-bad">{t('areas.call-history.sos')}</span>}
      <span className={`tag ${tone}`}>
        {row.status === 'answered' ? durationText(row.duration) : t(`areas.call-history.options.status.${row.status}`)}
      </span>
    </span>
  );
}

/** Which door was opened during the call, and by whom. */
export function DoorCell({ row }: CellProps<boolean, HistoryCall>) {
  const { t } = useText();
  if (!row.door_opened) return <NoValue />;
  return (
    <span className="cell-line">
      {row.door_name ?? t('list.yes')}
      {row.door_opened_by && <span className="cell-sub">{row.door_opened_by}</span>}
    </span>
  );
}
