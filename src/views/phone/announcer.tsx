import { useContext } from 'react';
import { createPortal } from 'react-dom';
import { alertsDesk, noticeOf } from '#machines/phone/line.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import { useText } from '#src/components/text.ts';
import { useAboveAll } from '#src/components/above-all.ts';
import { endTextOf, faceOf } from './call-texts.ts';
import { ContactsContext, useTakerOf } from './names.ts';

const nobody = { takenBy: null, takenByName: null };

const newest = (calls: readonly CallMirror[]): CallMirror | undefined => calls.toSorted((one, other) => other.startedAt - one.startedAt)[0];

/** Says what begins to ring, an SOS before all else, and what is over; readers hear each once (experience 15). */
export function Announcer({ calls }: { calls: readonly CallMirror[] }) {
  const words = useText();
  const { t } = words;
  const contacts = useContext(ContactsContext);
  const place = useAboveAll();
  const ringing = calls.filter(alertsDesk);
  const sos = newest(ringing.filter((call) => call.sos !== 'no'));
  const rings = sos ?? newest(ringing);
  const over = newest(calls.filter(({ status }) => status === 'destroyed'));
  const taker = useTakerOf(over ?? nobody);
  return createPortal(
    <>
      <span className="unseen" role="alert">
        {rings && t(`phone.says.${noticeOf(rings)}`, { name: faceOf(rings, words, contacts).title })}
      </span>
      <span className="unseen" role="status">
        {over &&
          t('phone.says.over', {
            name: faceOf(over, words, contacts).title,
            reason: taker === null ? endTextOf(over, words) : t('phone.taken_by', { name: taker }),
          })}
      </span>
    </>,
    place,
  );
}
