import { useSelector } from '@xstate/react';
import { useContext } from 'react';
import type { OpenAlarmActor } from '#machines/alarms/open-alarm.machine.ts';
import type { DeviceAlarm } from '#models/device-alarms.ts';
import { clockAt } from '#models/zone.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import { maySee, useEntry } from '../area/areas.tsx';
import { editorPath } from '../area/use-open.ts';
import { mayProcess } from './may-process.ts';
import { useProfile } from '../profile-of.ts';
import { PageLink } from '../shell/page-link.tsx';
import { Sensor } from './sensor.tsx';

/** Since when, short: the time of day, on another day with its date. */
function Since({ at }: { at: string }) {
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  const there = clockAt(clockwork, Date.parse(at));
  const isToday = there.isSame(clockAt(clockwork, clockwork.now()), 'day');
  const time = there.format(isToday ? 'HH:mm:ss' : `${clockwork.timeFormat} HH:mm`);
  return (
    <time dateTime={at} className="alarm-since">
      {t('notifications.alarms.since', { time })}
    </time>
  );
}

function Holder({ alarm, me }: { alarm: DeviceAlarm; me: string }) {
  const { t } = useText();
  if (!alarm.claimed_by) return null;
  const { id, name } = alarm.claimed_by;
  return (
    <span className="alarm-holder">
      <i className="pi pi-user" aria-hidden="true" />{' '}
      {id === me ? t('notifications.alarms.claimed_by_you') : t('notifications.alarms.claimed_by', { name })}
    </span>
  );
}

/** One open alarm at the top of the page: what, where, since when, who has it, and what one can do. */
export function AlarmRow({ actor, onProcess }: { actor: OpenAlarmActor; onProcess: () => void }) {
  const { t } = useText();
  const profile = useProfile();
  const entry = useEntry('device-alarms');
  const alarm = useSelector(actor, ({ context }) => context.alarm);
  const mayClaim = useSelector(actor, (snapshot) => snapshot.can({ type: 'alarm.claim' }));
  const mayEnd = useSelector(actor, (snapshot) => snapshot.can({ type: 'alarm.process', comment: null }));
  const mayHide = useSelector(actor, (snapshot) => snapshot.can({ type: 'alarm.hide' }));
  const claiming = useSelector(actor, (snapshot) => snapshot.hasTag('claiming'));
  const acts = mayProcess(profile);
  return (
    <li className="alarm-row" data-waiting={alarm.claimed_by === null}>
      <b className="alarm-what">
        <Sensor sensor={alarm.sensor} />
      </b>
      <span className="alarm-where">
        {entry && maySee(profile, 'device-alarms') ? (
          <PageLink to={editorPath(entry, 'view', alarm.id)}>{alarm.device_name}</PageLink>
        ) : (
          alarm.device_name
        )}
        {alarm.path.length > 0 && `, ${alarm.path.join(' · ')}`}
      </span>
      <Since at={alarm.enabled_at} />
      {alarm.state === 'disabled' && <span className="alarm-cleared">{t('notifications.alarms.cleared')}</span>}
      <Holder alarm={alarm} me={profile.id} />
      <span className="alarm-acts">
        {acts && (mayClaim || claiming) && (
          <Button
            small
            className="alarm-claim"
            label={t('notifications.alarms.claim')}
            loading={claiming}
            onClick={() => actor.send({ type: 'alarm.claim' })}
          />
        )}
        {acts && mayEnd && <Button small tone="plain" className="alarm-plain" label={t('notifications.alarms.process')} onClick={onProcess} />}
        {mayHide && (
          <button
            type="button"
            className="icon-button alarm-hide"
            aria-label={t('notifications.alarms.hide')}
            title={t('notifications.alarms.hide')}
            onClick={() => actor.send({ type: 'alarm.hide' })}
          >
            <i className="pi pi-times" aria-hidden="true" />
          </button>
        )}
      </span>
    </li>
  );
}
