import { TextInput } from '#src/components/text-input.tsx';
import { memo, useState } from 'react';
import type { GeneratedGroup } from '#models/groups.ts';
import { useText } from '#src/components/text.ts';
import { countOf, type Spot } from './generated.ts';

interface PreviewProps {
  groups: readonly GeneratedGroup[];
  spot: Spot;
  onChange: (spot: Spot, change: Partial<GeneratedGroup> | null) => void;
}

const Node = memo(function Node({ group, spot, onChange }: { group: GeneratedGroup; spot: Spot; onChange: PreviewProps['onChange'] }) {
  const { t } = useText();
  const [open, setOpen] = useState(spot.length === 1 && spot[0] === 0);
  const below = countOf(group.children);
  return (
    <li>
      <div className="preview-line">
        {below > 0 ? (
          <button type="button" className="icon-button" aria-expanded={open} aria-label={group.name} onClick={() => setOpen(!open)}>
            <i className={`pi ${open ? 'pi-chevron-down' : 'pi-chevron-right'}`} aria-hidden="true" />
          </button>
        ) : (
          <span className="preview-leaf" />
        )}
        <TextInput
          value={group.name}
          maxLength={31}
          aria-label={t('areas.groups.fields.name')}
          onChange={(event) => onChange(spot, { name: event.target.value })}
        />
        <TextInput
          className="preview-address"
          value={group.logic_address ?? ''}
          maxLength={31}
          aria-label={t('areas.groups.fields.logic_address')}
          placeholder={t('areas.groups.fields.logic_address')}
          onChange={(event) => onChange(spot, { logic_address: event.target.value || null })}
        />
        {below > 0 && <span className="quiet small">{t('areas.groups.count', { count: below })}</span>}
        <button type="button" className="icon-button" aria-label={t('list.fields.remove', { name: group.name })} onClick={() => onChange(spot, null)}>
          <i className="pi pi-times" aria-hidden="true" />
        </button>
      </div>
      {open && below > 0 && <GeneratePreview groups={group.children} spot={spot} onChange={onChange} />}
    </li>
  );
});

/** The proposed tree: names and addresses may be changed, groups left out, before anything is stored. */
export function GeneratePreview({ groups, spot, onChange }: PreviewProps) {
  return (
    <ul className="preview">
      {groups.map((group, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- proposed groups have no other name than their place
        <Node key={at} group={group} spot={[...spot, at]} onChange={onChange} />
      ))}
    </ul>
  );
}
