import { type CSSProperties, useContext } from 'react';
import { Link } from 'react-router-dom';
import type { HomeFigures } from '#models/home.ts';
import { lengthOf, utc } from '#models/time.ts';
import { clockAt } from '#models/zone.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import { useText } from '#src/components/text.ts';
import { rovingFocus } from '#src/components/roving-focus.ts';
import { firstRows, listAddress } from './use-rows.ts';

type Hours = NonNullable<HomeFigures['passes']>;
type Hour = Hours[number];
const hour = lengthOf(1, 'hour');
/** The hours from midnight on, of which a day ends with the 24th. */
const two = (value: number): string => `${String(value).padStart(2, '0')}:00`;

/** The events behind a bar. */
const passesIn = ({ from }: Hour, hours = 1): string =>
  listAddress(
    '/devices/events',
    firstRows(
      20,
      [
        { field: 'type', rule: 'equals', value: 'access_granted' },
        { field: 'occurred_at', rule: 'equals_above', value: from },
        { field: 'occurred_at', rule: 'below', value: utc(from).add(hours, 'hour').toISOString() },
      ],
      ['-occurred_at'],
    ),
  );

/** How many have passed today, and how many usually have by this time; the hour under way counts by its part. */
export function passesSoFar(passes: Hours, at: number): { today: number; usual: number } {
  const share = ({ from }: Hour): number => Math.min(1, Math.max(0, (at - Date.parse(from)) / hour));
  return {
    today: passes.reduce((sum, one) => sum + one.passes, 0),
    usual: Math.round(passes.reduce((sum, one) => sum + one.usual * share(one), 0)),
  };
}

/** The marks of an axis that reaches `most`, from above: a round number, its half where that is whole, and nothing. */
export function marksUpTo(most: number): number[] {
  const unit = 10 ** Math.max(0, Math.ceil(Math.log10(most)) - 1);
  const top = [1, 2, 4, 6, 8, 10].map((step) => step * unit).find((mark) => mark >= most) ?? most;
  return top > 1 ? [top, top / 2, 0] : [top, 0];
}

/** The passes of each hour of today as bars, and a mark where they usually are; every bar leads to its events. */
export function PassesChart({ passes, at }: { passes: Hours; at: string }) {
  const { t, locale } = useText();
  const clockwork = useContext(ClockworkContext);
  const { now } = clockwork;
  const marks = marksUpTo(Math.max(1, ...passes.map((one) => Math.max(one.passes, one.usual))));
  const present = passes.findLastIndex(({ from }) => Date.parse(from) <= Math.max(now(), Date.parse(at)));
  const high = (value: number): string => `${(value / (marks[0] ?? 1)) * 100}%`;
  return (
    <div className="passes">
      <p className="passes-key small">
        <span className="passes-today">{t('home.passes.today')}</span>
        <span className="passes-usual">{t('home.passes.usual')}</span>
      </p>
      <p className="passes-scale small quiet" aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark}>{mark.toLocaleString(locale)}</span>
        ))}
      </p>
      <ol className="passes-bars" style={{ '--parts': marks.length - 1 } as CSSProperties} onKeyDown={rovingFocus}>
        {passes.map((one, index) => {
          const hours = clockAt(clockwork, Date.parse(one.from)).hour();
          const words = t('home.passes.hour', {
            from: two(hours),
            to: two(hours + 1),
            passes: one.passes,
            usual: one.usual.toLocaleString(locale),
          });
          return (
            <li key={one.from}>
              <Link to={passesIn(one)} aria-label={words} title={words} tabIndex={index === present ? 0 : -1}>
                <span className="passes-bar" style={{ height: high(one.passes) }} />
                <span className="passes-mark" style={{ bottom: high(one.usual) }} />
              </Link>
            </li>
          );
        })}
      </ol>
      <p className="passes-axis small quiet" aria-hidden="true">
        {[0, 6, 12, 18, 24].map((each) => (
          <span key={each}>{two(each)}</span>
        ))}
      </p>
    </div>
  );
}

/** Where all passes of today are listed. */
export const passesOfDay = (passes: Hours): string => (passes[0] ? passesIn(passes[0], passes.length) : '/devices/events');
