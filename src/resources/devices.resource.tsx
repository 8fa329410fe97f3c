import { lazyPart } from '#src/components/lazy-part.ts';
import { type Device, devices } from '#models/devices.ts';
import { licensed } from '#models/licence-info.ts';
import type { Profile } from '#models/profile.ts';
import { mayDo, maySee } from '#src/views/area/areas.tsx';
import type { AnyRow } from '#src/views/area/resource.ts';
import { remotePath } from '#src/views/devices/remote-payload.ts';
import { remoteRefusedReason } from '#src/views/devices/remote-refused-dialog.tsx';
import { defineResource } from './define-resource.ts';
import { ConnectionCell, DeviceCell, PlaceCell, SerialCell, StatusCell, TasksCell } from './devices/cells.tsx';
import { DeviceAside } from './devices/device-aside.tsx';
import { deviceForm } from './devices/form.ts';
import { DeviceTools } from './devices/device-tools.tsx';
import { RemoteRefused } from './devices/remote-refused.tsx';
import { plainSubject } from './subjects.ts';

const commands = () => import('./devices/command-dialog.tsx');
const ApplySettings = lazyPart(() => commands().then(({ ApplySettings: dialog }) => ({ default: dialog })));
const Synchronise = lazyPart(() => commands().then(({ Synchronise: dialog }) => ({ default: dialog })));
const Reinit = lazyPart(() => commands().then(({ Reinit: dialog }) => ({ default: dialog })));
const Restart = lazyPart(() => commands().then(({ Restart: dialog }) => ({ default: dialog })));
const RetryQueue = lazyPart(() => commands().then(({ RetryQueue: dialog }) => ({ default: dialog })));
const Init = lazyPart(() => commands().then(({ Init: dialog }) => ({ default: dialog })));
const ProtocolDialog = lazyPart(() => import('./devices/protocol-dialog.tsx'));
const RawDialog = lazyPart(() => import('./devices/raw-dialog.tsx'));

const CallFromController = lazyPart(() => import('./elevators/call-action.tsx').then(({ CallFromController: dialog }) => ({ default: dialog })));

const mayEdit = (row: Device, profile: Profile): boolean =>
  mayDo(profile, { area: 'devices', subject: plainSubject }, 'edit', row as unknown as AnyRow);
/** What is told to the device needs a way to it. */
const mayCommand = (row: Device, profile: Profile): boolean => row.protocol !== 'none' && mayEdit(row, profile);

/** Whether an elevator may be called through it. */
const controlsElevator = ({ type }: Device, profile: Profile): boolean =>
  type === 'lift_controller' && licensed('elevator', profile.features, profile.license_info) && maySee(profile, 'elevators');

export default defineResource({
  model: devices,
  icon: 'pi-tablet',
  columns: [
    { key: 'name', cell: DeviceCell, shows: ['type', 'model'], tall: true },
    { key: 'status', cell: StatusCell, shows: ['status_at'], width: '12%' },
    { key: 'domain', cell: PlaceCell, shows: ['path'], sort: 'domain', width: '14%' },
    { key: 'tasks_count', cell: TasksCell, shows: ['errors_count'], width: '16%' },
    { key: 'login', cell: SerialCell, width: '14.5%' },
    { key: 'protocol', cell: ConnectionCell, shows: ['ip_address'], width: '11%', givesWay: 'tablet' },
    { key: 'ip_address', extra: true },
    { key: 'type', extra: true },
    { key: 'model', extra: true },
    { key: 'status_at', extra: true },
    { key: 'description', extra: true },
    { key: 'created_at', extra: true },
    { key: 'updated_at', extra: true },
  ],
  filterPresets: { errors_count: [{ words: 'areas.devices.tasks.some_failed', rule: 'above', value: 0 }] },
  form: deviceForm,
  actions: [
    { key: 'apply_settings', icon: 'pi-send', show: mayCommand, dialog: ApplySettings },
    { key: 'synchronise', icon: 'pi-sync', show: mayCommand, dialog: Synchronise },
    { key: 'retry_queue', icon: 'pi-replay', show: (row, profile) => row.errors_count > 0 && mayCommand(row, profile), dialog: RetryQueue },
    { key: 'restart', icon: 'pi-refresh', show: mayCommand, dialog: Restart },
    {
      key: 'remote',
      icon: 'pi-sliders-h',
      show: (row, profile) => mayEdit(row, profile) && remoteRefusedReason(row) === null,
      to: (row) => remotePath(row.id),
    },
    {
      key: 'remote_refused',
      icon: 'pi-sliders-h',
      show: (row, profile) => mayEdit(row, profile) && remoteRefusedReason(row) !== null,
      dialog: RemoteRefused,
    },
    { key: 'call_elevator', icon: 'pi-sort-alt', show: controlsElevator, dialog: CallFromController },
    { key: 'set_protocol', icon: 'pi-directions', show: mayEdit, dialog: ProtocolDialog },
    { key: 'init', icon: 'pi-play', show: mayCommand, dialog: Init },
    { key: 'reinit', icon: 'pi-undo', show: mayCommand, dialog: Reinit },
    { key: 'raw', icon: 'pi-code', show: mayEdit, dialog: RawDialog },
  ],
  slots: { aside: DeviceAside, toolbar: DeviceTools },
});
