import { Suspense, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import type { AnnounceDelivery } from '#models/announce-calls.ts';
import type { Announce } from '#models/announces.ts';
import { hasPermission } from '#models/permissions.ts';
import { Button } from '#src/components/button.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import { hasGoneOut, mayMoveAnnounce } from '#src/views/announces/life.ts';
import { StatusTag } from '#src/views/announces/status-tag.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useLiveRows } from '#src/views/area/use-live-rows.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { firstRows } from '#src/views/home/use-rows.ts';
import { actorOf, useProfile } from '#src/views/profile-of.ts';
import { StartAnnounce, StopAnnounce } from './dialogs.tsx';
import '#src/views/announces/announces.css';

type ChannelDelivery = AnnounceDelivery['channels'][number];

/** How far one way has come, drawn and in words. */
function ChannelLine({ channel, queued, sent, failed }: ChannelDelivery) {
  const { t } = useText();
  const total = queued + sent + failed;
  const words = [
    t(`areas.announces.delivery.${channel === 'devices' ? 'shown' : 'sent'}`, { count: sent }),
    ...(queued > 0 ? [t('areas.announces.delivery.queued', { count: queued })] : []),
    ...(failed > 0 ? [t('areas.announces.delivery.failed', { count: failed })] : []),
  ];
  const name = t(`areas.announces.options.send_via.${channel}`);
  return (
    <div className="announce-channel">
      <p>
        {name}
        <span className="quiet small"> · {words.join(' · ')}</span>
      </p>
      <progress className="unseen" aria-label={name} value={sent + failed} max={total} />
      <span className="poll-bar" aria-hidden="true">
        <span style={{ width: `${((sent + failed) / Math.max(total, 1)) * 100}%` }} />
      </span>
    </div>
  );
}

/** The messages of one announcement, and those that failed once more. */
function Delivery({ row, maySend }: { row: Announce; maySend: boolean }) {
  const { t } = useText();
  const { answer, problem, reload } = useReading('announceDelivery', { params: { id: row.id } }, { again: row });
  const again = useRequest('retryAnnounce', { done: reload });
  if (!answer) return <ProblemNote problem={problem} />;
  return (
    <>
      <p className="quiet small">{t('areas.announces.read', { seen: answer.seen, count: answer.recipients })}</p>
      {answer.channels.map((channel) => (
        <ChannelLine key={channel.channel} {...channel} />
      ))}
      {!answer.mail_server && answer.channels.some(({ channel, queued }) => channel === 'email' && queued > 0) && (
        <p className="notice">{t('areas.announces.mails_wait')}</p>
      )}
      {answer.failures.length > 0 && (
        <>
          <ul className="announce-failures">
            {answer.failures.map((failure) => (
              <li key={failure.id}>
                {failure.name}
                <span className="quiet small">
                  {' · '}
                  {t(`areas.announces.reasons.${failure.reason}`)}
                  {failure.words !== null && (
                    <>
                      : <q dir="auto">{failure.words}</q>
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
          {maySend && row.status === 'started' && (
            <Button
              tone="plain"
              small
              icon="pi-replay"
              label={t('areas.announces.retry')}
              loading={again.running}
              onClick={() => again.run({ params: { id: row.id } })}
            />
          )}
          <ProblemNote problem={again.problem} />
        </>
      )}
    </>
  );
}

function Standing({ row, reload }: { row: Announce; reload: () => void }) {
  const { t } = useText();
  const maySend = hasPermission(actorOf(useProfile()), 'can_send_announces');
  const [asked, setAsked] = useState<'start' | 'stop' | null>(null);
  const query = useMemo(() => firstRows(1, [{ field: 'created_at', rule: 'equals', value: row.created_at }]), [row.created_at]);
  const { rows } = useLiveRows<Announce>('announces', query);
  const now = rows.find(({ id }) => id === row.id) ?? row;
  const Dialog = asked === 'start' ? StartAnnounce : StopAnnounce;
  return (
    <div className="announce-standing">
      <p className="row">
        <StatusTag status={now.status} />
      </p>
      {hasGoneOut(now.status) && <Delivery row={now} maySend={maySend} />}
      {hasGoneOut(now.status) && (
        <Link to={`/announces/response?${new URLSearchParams({ id: row.id })}`}>{t('areas.announces.actions.responses')}</Link>
      )}
      {maySend && mayMoveAnnounce(now.status, 'start') && (
        <Button icon="pi-send" label={t('areas.announces.actions.start')} onClick={() => setAsked('start')} />
      )}
      {maySend && mayMoveAnnounce(now.status, 'stop') && (
        <Button tone="danger-plain" icon="pi-stop-circle" label={t('areas.announces.actions.stop')} onClick={() => setAsked('stop')} />
      )}
      {asked && (
        <Suspense>
          <Dialog row={now} close={() => setAsked(null)} reload={reload} />
        </Suspense>
      )}
    </div>
  );
}

/** Beside the form: how it stands, sending and withdrawing it, how far its messages have come. */
export function AnnounceAside({ row, reload }: PieceProps<Announce>) {
  return row ? <Standing row={row} reload={reload} /> : null;
}
