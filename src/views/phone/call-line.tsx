import { memo } from 'react';
import { useText } from '#src/components/text.ts';
import { Answers, type CallProps, End, SosMark, Taken, Waiting } from './call-card.tsx';
import { statusKeyOf, useFace } from './call-texts.ts';

/** A call beside the one that has the room: who, from where, how long, and what takes it, in one line. */
export const CallLine = memo(function CallLine({ call, send }: CallProps) {
  const { t } = useText();
  const { title, lines } = useFace(call);
  const isOver = call.status === 'destroyed';
  const place = lines[0];
  return (
    <li className="call call-line" data-sos={call.sos} data-status={call.status} data-recall={call.isRecalling} data-brief="true" aria-label={title}>
      <div className="call-line-words">
        <span className="call-line-who">
          <SosMark call={call} />
          {call.isRecalling && <i className="pi pi-bell" role="img" aria-label={t('phone.recall')} title={t('phone.recall')} />}
          <b className="call-title" title={title}>
            {title}
          </b>
        </span>
        <span className="call-lines" aria-busy={call.isLookingUp}>
          <Waiting call={call} />
          {place !== undefined && <span className="call-line-place"> · {place}</span>}
          {!isOver && <span className="unseen">{t(statusKeyOf(call))}</span>}
        </span>
      </div>
      {isOver || call.takenBy !== null ? (
        <div className="call-state">
          <Taken call={call} />
          {isOver && <End call={call} send={send} />}
        </div>
      ) : (
        <Answers call={call} send={send} isBrief />
      )}
    </li>
  );
});
