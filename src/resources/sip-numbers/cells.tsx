import type { SipNumber } from '#models/sip-numbers.ts';
import { useText } from '#src/components/text.ts';
import { NoValue } from '#src/views/area/cell.tsx';
import type { CellProps } from '#src/views/area/resource.ts';
import '#src/views/devices/devices.css';
import './numbers.css';

/** The number with what it is called. */
export function NumberCell({ row }: CellProps<string, SipNumber>) {
  return (
    <span className="number-cell">
      {row.number}
      {row.name !== row.owner_info?.name && <span className="cell-sub">{row.name}</span>}
    </span>
  );
}

const icons = { user: 'pi-user', device: 'pi-th-large', domain: 'pi-sitemap' } as const;

/** Who has it and where; that nobody has, where it is free; that it is kept, where it is not offered. */
export function OwnerCell({ row }: CellProps<SipNumber['owner_info'], SipNumber>) {
  const { t } = useText();
  const { owner_info: owner } = row;
  if (owner)
    return (
      <span className="device-name owner-cell">
        <i className={`pi ${icons[owner.kind]}`} aria-hidden="true" title={t(`areas.sip-numbers.options.owner_info.kind.${owner.kind}`)} />
        <span>
          {owner.name}
          {owner.address && owner.address !== owner.name && (
            <span className="cell-sub" title={owner.address}>
              {owner.address}
            </span>
          )}
        </span>
      </span>
    );
  return row.onlyFree ? <span className="tag tag-good">{t('areas.sip-numbers.states.free')}</span> : <NoValue />;
}

/** Whether it is on, and what sets it apart. */
export function StateCell({ row }: CellProps<boolean, SipNumber>) {
  const { t } = useText();
  return (
    <span className="cell-labels">
      <span className={row.is_active ? 'tag tag-good' : 'tag'}>{t(`areas.sip-numbers.states.${row.is_active ? 'active' : 'inactive'}`)}</span>
      {row.is_system && <span className="tag tag-info">{t('areas.sip-numbers.states.system')}</span>}
      {row.is_reserved && <span className="tag tag-warn">{t('areas.sip-numbers.states.reserved')}</span>}
    </span>
  );
}

/** Where its calls go besides. */
export function ForwardCell({ row }: CellProps<SipNumber['forward_mode'], SipNumber>) {
  const { t } = useText();
  if (row.forward_mode === 'disabled') return <NoValue />;
  const numbers = row.forward_mode === 'picked' ? row.picked_numbers.map(({ name }) => name) : row.forward_numbers;
  return (
    <span className="cell-lines" title={numbers.join(', ')}>
      {numbers.join(', ') || t(`areas.sip-numbers.options.forward_mode.${row.forward_mode}`)}
    </span>
  );
}
