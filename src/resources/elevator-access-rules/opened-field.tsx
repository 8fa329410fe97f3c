import { useEffect } from 'react';
import { AddChip, Label } from '#src/components/chips.tsx';
import type { Chosen, FieldProps } from '#src/components/fields/field-props.ts';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import { elevatorText } from '#src/views/elevators/elevator-text.ts';
import '../elevators/elevators.css';

interface Opened {
  elevator: Chosen & { domain?: string | null };
  floors: readonly number[];
}
/** An elevator as the sheet hands it back: with the floors it had. */
type Picked = Chosen & { floors?: readonly number[] };
const asPicked = ({ elevator, floors }: Opened): Picked => ({ id: elevator.id, name: elevatorText(elevator), floors });
const asOpened = (entry: Opened | Picked): Opened =>
  'elevator' in entry ? entry : { elevator: { id: entry.id, name: entry.name }, floors: entry.floors ?? [] };

interface LineProps {
  opened: Opened;
  readOnly: boolean;
  onChange: (floors: readonly number[]) => void;
  onRemove: () => void;
}

/** The floors of one elevator, those that the rule opens marked. */
function Floors({ opened: { elevator, floors }, readOnly, onChange }: Omit<LineProps, 'onRemove'>) {
  const { t } = useText();
  const { answer, problem, reload } = useReading('elevatorFloors', { params: { id: elevator.id }, query: readOnly ? {} : { mode: 'access' } });
  if (problem) return <Failure problem={problem} onRetry={reload} />;
  if (!answer) return <SkeletonLines label={t('list.loading')} />;
  if (answer.length === 0 && !readOnly) return <p className="field-hint">{t('areas.elevator-access-rules.no_access')}</p>;
  const named = answer.toReversed();
  if (readOnly)
    return (
      <span className="chips">
        {named
          .filter(({ number }) => floors.includes(number))
          .map(({ number, name }) => (
            <Label key={number} name={name} />
          ))}
      </span>
    );
  const turn = (number: number, on: boolean) =>
    onChange(on ? [...floors, number].toSorted((one, other) => one - other) : floors.filter((other) => other !== number));
  return (
    <>
      <fieldset className="opened-floors" aria-label={t('areas.elevator-access-rules.floors_of', { name: elevatorText(elevator) })}>
        {named.map(({ number, name }) => (
          <label key={number} className="opened-floor">
            <input type="checkbox" className="check" checked={floors.includes(number)} onChange={({ target }) => turn(number, target.checked)} />
            {name}
          </label>
        ))}
      </fieldset>
      <span className="chips">
        {floors.length < answer.length && (
          <AddChip
            label={t('areas.elevator-access-rules.all_floors')}
            onClick={() => onChange(answer.map(({ number }) => number).toSorted((one, other) => one - other))}
          />
        )}
        {floors.length === 0 && <span className="field-hint">{t('areas.elevator-access-rules.without_floors')}</span>}
      </span>
    </>
  );
}

/** The elevators of a rule, each with the floors that it opens there. */
export function OpenedField({ id, path, value, onChange, readOnly, pick, label, describedBy }: FieldProps) {
  const { t } = useText();
  const given = Array.isArray(value) ? (value as (Opened | Picked)[]) : [];
  const lines = given.map(asOpened);
  const isFresh = given.some((entry) => !('elevator' in entry));
  // The sheet hands back elevators; the draft holds them with floors, so that it can be checked and sent.
  useEffect(() => {
    if (isFresh) onChange(lines);
    // oxlint-disable-next-line react/exhaustive-deps -- once for what the sheet has handed back
  }, [isFresh]);
  return (
    <div role="group" aria-label={label} aria-describedby={describedBy}>
      {lines.length > 0 && (
        <ul className="opened-lines">
          {lines.map((line, at) => (
            <li key={line.elevator.id} className="opened-line">
              <span className="opened-head">
                <strong>{elevatorText(line.elevator)}</strong>
                {!readOnly && (
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={t('list.fields.remove', { name: elevatorText(line.elevator) })}
                    onClick={() => onChange(lines.filter((_, place) => place !== at))}
                  >
                    <i className="pi pi-times" aria-hidden="true" />
                  </button>
                )}
              </span>
              <Floors
                opened={line}
                readOnly={readOnly}
                onChange={(floors) => onChange(lines.map((other, place) => (place === at ? { ...other, floors } : other)))}
              />
            </li>
          ))}
        </ul>
      )}
      {readOnly && lines.length === 0 && <span className="field-value-none">{t('list.none')}</span>}
      {!readOnly && (
        <AddChip
          id={id}
          label={t('areas.elevator-access-rules.add_elevator')}
          onClick={() => pick?.({ area: 'elevators', multiple: true, path, chosen: lines.map(asPicked) })}
        />
      )}
    </div>
  );
}
