import { useSelector } from '@xstate/react';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { Link } from 'react-router-dom';
import { type AlarmsActor, openAlarmOf } from '#machines/alarms/alarms.machine.ts';
import type { OpenAlarmActor } from '#machines/alarms/open-alarm.machine.ts';
import type { DeviceAlarm } from '#models/device-alarms.ts';
import { inSentence } from '#models/in-sentence.ts';
import { groupText } from '#src/components/group-text.ts';
import { useText } from '#src/components/text.ts';
import { useEntry } from '../area/areas.tsx';
import { useMedia } from '../shell/media.ts';
import { AlarmRow } from './alarm-row.tsx';

const ProcessDialog = lazyPart(() => import('./process-dialog.tsx'));
const mostShown = { wide: 3, phone: 1 };

/** The open alarms with their actors, and which of them were put away here. */
function useOpenAlarms(alarms: AlarmsActor): { shown: OpenAlarmActor[]; hidden: OpenAlarmActor[] } {
  const list = useSelector(alarms, ({ context }) => context.alarms);
  const actors = list.flatMap(({ id }) => openAlarmOf(alarms.getSnapshot(), id) ?? []);
  const [, drawAgain] = useState(0);
  const key = actors.map(({ sessionId }) => sessionId).join(' ');
  useEffect(() => {
    const subscriptions = actors.map((actor) => actor.subscribe(() => drawAgain((times) => times + 1)));
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
    // oxlint-disable-next-line react/exhaustive-deps -- `key` stands for the actors
  }, [key]);
  const isHidden = (actor: OpenAlarmActor): boolean => actor.getSnapshot().hasTag('hidden');
  return { shown: actors.filter((actor) => !isHidden(actor)), hidden: actors.filter(isHidden) };
}

/** Says every alarm once, when it is raised. */
function Announcement({ alarms }: { alarms: readonly DeviceAlarm[] }) {
  const { t } = useText();
  const [said, setSaid] = useState<DeviceAlarm>();
  const newest = alarms.find(({ claimed_by, enabled_at }) => claimed_by === null && enabled_at > (said?.enabled_at ?? ''));
  if (newest) setSaid(newest);
  const open = said && alarms.some(({ id }) => id === said.id) ? said : undefined;
  return (
    <span className="unseen" role="alert">
      {open &&
        t('notifications.alarms.raised', {
          sensor: inSentence(t(`areas.device-alarms.options.sensor.${open.sensor}`)),
          device: open.device_name,
          place: groupText({ name: '', path: open.path }),
        })}
    </span>
  );
}

/** The dialog in which an alarm is processed; it closes when that is done, or when somebody else has done it. */
export function Processing({ actor, onClose }: { actor: OpenAlarmActor; onClose: () => void }) {
  const alarm = useSelector(actor, ({ context }) => context.alarm);
  const problem = useSelector(actor, ({ context }) => context.problem);
  const busy = useSelector(actor, (snapshot) => snapshot.hasTag('processing'));
  const over = useSelector(actor, ({ status }) => status !== 'active');
  useEffect(() => {
    if (over) onClose();
  }, [over, onClose]);
  return (
    <Suspense>
      <ProcessDialog
        alarm={alarm}
        busy={busy}
        problem={problem}
        onSave={(comment) => actor.send({ type: 'alarm.process', comment })}
        onClose={onClose}
      />
    </Suspense>
  );
}

/** All open alarms across the top, until somebody has seen to each. The dialog stands beside the banner, which moves into it. */
export function AlarmBanner({ alarms, onProcess }: { alarms: AlarmsActor; onProcess: (actor: OpenAlarmActor) => void }) {
  const { t } = useText();
  const entry = useEntry('device-alarms');
  const phone = useMedia('(max-width: 599px)');
  const most = phone ? mostShown.phone : mostShown.wide;
  const { shown, hidden } = useOpenAlarms(alarms);
  const list = useSelector(alarms, ({ context }) => context.alarms);
  const total = useSelector(alarms, ({ context }) => context.total);
  const more = total - hidden.length - Math.min(shown.length, most);
  return (
    <>
      <Announcement alarms={list} />
      {shown.length > 0 && (
        <section className="alarm-banner" aria-label={t('notifications.alarms.strip')}>
          <ul>
            {shown.slice(0, most).map((actor) => (
              <AlarmRow key={actor.id} actor={actor} onProcess={() => onProcess(actor)} />
            ))}
          </ul>
          {(more > 0 || hidden.length > 0) && (
            <footer className="alarm-foot">
              {more > 0 && entry && <Link to={entry.path}>{t('notifications.alarms.and_more', { count: more })}</Link>}
              {hidden.length > 0 && (
                <button type="button" className="link-button" onClick={() => hidden.forEach((actor) => actor.send({ type: 'alarm.show' }))}>
                  {t('notifications.alarms.show_hidden', { count: hidden.length })}
                </button>
              )}
            </footer>
          )}
        </section>
      )}
    </>
  );
}
