import { useContext } from 'react';
import { constants } from '#models/constants.ts';
import { usePeriodText } from '../licence-day.tsx';
import { useText } from '../text.ts';
import { TextInput } from '../text-input.tsx';
import { ClockworkContext } from '../when.tsx';
import type { FieldProps } from './field-props.ts';

interface Period {
  from: number;
  to: number;
}
const day = 86_400;
const { from: always, to: endless } = constants.unlimitedLicencePeriod;

/** The day input's text for a moment in a zone; `back` for an end, which is the midnight after the day. */
const dayOf = (seconds: number, zoneHours: number, back = 0): string =>
  new Date((seconds - back + zoneHours * 3_600) * 1_000).toISOString().slice(0, 10);
/** The midnight a day begins with in a zone, in seconds since 1970; null for what is no day. */
function midnight(text: string, zoneHours: number): number | null {
  const moment = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(moment) ? null : Math.max(always, moment / 1_000 - zoneHours * 3_600);
}

/** A period by its first and last day; an empty one is no limit. */
export function PeriodField({ id, path, value, onChange, readOnly, invalid, describedBy }: FieldProps) {
  const { t } = useText();
  const { zoneHours } = useContext(ClockworkContext);
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
        value={from === always ? '' : dayOf(from, zoneHours)}
        onChange={(event) => onChange({ from: midnight(event.target.value, zoneHours) ?? always, to })}
      />
      <span aria-hidden="true">–</span>
      <TextInput
        name={`${path}.to`}
        type="date"
        aria-label={t('list.licences.to')}
        aria-describedby={describedBy}
        invalid={invalid}
        value={to === endless ? '' : dayOf(to, zoneHours, 1)}
        onChange={(event) => {
          const begin = midnight(event.target.value, zoneHours);
          onChange({ from, to: begin === null ? endless : begin + day });
        }}
      />
    </div>
  );
}
