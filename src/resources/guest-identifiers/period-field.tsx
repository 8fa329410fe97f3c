import { useContext } from 'react';
import { lengthOf } from '#models/time.ts';
import { clockAt, momentAt } from '#models/zone.ts';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { MomentField } from '#src/components/fields/moment-field.tsx';
import { useText } from '#src/components/text.ts';
import { ClockworkContext, exactTime } from '#src/components/when.tsx';
import './guests.css';

interface Period {
  from: string | null;
  to: string | null;
}
const iso = (moment: number): string => new Date(moment).toISOString();
const lengths = { hours: lengthOf(3, 'hour'), day: lengthOf(1, 'day'), week: lengthOf(1, 'week') } as const;

/** From when until when a guest is let in: at a touch, or to the minute. */
export function GuestPeriodField(props: FieldProps) {
  const { id, path, area, value, onChange, readOnly, describedBy, label } = props;
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  const { from, to } = (value ?? { from: null, to: null }) as Period;
  if (readOnly) {
    const said = (moment: string): string => exactTime(Date.parse(moment), clockwork, 'HH:mm');
    return <p className="field-value">{to ? `${from ? said(from) : t('areas.guest-identifiers.period.now')} – ${said(to)}` : '—'}</p>;
  }
  const now = clockwork.now();
  const begin = from ? Date.parse(from) : now;
  const midnight = momentAt(clockwork, clockAt(clockwork, begin).endOf('day').valueOf());
  const choices: readonly [string, number][] = [
    ['hours', begin + lengths.hours],
    ['today', midnight],
    ['day', begin + lengths.day],
    ['week', begin + lengths.week],
  ];
  const part = (key: keyof Period) => (
    <label className="guest-moment" htmlFor={`${id}-${key}`}>
      <span className="field-label">{t(`areas.${area}.fields.${path}.${key}`)}</span>
      <MomentField
        {...props}
        id={key === 'to' ? id : `${id}-${key}`}
        path={`${path}.${key}`}
        label={t(`areas.${area}.fields.${path}.${key}`)}
        value={key === 'to' ? to : from}
        onChange={(moment) => onChange({ from, to, [key]: moment })}
      />
    </label>
  );
  return (
    <div role="group" aria-label={label} aria-describedby={describedBy}>
      <div className="chips">
        {choices.map(([key, end]) => (
          <button key={key} type="button" className="chip chip-add" onClick={() => onChange({ from, to: iso(end) })}>
            {t(`areas.guest-identifiers.period.${key}`)}
          </button>
        ))}
      </div>
      <div className="guest-moments">
        {part('from')}
        {part('to')}
      </div>
    </div>
  );
}
