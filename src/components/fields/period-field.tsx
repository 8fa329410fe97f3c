import { useContext } from 'react';
import { constants } from '#models/constants.ts';
import { utc } from '#models/time.ts';
import { localTime, momentAt, type Zone } from '#models/zone.ts';
import { DayInput } from '../day-input.tsx';
import { usePeriodText } from '../licence-day.tsx';
import { useText } from '../text.ts';
import { ClockworkContext } from '../when.tsx';
import type { FieldProps } from './field-props.ts';

interface Period {
  from: number;
  to: number;
}
const { from: always, to: endless } = constants.unlimitedLicencePeriod;

/** The day at a moment in a zone, as if there were no zones; `back` for an end, which is the midnight after the day. */
const dayAt = (seconds: number, zone: Zone, back = 0): number => localTime(zone, (seconds - back) * 1_000);
/** The midnight a day begins or (`days` = 1) ends with in a zone, in seconds since 1970. */
const midnight = (local: number, zone: Zone, days = 0): number =>
  Math.max(always, momentAt(zone, utc(local).startOf('day').add(days, 'day').valueOf()) / 1_000);

/** A period by its first and last day; an empty one is no limit. */
export function PeriodField({ id, path, value, onChange, readOnly, invalid, describedBy }: FieldProps) {
  const { t } = useText();
  const zone = useContext(ClockworkContext);
  const periodText = usePeriodText();
  const { from, to } = (value ?? constants.unlimitedLicencePeriod) as Period;
  if (readOnly) return <p className="field-value">{periodText({ from, to })}</p>;
  return (
    <div className="field-period">
      <DayInput
        id={id}
        name={`${path}.from`}
        label={t('list.licences.from')}
        describedBy={describedBy}
        invalid={invalid}
        value={from === always ? null : dayAt(from, zone)}
        onChange={(local) => onChange({ from: local === null ? always : midnight(local, zone), to })}
      />
      <span aria-hidden="true">–</span>
      <DayInput
        name={`${path}.to`}
        label={t('list.licences.to')}
        describedBy={describedBy}
        invalid={invalid}
        value={to === endless ? null : dayAt(to, zone, 1)}
        onChange={(local) => onChange({ from, to: local === null ? endless : midnight(local, zone, 1) })}
      />
    </div>
  );
}
