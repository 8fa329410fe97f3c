import { deviceAlarms } from '#models/device-alarms.ts';
import { mayProcess } from '#src/views/alarms/may-process.ts';
import { defineResource } from './define-resource.ts';
import { AlarmStory } from './device-alarms/alarm-story.tsx';
import ProcessAlarm from './device-alarms/process-alarm.tsx';
import { AlarmCell, AlarmStateCell, DeskCell, PlaceCell } from './device-alarms/cells.tsx';

export default defineResource({
  model: deviceAlarms,
  icon: 'pi-exclamation-triangle',
  columns: [
    { key: 'sensor', cell: AlarmCell, shows: ['device_name'], tall: true, width: '19%' },
    { key: 'path', cell: PlaceCell, width: '17%' },
    { key: 'state', cell: AlarmStateCell, width: '12%' },
    { key: 'enabled_at', width: '12%' },
    { key: 'claimed_by', cell: DeskCell, shows: ['processed_by'], width: '14%' },
    { key: 'comment', width: '17%', givesWay: 'tablet' },
    { key: 'disabled_at', extra: true },
    { key: 'processed_by', extra: true },
    { key: 'processed_at', extra: true },
    { key: 'group', extra: true },
  ],
  filterAreas: { device: 'devices', group: 'groups', claimed_by: 'users', processed_by: 'users' },
  form: [
    { section: 'story', piece: AlarmStory },
    {
      section: 'comment',
      fields: [{ key: 'comment', wide: true, locked: ({ row, profile }) => row?.processed_by?.id !== profile.id }],
      show: ({ row }) => row?.state === 'processed',
    },
  ],
  actions: [
    {
      key: 'process',
      icon: 'pi-check',
      show: (row, profile) => row.state !== 'processed' && mayProcess(profile),
      dialog: ProcessAlarm,
    },
  ],
});
