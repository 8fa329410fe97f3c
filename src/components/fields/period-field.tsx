import { useContext } from 'react';
import { constants } from '#models/constants.ts';
import { localTime, momentAt, type Zone } from '#models/zone.ts';
import { usePeriodText } from '../licence-day.tsx';
import { useText } from '../text.ts';
import { TextInput } from '../text-input.tsx';
import { ClockworkContext } from '../when.tsx';
import type { FieldProps } from './field-props.ts';

interface Period {
  from: number;
  to: number;
}
const day = 86_400_000;
const { from: always, to: endless } = constants.unlimitedLicencePeriod;

/** The day input's text for a moment in a zone; `back` for an end, which is the midnight after the day. */
const dayOf = (seconds: number, zone: Zone, back = 0): string => new Date(localTime(zone, (seconds - back) * 1_000)).toISOString().slice(0, 10);
/** The midnight a day begins or (`days` = 1) ends with in a zone, in seconds since 1970; null for what is no day. */
function midnight(text: string, zone: Zone, days = 0): number | null {
  const local = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(local) ? null : Math.max(always, momentAt(zone, local + days * day) / 1_000);
}

/** A period by its first and last day; an empty one is no limit. */
export function PeriodField({ id, path, value, onChange, readOnly, invalid, describedBy }: FieldProps) {
  const { t } = useText();
  const zone = useContext(ClockworkContext);
  const periodText = usePeriodText();
  const { from, to } = (value ?? constants.unlimitedLicencePeriod) as Period;
  if (readOnly) return <p className="field-value">{periodText({ from, to })}</p>;
  return (
    <div className="field-period">
      <TextInput
        id={id}
        name={`${path}.from`}
        type="date"
        aria-label={t('list.licences.from')}
        aria-describedby={describedBy}
        invalid={invalid}
        value={from === always ? '' : dayOf(from, zone)}
        onChange={(event) => onChange({ from: midnight(event.target.value, zone) ?? always, to })}
      />
      <span aria-hidden="true">–</span>
      <TextInput
        name={`${path}.to`}
        type="date"
        aria-label={t('list.licences.to')}
        aria-describedby={describedBy}
        invalid={invalid}
        value={to === endless ? '' : dayOf(to, zone, 1)}
        onChange={(event) => onChange({ from, to: midnight(event.target.value, zone, 1) ?? endless })}
      />
    </div>
  );
}
