import { Suspense, useMemo, useState } from 'react';
import type { EmergencyAlertPeople } from '#models/emergency-alert-calls.ts';
import type { EmergencyAlert } from '#models/emergency-alerts.ts';
import { hasPermission } from '#models/permissions.ts';
import { Button } from '#src/components/button.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useLiveRows } from '#src/views/area/use-live-rows.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import { mayMoveAlert } from '#src/views/emergency/life.ts';
import { firstRows } from '#src/views/home/use-rows.ts';
import { actorOf, useProfile } from '#src/views/profile-of.ts';
import { StartAlert, StartDrill, StopAlert } from './dialogs.tsx';
import { AlertStatusTag } from './status-tag.tsx';
import './emergency-alerts.css';

type Person = EmergencyAlertPeople['people'][number];
const dialogs = { start: StartAlert, drill: StartDrill, stop: StopAlert };

function PersonLine({ name, group, seen_at, safe_at }: Person) {
  const { t } = useText();
  const [tone, word] = safe_at ? ['tag tag-good', 'safe'] : seen_at ? ['tag tag-info', 'seen'] : ['tag tag-warn', 'unseen'];
  return (
    <li className="alert-person">
      <span className="alert-person-name">
        <bdi>{name}</bdi>
        {group && <span className="quiet small"> · {group}</span>}
      </span>
      <span className={tone}>{t(`areas.emergency-alerts.person.${word}`)}</span>
    </li>
  );
}

/** How many have answered, and everybody by name: first those who have not. `row` changes with every answer, and it is read anew. */
function People({ row }: { row: EmergencyAlert }) {
  const { t } = useText();
  const { answer, problem } = useReading('emergencyAlertPeople', { params: { id: row.id } }, { again: row });
  if (!answer) return <ProblemNote problem={problem} />;
  const { recipients, seen, safe, people } = answer;
  return (
    <section aria-label={t('areas.emergency-alerts.people')}>
      <p role="status">
        <strong>{t('areas.emergency-alerts.safe_of', { safe, count: recipients })}</strong>
        <span className="quiet small"> · {t('areas.emergency-alerts.seen_by', { seen })}</span>
      </p>
      <progress className="alert-progress" aria-label={t('areas.emergency-alerts.person.safe')} value={safe} max={Math.max(recipients, 1)} />
      <ul className="alert-people" tabIndex={0} aria-label={t('areas.emergency-alerts.people')}>
        {people.map((person) => (
          <PersonLine key={person.id} {...person} />
        ))}
      </ul>
      {people.length < recipients && <p className="quiet small">{t('areas.emergency-alerts.others', { count: recipients - people.length })}</p>}
    </section>
  );
}

function Standing({ row, reload }: { row: EmergencyAlert; reload: () => void }) {
  const { t } = useText();
  const mayPlay = hasPermission(actorOf(useProfile()), 'can_playback_emergency_alerts');
  const [asked, setAsked] = useState<keyof typeof dialogs | null>(null);
  const query = useMemo(() => firstRows(1, [{ field: 'created_at', rule: 'equals', value: row.created_at }]), [row.created_at]);
  const { rows } = useLiveRows<EmergencyAlert>('emergency-alerts', query);
  const now = rows.find(({ id }) => id === row.id) ?? row;
  const Dialog = asked && dialogs[asked];
  return (
    <div className="alert-standing">
      <p className="row">
        <AlertStatusTag row={now} />
        {now.started_at && (
          <span className="quiet small">
            <When at={now.ended_at ?? now.started_at} />
          </span>
        )}
      </p>
      {mayPlay && mayMoveAlert(now.status, 'start') && (
        <div className="alert-starts">
          <Button tone="danger" icon="pi-megaphone" label={t('areas.emergency-alerts.actions.start')} onClick={() => setAsked('start')} />
          <Button tone="plain" icon="pi-flag" label={t('areas.emergency-alerts.actions.drill')} onClick={() => setAsked('drill')} />
        </div>
      )}
      {mayPlay && mayMoveAlert(now.status, 'stop') && (
        <Button icon="pi-stop-circle" label={t('areas.emergency-alerts.actions.stop')} onClick={() => setAsked('stop')} />
      )}
      {now.started_at && <People row={now} />}
      {Dialog && (
        <Suspense>
          <Dialog row={now} close={() => setAsked(null)} reload={reload} />
        </Suspense>
      )}
    </div>
  );
}

/** Beside the form: how it stands, starting and stopping it, who has seen it and who is safe. */
export function AlertAside({ row, reload }: PieceProps<EmergencyAlert>) {
  return row ? <Standing row={row} reload={reload} /> : null;
}
