import { useSelector } from '@xstate/react';
import { useContext, useEffect, useState } from 'react';
import type { RecentCall } from '#machines/phone/ports.ts';
import { farSide, missedCalls } from '#machines/phone/recents/recent-calls.ts';
import type { RecentsActor } from '#machines/phone/recents/recents.machine.ts';
import { Button } from '#src/components/button.tsx';
import { EmptyState } from '#src/components/empty-state.tsx';
import { useText } from '#src/components/text.ts';
import { ClockworkContext, exactTime } from '#src/components/when.tsx';
import '#src/components/switches.css';
import { CallNote } from './call-note.tsx';
import { CallButtons, type Dial } from './call-buttons.tsx';
import { MessageHome } from './message-home.tsx';
import { PartHead, PartState } from './part-state.tsx';
import { byDay, dayName } from './recent-days.ts';
import { useOutcome } from './recent-texts.ts';
import { durationText } from '#models/time.ts';
import { clockAt } from '#models/zone.ts';

interface RecentsProps {
  actor: RecentsActor;
  own: string;
  ready: boolean;
  onDial: Dial;
}

const icons = { incoming: 'pi-arrow-down-left', outgoing: 'pi-arrow-up-right' } as const;

interface LineProps {
  call: RecentCall;
  missed: boolean;
  disabled: boolean;
  onDial: Dial;
  /** A note was written: the list is read anew. */
  onNoted: () => void;
}
function Line({ call, missed, disabled, onDial, onNoted }: LineProps) {
  const { t } = useText();
  const [isNoting, setNoting] = useState(false);
  const clockwork = useContext(ClockworkContext);
  const { name, number } = farSide(call);
  const outcome = useOutcome(call);
  const exact = exactTime(call.at, clockwork);
  const about = [...(name ? [number] : []), outcome, ...(call.duration > 0 ? [durationText(call.duration)] : [])];
  return (
    <li className="dial-line" data-missed={missed}>
      <span className="line-sign line-direction" aria-hidden="true">
        <i className={`pi ${icons[call.direction]}`} />
      </span>
      <span className="line-words">
        <span className="line-top">
          <span className="line-name">
            {call.sos && <span className="tag tag-bad">{t('phone.sos.yes')}</span>} {name ?? number}
          </span>
          <time className="line-time" dateTime={new Date(call.at).toISOString()} title={exact}>
            {clockAt(clockwork, call.at).format('HH:mm')}
          </time>
        </span>
        <span className="cell-sub">{about.join(' · ')}</span>
        {call.note && !isNoting && <span className="cell-sub">{call.note}</span>}
      </span>
      <CallButtons number={number} name={name ?? number} disabled={disabled} onDial={onDial}>
        <MessageHome call={call} />
        <button
          type="button"
          className="icon-button"
          aria-label={t('phone.note.edit', { name: name ?? number })}
          title={t('phone.note.title')}
          aria-expanded={isNoting}
          onClick={() => setNoting(!isNoting)}
        >
          <i className="pi pi-pencil" aria-hidden="true" />
        </button>
      </CallButtons>
      {isNoting && <CallNote speechId={call.id} note={call.note ?? ''} onSaved={onNoted} />}
    </li>
  );
}

/** Past calls of one's number by day; the missed ones as a list to work off (clause DIAL-18). */
export function Recents({ actor, own, ready, onDial }: RecentsProps) {
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  const [onlyMissed, setOnlyMissed] = useState(false);
  const { calls, total, problem } = useSelector(actor, ({ context }) => context);
  const isLoading = useSelector(actor, (snapshot) => snapshot.hasTag('reading') || snapshot.hasTag('readingMore'));
  const mayMore = useSelector(actor, (snapshot) => snapshot.can({ type: 'recents.more' }) || snapshot.hasTag('readingMore'));
  useEffect(() => actor.send({ type: 'recents.open' }), [actor]);
  const missed = missedCalls(calls);
  const days = byDay(onlyMissed ? missed : calls, clockwork);
  const nameOf = (day: string): string => {
    const name = dayName(day, clockwork);
    return name ? t(`phone.recents.${name}`) : day;
  };
  const reading = { isLoading, isEmpty: calls.length === 0, problem, onRefresh: () => actor.send({ type: 'recents.refresh' }) };
  return (
    <>
      <PartHead count={t('phone.recents.total', { count: onlyMissed ? missed.length : total })} reading={reading}>
        <div className="switch" role="group" aria-label={t('phone.recents.which')}>
          <button type="button" aria-pressed={!onlyMissed} onClick={() => setOnlyMissed(false)}>
            {t('phone.recents.all')}
          </button>
          <button type="button" aria-pressed={onlyMissed} onClick={() => setOnlyMissed(true)}>
            {t('phone.recents.missed')}
            {missed.length > 0 && ` ${missed.length}`}
          </button>
        </div>
        <span className="grow" />
      </PartHead>
      <PartState reading={reading}>
        {days.length === 0 && <EmptyState icon="pi-history" text={t(onlyMissed ? 'phone.recents.none_missed' : 'phone.recents.none')} />}
        {days.map(([day, those]) => (
          <section key={day} className="line-group" aria-label={nameOf(day)}>
            <h3 className="line-head">{nameOf(day)}</h3>
            <ul>
              {those.map((call) => (
                <Line
                  key={call.id}
                  call={call}
                  missed={missed.includes(call)}
                  disabled={!ready || farSide(call).number === own}
                  onDial={onDial}
                  onNoted={() => actor.send({ type: 'recents.outdated' })}
                />
              ))}
            </ul>
          </section>
        ))}
        {mayMore && (
          <Button
            className="part-more"
            tone="plain"
            label={t('phone.recents.more')}
            loading={isLoading}
            onClick={() => actor.send({ type: 'recents.more' })}
          />
        )}
      </PartState>
    </>
  );
}
