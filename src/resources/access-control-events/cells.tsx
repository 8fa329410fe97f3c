import type { AccessControlEvent } from '#models/access-control-events.ts';
import { useText } from '#src/components/text.ts';
import { DevicePlace } from '#src/views/devices/device-place.tsx';
import { NoValue } from '#src/views/area/cell.tsx';
import type { CellProps } from '#src/views/area/resource.ts';
import { typeIconOf } from '#src/views/devices/event-look.ts';
import '#src/views/devices/devices.css';

/** Let in or refused, at which door. */
export function PassageCell({ row }: CellProps<unknown, AccessControlEvent>) {
  const { t } = useText();
  return (
    <span className="device-name" data-tone={row.type === 'access_denied' ? 'bad' : 'good'}>
      <i className={`pi ${typeIconOf(row.type)}`} aria-hidden="true" />
      <span>
        {t(`areas.access-control-events.options.type.${row.type}`)}
        <DevicePlace row={row} />
      </span>
    </span>
  );
}

/** The identifier as far as it is told: its kind and its end. */
export function CredentialCell({ row }: CellProps<unknown, AccessControlEvent>) {
  const { t } = useText();
  if (!row.identifier_type) return <NoValue />;
  return (
    <span className="cell-line">
      {t(`areas.access-control-events.options.identifier_type.${row.identifier_type}`)}
      {row.identifier_mask && <span className="cell-sub">…{row.identifier_mask}</span>}
    </span>
  );
}

/** Why it was refused, or by which rule it was let in. */
export function DecisionCell({ row }: CellProps<unknown, AccessControlEvent>) {
  const { t } = useText();
  if (row.reason) return <span className="cell-lines">{t(`areas.access-control-events.options.reason.${row.reason}`)}</span>;
  if (!row.rule) return <NoValue />;
  return (
    <span className="cell-line">
      {row.rule}
      {row.schedule && <span className="cell-sub">{row.schedule}</span>}
    </span>
  );
}

/** Who passed: somebody of the house, or a guest, whose key is nobody's. */
export function WhoCell({ row }: CellProps<unknown, AccessControlEvent>) {
  const { t } = useText();
  if (row.user) return <span className="cell-lines">{row.user.name}</span>;
  if (!row.guest) return <NoValue />;
  return (
    <span className="cell-line">
      {row.guest}
      <span className="cell-sub">{t('areas.access-control-events.fields.guest')}</span>
    </span>
  );
}
