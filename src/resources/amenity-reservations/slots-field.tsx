import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { AmenityState } from '#models/amenity-calls.ts';
import type { AmenityReservation } from '#models/amenity-reservations.ts';
import { asText } from '#src/components/as-text.ts';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import { hoursOf } from '#src/views/reservations/reservation-time.tsx';
import './reservations.css';

type Span = AmenityReservation['timeSlots'];
type SlotState = AmenityState['slots'][number];

const idOf = (item: unknown): string | null =>
  item !== null && typeof item === 'object' && 'id' in item ? String(item.id) : typeof item === 'string' && item !== '' ? item : null;
const isWithin = ({ from, to }: Pick<SlotState, 'from' | 'to'>, span: Span | null): boolean => span !== null && span.from <= from && to <= span.to;

/** What is chosen by pressing a slot: it alone, or with all free ones that lead there from what was chosen; pressed once more, nothing. */
function chosenBy(slot: SlotState, chosen: Span | null, free: readonly SlotState[]): Span | null {
  if (chosen?.from === slot.from && chosen.to === slot.to) return null;
  if (chosen === null || isWithin(slot, chosen)) return { from: slot.from, to: slot.to };
  const span = { from: Math.min(chosen.from, slot.from), to: Math.max(chosen.to, slot.to) };
  let reached = span.from;
  for (const each of free) if (each.from === reached) reached = each.to;
  return reached >= span.to ? span : { from: slot.from, to: slot.to };
}

/** The slot that the address names is chosen as soon as it is known to be free: somebody pressed it in the calendar. */
function useAskedSlot({
  answer,
  amenity,
  date,
  chosen,
  onChange,
}: { answer: AmenityState | null; amenity: string | null; date: string; chosen: Span | null } & Pick<FieldProps, 'onChange'>): void {
  const [params] = useSearchParams();
  const asked = params.get('from');
  const isOpen = useRef(asked !== null);
  const isMeant = params.get('amenity') === amenity && params.get('date') === date && answer?.date === date;
  const slot = isMeant ? answer.slots.find(({ from, places }) => places > 0 && String(from) === asked) : undefined;
  useEffect(() => {
    if (!slot || !isOpen.current) return;
    isOpen.current = false;
    if (chosen === null) onChange({ from: slot.from, to: slot.to });
  }, [slot, chosen, onChange]);
}

/** The slots of the amenity on the date, of which free ones are chosen; those of the reservation itself count as free. */
export function ReservationSlotsField({ id, value, onChange, label, describedBy, draft, readOnly }: FieldProps) {
  const { t } = useText();
  const chosen = (value ?? null) as Span | null;
  const [amenity, date] = [idOf(draft['amenity']), asText(draft['date'] ?? '')];
  const [own] = useState({ amenity, date, span: chosen });
  const isAsked = !readOnly && amenity !== null && /^\d{4}-\d\d-\d\d$/.test(date);
  const { answer, problem, reload } = useReading('amenityState', isAsked ? { params: { id: amenity }, query: { date } } : null);
  useAskedSlot({ answer, amenity, date, chosen, onChange });
  if (readOnly) return <p className="field-value">{chosen ? hoursOf(chosen) : t('list.none')}</p>;
  if (!isAsked) return <p className="quiet">{t('areas.amenity-reservations.slots.first')}</p>;
  if (problem) return <Failure problem={problem} onRetry={reload} />;
  if (!answer) return <SkeletonLines label={t('list.loading')} />;
  if (answer.slots.length === 0) return <p className="quiet">{t('areas.amenity-reservations.slots.none')}</p>;
  const isOwn = (slot: SlotState): boolean => own.amenity === amenity && own.date === date && isWithin(slot, own.span);
  const free = answer.slots.filter((slot) => slot.places > 0 || isOwn(slot));
  return (
    <div role="group" aria-label={label} aria-describedby={describedBy}>
      <div className="reservation-slots" id={id} tabIndex={-1}>
        {answer.slots.map((slot) => {
          const isFree = free.includes(slot);
          return (
            <button
              key={slot.from}
              type="button"
              className="reservation-slot"
              aria-pressed={isWithin(slot, chosen)}
              disabled={!isFree}
              onClick={() => onChange(chosenBy(slot, chosen, free))}
            >
              {hoursOf(slot)}
              {!isFree && <span className="small">{t(`areas.amenity-reservations.slots.${slot.is_taken ? 'taken' : 'over'}`)}</span>}
            </button>
          );
        })}
      </div>
      <p className="quiet small" aria-live="polite">
        {free.length === 0
          ? t('areas.amenity-reservations.slots.full')
          : t('areas.amenity-reservations.slots.zone', { zone: answer.time_zone_name ?? 'UTC' })}
      </p>
    </div>
  );
}
