import { Suspense, useContext, useEffect, useRef, useState } from 'react';
import { lazyPart } from './lazy-part.ts';
import { localTime } from '#models/zone.ts';
import { readDay, writeDay } from './day-text.ts';
import { Popup } from './popup.tsx';
import { useText } from './text.ts';
import { TextInput } from './text-input.tsx';
import { ClockworkContext } from './when.tsx';
import './day-input.css';

const Month = lazyPart(() => import('./prime/month.tsx'));

interface DayInputProps {
  id?: string;
  name?: string;
  label: string;
  /** What calendar and clock of the person show, in ms as if that were UTC; null for none. */
  value: number | null;
  onChange: (local: number | null) => void;
  withTime?: boolean;
  /** The month stands open below the field instead of behind a button. */
  isOpen?: boolean;
  autoFocus?: boolean;
  invalid?: boolean;
  describedBy?: string | undefined;
}

/** A date to type in one's own order, or to choose from a month. What cannot be read is marked, and given up when one leaves the field. */
export function DayInput({ label, value, onChange, withTime = false, isOpen = false, invalid = false, describedBy, ...rest }: DayInputProps) {
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  const { timeFormat, now } = clockwork;
  const [typed, setTyped] = useState<string>();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const field = useRef<HTMLInputElement>(null);
  const [chosenAt, setChosenAt] = useState(0);
  // The month draws its days anew, and the one that had the focus is gone.
  useEffect(() => {
    if (chosenAt > 0) field.current?.focus();
  }, [chosenAt]);
  const unreadable = typed !== undefined && typed.trim() !== '' && readDay(typed, timeFormat, withTime) === null;
  const example = writeDay(localTime(clockwork, now()), timeFormat, withTime);
  const month = (
    <Suspense fallback={<div className="month-room" />}>
      <Month
        value={value}
        label={label}
        onChange={(local) => {
          setTyped(undefined);
          setAnchor(undefined);
          setChosenAt(chosenAt + 1);
          onChange(local);
        }}
      />
    </Suspense>
  );
  return (
    <div className="day-input">
      <div className="day-line">
        <TextInput
          {...rest}
          ref={field}
          aria-label={label}
          aria-describedby={describedBy}
          autoComplete="off"
          placeholder={t(`list.calendar.orders.${timeFormat}`)}
          maxLength={32}
          invalid={invalid || unreadable}
          value={typed ?? writeDay(value, timeFormat, withTime)}
          onChange={({ target }) => {
            setTyped(target.value);
            const local = readDay(target.value, timeFormat, withTime);
            if (local !== null || target.value.trim() === '') onChange(local);
          }}
          onBlur={() => setTyped(undefined)}
          // What cannot be read is not sent in the place of what was there before.
          onKeyDown={(event) => event.key === 'Enter' && unreadable && event.preventDefault()}
        />
        {!isOpen && (
          <button
            type="button"
            className="icon-button"
            aria-haspopup="dialog"
            aria-label={`${t('list.calendar.choose_date')}: ${label}`}
            onClick={(event) => setAnchor(anchor ? undefined : event.currentTarget)}
          >
            <i className="pi pi-calendar" aria-hidden="true" />
          </button>
        )}
      </div>
      {unreadable && (
        <p className="field-issue" role="alert">
          {t('list.calendar.unreadable', { example })}
        </p>
      )}
      {isOpen && month}
      {anchor && (
        <Popup anchor={anchor} label={label} end onClose={() => setAnchor(undefined)}>
          <div className="day-popup">{month}</div>
        </Popup>
      )}
    </div>
  );
}
