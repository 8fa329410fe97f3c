import { AddChip } from '#src/components/chips.tsx';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { RefField } from '#src/components/fields/ref-field.tsx';
import { groupText } from '#src/components/group-text.ts';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { floorsIn, type FloorLine, nextFloor } from './draft.ts';
import { TakeOver } from './take-over.tsx';
import './elevators.css';

/** A row whose group is said with the way down to it. */
const shownGroup = ({ group }: FloorLine) => group && { ...group, name: groupText(group) };

/** The floors as they are read, the highest on top as in the house. */
function ReadFloors({ floors }: { floors: readonly FloorLine[] }) {
  const { t } = useText();
  if (floors.length === 0) return <span className="field-value-none">{t('list.none')}</span>;
  return (
    <ol className="shaft" reversed>
      {floors.toReversed().map((floor) => (
        <li key={floor.number}>
          <strong>{floor.name}</strong>
          <span className="quiet">{t('areas.elevators.relay', { number: floor.number })}</span>
          <span>{shownGroup(floor)?.name}</span>
        </li>
      ))}
    </ol>
  );
}

interface LineProps {
  floor: FloorLine;
  id: string;
  path: string;
  pick: FieldProps['pick'];
  onChange: (part: Partial<FloorLine>) => void;
  onDown: (() => void) | undefined;
  onRemove: () => void;
}

/** One floor while it is edited. */
function EditLine({ floor, id, path, pick, onChange, onDown, onRemove }: LineProps) {
  const { t } = useText();
  const field = (key: string): string => t('areas.elevators.field_of', { field: t(`areas.elevators.fields.floors.${key}`), floor: floor.name });
  return (
    <li className="floor-line">
      <TextInput aria-label={field('name')} value={floor.name} maxLength={31} onChange={({ target }) => onChange({ name: target.value })} />
      <TextInput
        aria-label={field('number')}
        inputMode="numeric"
        autoComplete="off"
        value={String(floor.number)}
        onChange={({ target }) => onChange({ number: target.value })}
      />
      <RefField
        id={`${id}-group`}
        path={`${path}.group`}
        area="elevators"
        label={field('group')}
        value={shownGroup(floor)}
        onChange={(group) => onChange({ group: group as FloorLine['group'] })}
        meta={{ kind: 'ref', ref: 'groups', nullable: true, optional: false }}
        readOnly={false}
        invalid={false}
        describedBy={undefined}
        required={false}
        pick={pick}
        draft={{}}
      />
      <span className="floor-tools">
        <button
          type="button"
          className="icon-button"
          disabled={!onDown}
          aria-label={t('areas.elevators.lower', { floor: floor.name })}
          onClick={onDown}
        >
          <i className="pi pi-arrow-down" aria-hidden="true" />
        </button>
        <button type="button" className="icon-button" aria-label={t('areas.elevators.remove_floor', { floor: floor.name })} onClick={onRemove}>
          <i className="pi pi-times" aria-hidden="true" />
        </button>
      </span>
    </li>
  );
}

const swapped = (floors: readonly FloorLine[], at: number): FloorLine[] =>
  floors.map((floor, place) => (place === at - 1 ? (floors[at] ?? floor) : place === at ? (floors[at - 1] ?? floor) : floor));

/** The shaft: each floor with its name, the relay that frees it and the group that lies there; the highest on top. */
export function FloorsField({ id, path, value, onChange, readOnly, pick, label, describedBy, draft }: FieldProps) {
  const { t } = useText();
  const floors = floorsIn(value);
  if (readOnly) return <ReadFloors floors={floors} />;
  const places = floors.map((_, at) => at).toReversed();
  return (
    <div role="group" aria-label={label} aria-describedby={describedBy}>
      <div className="chips floors-add">
        <AddChip id={id} label={t('areas.elevators.add_floor')} onClick={() => onChange([...floors, nextFloor(floors)])} />
        <TakeOver draft={draft} onTake={onChange} />
      </div>
      {floors.length > 0 && (
        <>
          <div className="floor-line floor-head" aria-hidden="true">
            {(['name', 'number', 'group'] as const).map((key) => (
              <span key={key}>{t(`areas.elevators.fields.floors.${key}`)}</span>
            ))}
          </div>
          <ol className="floor-lines" reversed>
            {places.map((at) => (
              <EditLine
                // A floor is known by its place until it is saved.
                key={at}
                id={`${id}-${at}`}
                path={`${path}.${at}`}
                floor={floors[at] ?? nextFloor([])}
                pick={pick}
                onChange={(part) => onChange(floors.map((floor, place) => (place === at ? { ...floor, ...part } : floor)))}
                onDown={at > 0 ? () => onChange(swapped(floors, at)) : undefined}
                onRemove={() => onChange(floors.filter((_, place) => place !== at))}
              />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
