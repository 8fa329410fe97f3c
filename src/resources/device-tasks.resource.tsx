import { lazyPart } from '#src/components/lazy-part.ts';
import { type DeviceTask, deviceTasks } from '#models/device-tasks.ts';
import { may } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import { mayMoveTask } from '#src/views/devices/task-moves.ts';
import { actorOf } from '#src/views/profile-of.ts';
import { defineResource } from './define-resource.ts';
import { DurationCell, ErrorCell, KindCell, TaskStatusCell } from './device-tasks/cells.tsx';
import { TaskItem } from './device-tasks/task-item.tsx';

const dialogs = () => import('./device-tasks/task-dialogs.tsx');
const StopTask = lazyPart(() => dialogs().then(({ StopTask: dialog }) => ({ default: dialog })));
const RetryTask = lazyPart(() => dialogs().then(({ RetryTask: dialog }) => ({ default: dialog })));

const mayAct = (row: DeviceTask, profile: Profile, event: 'task.stop' | 'task.retry'): boolean =>
  mayMoveTask(row.status, event) && may(actorOf(profile), 'edit', 'device-tasks');

export default defineResource({
  model: deviceTasks,
  icon: 'pi-list-check',
  columns: [
    { key: 'kind', cell: KindCell, shows: ['device'], tall: true, width: '20%' },
    { key: 'status', cell: TaskStatusCell, shows: ['attempts'], width: '17%' },
    { key: 'error', cell: ErrorCell, width: '21%' },
    'user',
    'created_at',
    { key: 'finished_at', cell: DurationCell, shows: ['started_at'], givesWay: 'tablet' },
    { key: 'attempts', extra: true },
    { key: 'started_at', extra: true },
  ],
  filterAreas: { device: 'devices', user: 'users' },
  actions: [
    { key: 'stop', icon: 'pi-stop-circle', show: (row, profile) => mayAct(row, profile, 'task.stop'), dialog: StopTask },
    { key: 'retry', icon: 'pi-replay', show: (row, profile) => mayAct(row, profile, 'task.retry'), dialog: RetryTask },
  ],
  slots: { item: TaskItem },
});
