import { type EmergencyAlert, emergencyAlerts } from '#models/emergency-alerts.ts';
import { hasPermission } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import { lazyPart } from '#src/components/lazy-part.ts';
import { mayMoveAlert } from '#src/views/emergency/life.ts';
import { actorOf } from '#src/views/profile-of.ts';
import { defineResource } from './define-resource.ts';
import { AlertAside } from './emergency-alerts/aside.tsx';
import { AnsweredCell, NameCell, StatusCell } from './emergency-alerts/cells.tsx';
import { RecordingPiece } from './emergency-alerts/recording-piece.tsx';

const dialogs = () => import('./emergency-alerts/dialogs.tsx');
const StartAlert = lazyPart(() => dialogs().then(({ StartAlert: dialog }) => ({ default: dialog })));
const StartDrill = lazyPart(() => dialogs().then(({ StartDrill: dialog }) => ({ default: dialog })));
const StopAlert = lazyPart(() => dialogs().then(({ StopAlert: dialog }) => ({ default: dialog })));

const mayPlay = (row: EmergencyAlert, profile: Profile, step: 'start' | 'stop'): boolean =>
  mayMoveAlert(row.status, step) && hasPermission(actorOf(profile), 'can_playback_emergency_alerts');
/** What is out stays as people have it on their screens. */
const isOut = ({ row }: { row: EmergencyAlert | null }): boolean => row !== null && !mayMoveAlert(row.status, 'change');

export default defineResource({
  model: emergencyAlerts,
  icon: 'pi-volume-up',
  columns: [
    { key: 'name', cell: NameCell, shows: ['message'], width: '34%', tall: true },
    { key: 'status', cell: StatusCell, width: '14%' },
    { key: 'domains', width: '20%' },
    { key: 'safe_count', cell: AnsweredCell, shows: ['seen_count', 'recipients_count'], width: '18%', tall: true },
    { key: 'open_locks', givesWay: 'desk' },
    { key: 'started_at', extra: true },
    { key: 'device_type', extra: true },
    { key: 'message', extra: true },
    { key: 'updated_at', extra: true },
    { key: 'created_at', extra: true },
  ],
  form: [
    {
      section: 'general',
      fields: [
        { key: 'name', locked: isOut, wide: true },
        { key: 'message', locked: isOut, wide: true },
        { key: 'domains', locked: isOut, wide: true },
      ],
    },
    {
      section: 'devices',
      fields: [
        { key: 'device_type', locked: isOut },
        { key: 'playback_duration', locked: isOut },
        { key: 'open_locks', locked: isOut, wide: true },
      ],
    },
    { section: 'recording', piece: RecordingPiece },
  ],
  actions: [
    { key: 'start', icon: 'pi-megaphone', show: (row, profile) => mayPlay(row, profile, 'start'), dialog: StartAlert },
    { key: 'drill', icon: 'pi-flag', show: (row, profile) => mayPlay(row, profile, 'start'), dialog: StartDrill },
    { key: 'stop', icon: 'pi-stop-circle', show: (row, profile) => mayPlay(row, profile, 'stop'), dialog: StopAlert },
  ],
  subject: ({ id, created_by, domains }) => ({ id, created_by, domains: domains.map((group) => group.id) }),
  copies: true,
  slots: { aside: AlertAside },
});
