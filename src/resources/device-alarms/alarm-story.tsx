import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { DeviceAlarm } from '#models/device-alarms.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { Timeline, type TimelineStep } from '#src/components/timeline.tsx';
import { mayProcess } from '#src/views/alarms/may-process.ts';
import { maySee, useEntry } from '#src/views/area/areas.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';
import { editorPath } from '#src/views/area/use-open.ts';
import { useProfile } from '#src/views/profile-of.ts';
import { PageLink } from '#src/views/shell/page-link.tsx';
import { AlarmStateCell } from './cells.tsx';
import { ClaimButton } from './claim-button.tsx';
import ProcessAlarm from './process-alarm.tsx';
import './device-alarms.css';

/** Where the alarm is: the device, and the way down to it. */
function Place({ row }: { row: DeviceAlarm }) {
  const profile = useProfile();
  const devices = useEntry('devices');
  return (
    <p className="story-place">
      {row.device && devices && maySee(profile, 'devices') ? (
        <PageLink to={editorPath(devices, 'view', row.device.id)}>{row.device.name}</PageLink>
      ) : (
        row.device_name
      )}
      {row.path.length > 0 && <span className="quiet"> · {row.path.join(' · ')}</span>}
    </p>
  );
}

/** What happened in the order it did; what has not happened yet comes last. */
const inOrder = (steps: readonly TimelineStep[]): TimelineStep[] => [
  ...steps.filter(({ at }) => at).toSorted((one, other) => (one.at ?? '').localeCompare(other.at ?? '')),
  ...steps.filter(({ at }) => !at),
];

/** The whole life of one alarm, step by step, with what is to be done next. */
export function AlarmStory({ row, reload }: PieceProps<DeviceAlarm>) {
  const { t } = useText();
  const profile = useProfile();
  const [processing, setProcessing] = useState(false);
  if (!row) return null;
  const acts = row.state !== 'processed' && mayProcess(profile);
  const words = (key: 'claimed' | 'processed', person: DeviceAlarm['claimed_by'], otherwise: string) =>
    person ? t(`areas.device-alarms.story.${key}`, { name: person.name }) : t(otherwise);
  const steps: TimelineStep[] = [
    {
      key: 'tripped',
      icon: 'pi-exclamation-triangle',
      tone: 'bad',
      at: row.enabled_at,
      content: t('areas.device-alarms.story.tripped', { sensor: t(`areas.device-alarms.options.sensor.${row.sensor}`) }),
    },
    ...(row.disabled_at
      ? [{ key: 'cleared', icon: 'pi-bell-slash', tone: 'warn', at: row.disabled_at, content: t('areas.device-alarms.story.cleared') } as const]
      : []),
    {
      key: 'claimed',
      icon: 'pi-user',
      tone: 'info',
      at: row.claimed_at,
      content: words('claimed', row.claimed_by, 'areas.device-alarms.waiting'),
    },
    {
      key: 'processed',
      icon: 'pi-check',
      tone: 'good',
      at: row.processed_at,
      content: words('processed', row.processed_by, 'areas.device-alarms.unprocessed'),
    },
  ];
  return (
    <div className="alarm-story">
      <Place row={row} />
      <AlarmStateCell value={row.state} row={row} />
      {/* Not in the timeline: it comes later, and an alarm is not to wait for it. */}
      {acts && (
        <div className="story-acts">
          {!row.claimed_by && <ClaimButton alarm={row} reload={reload} />}
          <Button small tone="plain" label={t('areas.device-alarms.actions.process')} onClick={() => setProcessing(true)} />
        </div>
      )}
      <Timeline label={t('areas.device-alarms.sections.story')} steps={inOrder(steps)} />
      {/* Not inside the form around this piece: it has one of its own. */}
      {processing && createPortal(<ProcessAlarm row={row} close={() => setProcessing(false)} reload={reload} />, document.body)}
    </div>
  );
}
