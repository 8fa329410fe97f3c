import { useContext } from 'react';
import { intervals, type ScheduleTimes } from '#models/schedule-times.ts';
import { lengthOf, utc } from '#models/time.ts';
import { clockAt } from '#models/zone.ts';
import { schedules, type Schedule } from '#models/schedules.ts';
import { clockText } from '#src/components/fields/time-field.tsx';
import { scheduleText } from '#src/components/schedule-text.ts';
import { useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';
import './schedules.css';

const day = lengthOf(1, 'day');
const shownDays = 14;
/** Clock times, as the form has them: where the clocks of the place are moved, the hours on the wall stay the same. */
const wallClock = { zoneHours: 0, zoneName: null };

/** What a half-typed form says, once it says something. */
function readable(draft: unknown): ScheduleTimes | null {
  const found = schedules.write.safeParse({ ...(schedules.toWire(draft as never) as object), name: 'x' });
  return found.success && schedules.refine(found.data).length === 0 ? found.data : null;
}

interface Part {
  left: number;
  width: number;
  text: string;
}
function partsOf(schedule: ScheduleTimes, midnight: number): Part[] {
  return intervals(schedule, wallClock, [], midnight, midnight + day).map(({ from, to }) => ({
    left: ((from - midnight) / day) * 100,
    width: ((to - from) / day) * 100,
    text: `${clockText((from - midnight) / 1_000)}–${to === midnight + day ? '24:00' : clockText((to - midnight) / 1_000)}`,
  }));
}

/** The next 14 days of the schedule as it stands in the form, in words and as a picture. */
export function ScheduleStrip({ draft }: PieceProps<Schedule>) {
  const words = useText();
  const clockwork = useContext(ClockworkContext);
  const schedule = readable(draft);
  if (!schedule) return <p className="quiet small">{words.t('areas.schedules.strip.unfinished')}</p>;
  const today = clockAt(clockwork, clockwork.now()).startOf('day').valueOf();
  const days = Array.from({ length: shownDays }, (_, at) => today + at * day).map((midnight) => ({ midnight, parts: partsOf(schedule, midnight) }));
  return (
    <div className="schedule-strip">
      <p className="schedule-sentence">{scheduleText(schedule, words, clockwork.now())}</p>
      <ol className="schedule-days" aria-label={words.t('areas.schedules.strip.label')}>
        {days.map(({ midnight, parts }) => (
          <li key={midnight} data-rest={parts.length === 0}>
            <span className="schedule-day">
              {utc(midnight)
                .locale(words.locale)
                .format(words.locale === 'ru' ? 'dd D MMM' : 'ddd D MMM')}
            </span>
            <span className="schedule-hours" aria-hidden="true">
              {parts.map((part) => (
                <span key={part.left} style={{ insetInlineStart: `${part.left}%`, width: `${part.width}%` }} title={part.text} />
              ))}
            </span>
            <span className="schedule-text">{parts.map(({ text }) => text).join(', ') || words.t('areas.schedules.strip.closed')}</span>
          </li>
        ))}
      </ol>
      <p className="field-hint">
        {words.t(schedule.holiday_mode === 'holds' ? 'areas.schedules.strip.zone' : 'areas.schedules.strip.zone_holidays')}
      </p>
    </div>
  );
}
