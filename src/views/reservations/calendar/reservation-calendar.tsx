import { useSelector } from '@xstate/react';
import { useCallback, useContext, useEffect, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Locale } from '#models/constants.ts';
import { calendarNames, lengthOf, utc } from '#models/time.ts';
import { clockAt } from '#models/zone.ts';
import { Button } from '#src/components/button.tsx';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import { mayDo } from '#src/views/area/areas.tsx';
import type { ListSlotProps } from '#src/views/area/resource.ts';
import { useOpen } from '#src/views/area/use-open.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import { useChangeParams } from '#src/views/shell/address-params.ts';
import { useMedia } from '#src/views/shell/media.ts';
import { useOpenWorkspace } from '#src/views/system.ts';
import { useReservationMove } from '#src/views/view-child.ts';
import { boardOf, type Place } from './board.ts';
import { DayGrid } from './day-grid.tsx';
import { DayList } from './day-list.tsx';
import { dayHeading, datesOf, isDate, rangeText, type Span, spans, stepped } from './days.ts';
import { MonthGrid } from './month-grid.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { useCarry } from './use-carry.ts';
import { WeekGrid } from './week-grid.tsx';
import './calendar.css';

const grids = { day: DayGrid, week: WeekGrid, month: MonthGrid };
const isSpan = (text: string | null): text is Span => spans.some((span) => span === text);

/** Which days the address asks for, and how it is changed; on a phone there is the day alone. */
function useShown(today: string) {
  const phone = useMedia('(max-width: 640px)');
  const [params] = useSearchParams();
  const changeParams = useChangeParams();
  const [asked, day] = [params.get('show'), params.get('date')];
  const change = useCallback(
    (patch: { show?: Span; date?: string }) =>
      changeParams((present) => {
        for (const [key, value] of Object.entries(patch)) present.set(key, value);
        return present;
      }),
    [changeParams],
  );
  return { phone, span: phone ? ('day' as const) : isSpan(asked) ? asked : ('month' as const), date: isDate(day) ? day : today, change };
}

/** What is reserved on these days, read anew when a reservation changes anywhere. */
function useRead(from: string, to: string, moved: number) {
  const workspace = useOpenWorkspace();
  const reading = useReading('reservationCalendar', { query: { from, to } }, { again: moved });
  const { reload } = reading;
  useEffect(() => {
    const subscription = workspace?.on('rows.changed', ({ area }) => {
      if (area === 'amenity-reservations' || area === 'amenities') reload();
    });
    return () => subscription?.unsubscribe();
  }, [workspace, reload]);
  return reading;
}

function titleOf(span: Span, dates: readonly string[], date: string, locale: Locale, short: boolean): string {
  if (span === 'week') return rangeText(dates[0] ?? date, dates.at(-1) ?? date, locale);
  const title = span === 'day' ? dayHeading(date, locale, short ? undefined : 'D MMMM YYYY') : utc(date).locale(locale).format('MMMM YYYY');
  return title.charAt(0).toLocaleUpperCase(locale) + title.slice(1);
}

/** Reservations by day, week or month: to look at, to book in, and to move about. */
export default function ReservationCalendar({ entry, resource, profile, list, onFlat }: ListSlotProps) {
  const { t, locale } = useText();
  const clockwork = useContext(ClockworkContext);
  const openEditor = useOpen(entry);
  const move = useReservationMove();
  const moved = useSelector(move, (snapshot) => snapshot?.context.moved ?? 0);
  const presentAt = useCallback(
    (place?: Place) => {
      const local = clockAt(place ? { zoneHours: 0, zoneName: place.time_zone_name } : clockwork, clockwork.now());
      return { date: local.format('YYYY-MM-DD'), second: local.diff(local.startOf('day')) / lengthOf(1, 'second') };
    },
    [clockwork],
  );
  const mine = presentAt().date;
  const { phone, span, date, change } = useShown(mine);
  const { weekStart } = calendarNames(locale);
  const dates = useMemo(() => datesOf(span, date, weekStart), [span, date, weekStart]);
  const { answer, problem, running, reload } = useRead(dates[0] ?? date, dates.at(-1) ?? date, moved);
  const board = useMemo(() => boardOf(answer, presentAt), [answer, presentAt]);
  // By the clock of the amenities: days and hours are theirs.
  const today = presentAt(board.places[0]).date;
  const mayBook = mayDo(profile, resource, 'create');
  const { carried, isRefused, props } = useCarry(board, move, {
    open: (id) => openEditor(board.find(id)?.may_change ? 'edit' : 'view', id),
    day: (day) => change({ show: 'day', date: day }),
    book: (amenity, day, from) => openEditor('add', undefined, { amenity, date: day, ...(from !== undefined && { from: String(from) }) }),
  });
  const narrow = useMedia('(max-width: 1380px)');
  const title = titleOf(span, dates, date, locale, phone || narrow);
  const Grid = phone ? DayList : grids[span];
  const Toolbar = resource.slots.toolbar;
  return (
    <>
      <div className="list-tools">
        <div className="list-asks calendar-asks">
          <Button
            tone="plain"
            label={t('areas.amenity-reservations.calendar.today')}
            disabled={dates.includes(today)}
            onClick={() => change({ date: today })}
          />
          {([-1, 1] as const).map((by) => (
            <button
              key={by}
              type="button"
              className="icon-button"
              aria-label={t(`areas.amenity-reservations.calendar.${by < 0 ? 'previous' : 'next'}`)}
              onClick={() => change({ date: stepped(span, date, by) })}
            >
              <i className={`pi ${by < 0 ? 'pi-chevron-left' : 'pi-chevron-right'}`} aria-hidden="true" />
            </button>
          ))}
          <h2 className="calendar-title" aria-live="polite">
            {title}
          </h2>
        </div>
        <div className="list-does">
          {!phone && (
            <div className="calendar-spans" role="group" aria-label={t('areas.amenity-reservations.calendar.span')}>
              {spans.map((each) => (
                <button key={each} type="button" aria-pressed={each === span} onClick={() => change({ show: each, date })}>
                  {t(`areas.amenity-reservations.calendar.${each}`)}
                </button>
              ))}
            </div>
          )}
          {Toolbar && <Toolbar resource={resource} entry={entry} profile={profile} list={list} />}
          {onFlat && <Button tone="plain" icon="pi-list" label={t('list.view_flat')} onClick={onFlat} />}
          {mayBook && (
            <Button
              className="tool-main"
              icon="pi-plus"
              label={t('areas.amenity-reservations.add')}
              onClick={() => openEditor('add', undefined, { date })}
            />
          )}
        </div>
      </div>
      <p className="unseen" role="status">
        {carried && t(`areas.amenity-reservations.calendar.${isRefused ? 'not_here' : 'carrying'}`, { name: carried.amenity.name })}
      </p>
      <section className="card area-card calendar" data-carrying={carried ? '' : undefined} aria-busy={running}>
        {problem && <Failure problem={problem} onRetry={reload} />}
        {!problem && !answer && <SkeletonLines lines={12} label={t('list.loading')} />}
        {!problem && answer && board.places.length === 0 && span !== 'month' && (
          <EmptyState icon="pi-calendar" text={t('areas.amenity-reservations.calendar.no_amenities')} />
        )}
        {!problem && answer && (board.places.length > 0 || span === 'month') && (
          <Grid board={board} dates={dates} date={date} today={today} label={title} mayBook={mayBook} carry={props} />
        )}
      </section>
      {!phone && answer && <p className="quiet small calendar-hint">{t('areas.amenity-reservations.calendar.hint')}</p>}
      {move && <MoveDialog move={move} />}
    </>
  );
}
