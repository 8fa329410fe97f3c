import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import type { DeviceEvent } from '#models/device-events.ts';
import { hasDoor } from '#models/device-models.ts';
import type { Device } from '#models/devices.ts';
import { hasPermission } from '#models/permissions.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { maySee } from '#src/views/area/areas.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useLiveRows } from '#src/views/area/use-live-rows.ts';
import { EventLine } from '#src/views/devices/event-line.tsx';
import { OpenDoor } from '#src/views/devices/open-door.tsx';
import { seesStatus, StatusMark } from '#src/views/devices/status-mark.tsx';
import { firstRows, listAddress } from '#src/views/home/use-rows.ts';
import { actorOf, useProfile } from '#src/views/profile-of.ts';
import { CameraPicture } from './camera-picture.tsx';
import { SyncErrorsDialog } from './sync-errors-dialog.tsx';

function LastEvents({ id }: { id: string }) {
  const { t } = useText();
  const query = useMemo(() => firstRows(5, [{ field: 'device', rule: 'equals', value: id }], ['-occurred_at']), [id]);
  const { rows, loading } = useLiveRows<DeviceEvent>('device-events', query);
  return (
    <div className="device-last">
      <h3>{t('areas.devices.last_events')}</h3>
      {rows.length === 0 && !loading && <p className="quiet small">{t('areas.devices.no_events')}</p>}
      <ul className="event-lines">
        {rows.map((event) => (
          <li key={event.id}>
            <EventLine event={event} />
          </li>
        ))}
      </ul>
      {rows.length > 0 && (
        <Link className="aside-link" to={listAddress('/devices/events', query)}>
          {t('areas.devices.all_events')}
        </Link>
      )}
    </div>
  );
}

/** Tasks under way and failed ones, each the way to them. */
function Tasks({ device }: { device: Device }) {
  const { t } = useText();
  const to = listAddress('/devices/tasks', firstRows(20, [{ field: 'device', rule: 'equals', value: device.id }]));
  return (
    <dd>
      {device.errors_count > 0 && <span className="tag tag-bad">{t('areas.devices.tasks.failed', { count: device.errors_count })}</span>}{' '}
      {device.tasks_count > 0 && <span className="tag tag-info">{t('areas.devices.tasks.open', { count: device.tasks_count })}</span>}{' '}
      <Link to={to}>{t(device.errors_count + device.tasks_count > 0 ? 'areas.devices.tasks.show' : 'areas.devices.tasks.done')}</Link>
    </dd>
  );
}

/** The device as it stands this moment, read anew whenever it changes; the row that is edited stays as it was. */
function useStanding(row: Device): Device {
  const query = useMemo(() => firstRows(1, [{ field: 'id', rule: 'equals', value: row.id }]), [row.id]);
  const { rows } = useLiveRows<Device>('devices', query);
  return rows[0] ?? row;
}

function Standing({ row }: { row: Device }) {
  const { t } = useText();
  const profile = useProfile();
  const [errors, setErrors] = useState(false);
  const device = useStanding(row);
  const { firmware, settings_applied_at: applied, synced_at: synced, sync_errors: wrong } = device.device_info;
  return (
    <>
      {seesStatus(profile) && (
        <div className="device-standing">
          <StatusMark status={device.status} protocol={device.protocol} />
          {device.status_at && <When at={device.status_at} />}
        </div>
      )}
      <CameraPicture device={device} />
      <OpenDoor device={device} />
      {hasDoor(device) && hasPermission(actorOf(profile), 'can_view_access_rules') && (
        <Link className="aside-link" to={`/access-matrix?door_id=${device.id}&only_reached=true`}>
          {t('list.matrix.who')}
        </Link>
      )}
      <dl className="facts">
        {firmware && (
          <div className="fact">
            <dt>{t('areas.devices.fields.device_info.firmware')}</dt>
            <dd>{firmware}</dd>
          </div>
        )}
        {applied && (
          <div className="fact">
            <dt>{t('areas.devices.fields.device_info.settings_applied_at')}</dt>
            <dd>
              <When at={applied} />
            </dd>
          </div>
        )}
        {synced && (
          <div className="fact">
            <dt>{t('areas.devices.fields.device_info.synced_at')}</dt>
            <dd>
              <When at={synced} />
            </dd>
          </div>
        )}
        {maySee(profile, 'device-tasks') && (
          <div className="fact">
            <dt>{t('areas.devices.fields.tasks_count')}</dt>
            <Tasks device={device} />
          </div>
        )}
      </dl>
      {wrong > 0 && (
        <Button
          small
          tone="danger-plain"
          icon="pi-exclamation-triangle"
          label={t('areas.devices.sync.wrong', { count: wrong })}
          onClick={() => setErrors(true)}
        />
      )}
      {errors && <SyncErrorsDialog id={device.id} onClose={() => setErrors(false)} />}
      {maySee(profile, 'device-events') && <LastEvents id={device.id} />}
    </>
  );
}

/** Beside the form: how the device stands, live; its door, its tasks, what it told last. */
export function DeviceAside({ row }: PieceProps<Device>) {
  return row && <Standing row={row} />;
}
