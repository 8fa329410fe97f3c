import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { DeviceEvent } from '#models/device-events.ts';
import { may } from '#models/permissions.ts';
import type { LastAct, SimulatedDevice } from '#models/simulator.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useLiveRows } from '../area/use-live-rows.ts';
import { EventLine } from '../devices/event-line.tsx';
import { firstRows, listAddress } from '../home/use-rows.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { PageLink } from '../shell/page-link.tsx';
import { Part } from './part.tsx';

const shown = 5;

const presented = ({ reason, enrolled }: LastAct): string => (enrolled ? 'present_enrolled' : reason ? 'present_refused' : 'present_opened');

/** What was done last at the device, in the words of somebody who stands before it. */
export function LastActLine({ last }: { last: LastAct | null }) {
  const { t } = useText();
  const key = last?.act === 'present' ? presented(last) : last?.act;
  return (
    <p className="simulator-last" role="status" data-tone={last?.reason ? 'bad' : 'plain'}>
      {last ? (
        <>
          <span>
            {t(`simulator.done.${key}`, {
              identifier: last.identifier_type && t(`areas.device-events.options.identifier_type.${last.identifier_type}`),
              sensor: last.sensor && t(`areas.device-alarms.options.sensor.${last.sensor}`),
              reason: last.reason && t(`areas.device-events.options.reason.${last.reason}`),
            })}
          </span>
          <span className="quiet small">
            <When at={last.at} />
          </span>
        </>
      ) : (
        <span className="quiet">{t('simulator.done.nothing')}</span>
      )}
    </p>
  );
}

function Events({ device }: { device: SimulatedDevice }) {
  const { t } = useText();
  const query = useMemo(() => firstRows(shown, [{ field: 'device', rule: 'equals', value: device.id }], ['-occurred_at']), [device.id]);
  const { rows, loading } = useLiveRows<DeviceEvent>('device-events', query);
  return (
    <Part title={t('simulator.arrived')}>
      <ul className="simulator-events" aria-busy={loading}>
        {rows.map((event) => (
          <li key={event.id}>
            <PageLink to={`/devices/events/${event.id}`}>
              <EventLine event={event} />
            </PageLink>
          </li>
        ))}
        {rows.length === 0 && !loading && <li className="quiet">{t('simulator.nothing_arrived')}</li>}
      </ul>
      {rows.length > 0 && (
        <Link className="small" to={listAddress('/devices/events', query)}>
          {t('simulator.all_events')}
        </Link>
      )}
    </Part>
  );
}

/** What the console has heard from the device lately, each with the way to the event. */
export function HappenedPart({ device }: { device: SimulatedDevice }) {
  return may(actorOf(useProfile()), 'view', 'device-events') ? <Events device={device} /> : null;
}
