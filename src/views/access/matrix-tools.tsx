import { type ReactNode, useContext, useState } from 'react';
import { localTime, momentAt } from '#models/zone.ts';
import { Chip } from '#src/components/chips.tsx';
import { DayInput } from '#src/components/day-input.tsx';
import { Popup } from '#src/components/popup.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import { useRowNames } from '../area/memory.tsx';
import { RefPicker } from '../area/ref-picker.tsx';
import { useTypedParam } from '../shell/address-params.ts';
import type { MatrixAddress } from './matrix-address.ts';

interface ToolsProps {
  address: MatrixAddress;
  onChange: (part: Partial<MatrixAddress>) => void;
  children: ReactNode;
}

/** A part of a name; the table follows once one has stopped typing. */
function Search({ label, name, onChange }: { label: string; name: 'person' | 'door'; onChange: (text: string) => void }) {
  return (
    <TextInput type="search" className="matrix-search" aria-label={label} placeholder={label} maxLength={64} {...useTypedParam(name, onChange)} />
  );
}

/** One group, or all. */
function GroupChoice({ id, label, value, onChange }: { id: string; label: string; value: string | null; onChange: (group: string | null) => void }) {
  const { t } = useText();
  const { nameOf } = useRowNames();
  const [anchor, setAnchor] = useState<HTMLElement>();
  return (
    <span className="matrix-group">
      <button
        type="button"
        className={value === null ? 'chip chip-add' : 'chip chip-text'}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => setAnchor(anchor ? undefined : currentTarget)}
      >
        {value === null ? label : `${label}: ${nameOf('groups', value) ?? '…'}`}
      </button>
      {value !== null && (
        <button type="button" className="icon-button" aria-label={t('list.matrix.all_groups')} onClick={() => onChange(null)}>
          <i className="pi pi-times" aria-hidden="true" />
        </button>
      )}
      {anchor && (
        <Popup anchor={anchor} label={label} onClose={() => setAnchor(undefined)}>
          <div className="matrix-popup">
            <RefPicker
              id={id}
              area="groups"
              label={label}
              ids={value === null ? [] : [value]}
              onChange={(ids) => {
                onChange(ids.at(-1) ?? null);
                setAnchor(undefined);
              }}
            />
          </div>
        </Popup>
      )}
    </span>
  );
}

/** One person or one door that a link came with; taken away, the table is whole again. */
function One({ area, id, onRemove }: { area: 'users' | 'devices'; id: string; onRemove: () => void }) {
  const { t } = useText();
  const { nameOf } = useRowNames();
  const name = nameOf(area, id) ?? '…';
  return (
    <Chip onRemove={onRemove} removeLabel={t('list.fields.remove', { name })}>
      {name}
    </Chip>
  );
}

/** Which people, which doors, which moment. */
export function MatrixTools({ address, onChange, children }: ToolsProps) {
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  const first = { people_page: 1, doors_page: 1 };
  return (
    <div className="matrix-tools">
      {address.person_id === null ? (
        <Search label={t('list.matrix.search_person')} name="person" onChange={(person) => onChange({ ...first, person })} />
      ) : (
        <One area="users" id={address.person_id} onRemove={() => onChange({ ...first, person_id: null })} />
      )}
      {address.door_id === null ? (
        <Search label={t('list.matrix.search_door')} name="door" onChange={(door) => onChange({ ...first, door })} />
      ) : (
        <One area="devices" id={address.door_id} onRemove={() => onChange({ ...first, door_id: null })} />
      )}
      <GroupChoice
        id="matrix-people-group"
        label={t('list.matrix.people_group')}
        value={address.people_group}
        onChange={(people_group) => onChange({ ...first, people_group })}
      />
      <GroupChoice
        id="matrix-doors-group"
        label={t('list.matrix.doors_group')}
        value={address.doors_group}
        onChange={(doors_group) => onChange({ ...first, doors_group })}
      />
      <label className="field-flag">
        <input
          type="checkbox"
          className="check"
          checked={address.only_reached}
          onChange={({ target }) => onChange({ ...first, only_reached: target.checked })}
        />
        <span>{t('list.matrix.only_reached')}</span>
      </label>
      <label className="matrix-moment">
        <span className="quiet">{t('list.matrix.at')}</span>
        <DayInput
          label={t('list.matrix.at')}
          withTime
          value={address.at === null ? null : localTime(clockwork, Date.parse(address.at))}
          onChange={(local) => onChange({ at: local === null ? null : new Date(momentAt(clockwork, local)).toISOString() })}
        />
      </label>
      <span className="grow" />
      {children}
    </div>
  );
}
