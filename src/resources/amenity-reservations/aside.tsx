import { useContext } from 'react';
import { reservationCodes, type ReservationLogEntry } from '#models/amenity-reservation-calls.ts';
import type { AmenityReservation } from '#models/amenity-reservations.ts';
import { hasPermission } from '#models/permissions.ts';
import { utc } from '#models/time.ts';
import { asText } from '#src/components/as-text.ts';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import { Timeline } from '#src/components/timeline.tsx';
import { ClockworkContext } from '#src/components/when.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import { actorOf, useProfile } from '#src/views/profile-of.ts';
import { hoursOf } from '#src/views/reservations/reservation-time.tsx';
import { ReservationStatusTag } from '#src/views/reservations/status-tag.tsx';
import './reservations.css';

type Change = ReservationLogEntry['changes'][string];

/** What was changed, in the words of the form. */
function ChangeLine({ field, change }: { field: string; change: Change }) {
  const { t } = useText();
  const { timeFormat } = useContext(ClockworkContext);
  const said = (value: unknown): string => {
    if (field === 'date') return utc(asText(value)).format(timeFormat);
    if (field === 'timeSlots') return hoursOf(value as AmenityReservation['timeSlots']);
    return asText(value);
  };
  return (
    <span className="cell-sub">
      {t(`areas.amenity-reservations.fields.${field}`)}: {said(change.before)} → {said(change.after)}
    </span>
  );
}

const looks = {
  created: { icon: 'pi-plus', tone: 'good' },
  edited: { icon: 'pi-pencil', tone: 'info' },
  canceled: { icon: 'pi-times', tone: 'bad' },
} as const satisfies Record<ReservationLogEntry['action'], unknown>;

function LogEntry({ entry }: { entry: ReservationLogEntry }) {
  const { t } = useText();
  return (
    <>
      {t(`areas.amenity-reservations.log.${entry.action}`)}
      {entry.user && <span className="cell-sub">{entry.user.name}</span>}
      {Object.entries(entry.changes).map(([field, change]) => (
        <ChangeLine key={field} field={field} change={change} />
      ))}
    </>
  );
}

/** What became of it and by whom. */
function Log({ row }: { row: AmenityReservation }) {
  const { t } = useText();
  const { answer, problem } = useReading('reservationLogs', { params: { id: row.id } }, { again: row });
  if (!answer) return <ProblemNote problem={problem} />;
  return (
    <>
      <h3 className="reservation-log-title">{t('areas.amenity-reservations.log.title')}</h3>
      <Timeline
        label={t('areas.amenity-reservations.log.title')}
        steps={answer.map((entry) => ({ key: entry.id, ...looks[entry.action], at: entry.occurred_at, content: <LogEntry entry={entry} /> }))}
      />
    </>
  );
}

/** How it stands, what opens the doors, and its log for those who may read it. */
export function ReservationAside({ row }: PieceProps<AmenityReservation>) {
  const { t } = useText();
  const actor = actorOf(useProfile());
  if (!row) return null;
  return (
    <>
      <dl className="facts">
        <div className="fact">
          <dt>{t('areas.amenity-reservations.fields.status')}</dt>
          <dd>
            <ReservationStatusTag status={row.status} />
          </dd>
        </div>
        {row.identifier && (
          <div className="fact">
            <dt>{t('areas.amenity-reservations.fields.identifier')}</dt>
            <dd>{row.identifier.name}</dd>
          </div>
        )}
      </dl>
      {hasPermission(actor, ...reservationCodes.log.map(({ code }) => code)) && <Log row={row} />}
    </>
  );
}
