import { useSelector } from '@xstate/react';
import { useContext } from 'react';
import type { ReservationMoveActor, ReservationPlace } from '#machines/reservation-move.machine.ts';
import { utc } from '#models/time.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import { actorOf, useProfile } from '#src/views/profile-of.ts';
import { hoursOf } from '../reservation-time.tsx';

function PlaceLine({ words, place, timeFormat }: { words: string; place: ReservationPlace; timeFormat: string }) {
  return (
    <div className="fact">
      <dt>{words}</dt>
      <dd>
        {place.amenity.name}, {utc(place.date).format(timeFormat)} {hoursOf(place.timeSlots)}
      </dd>
    </div>
  );
}

/** Asks before a reservation is moved, and says why it was not. */
export function MoveDialog({ move }: { move: ReservationMoveActor }) {
  const { t } = useText();
  const { timeFormat } = useContext(ClockworkContext);
  const { id: own } = actorOf(useProfile());
  const isOpen = useSelector(move, (snapshot) => snapshot.hasTag('asking'));
  const isSaving = useSelector(move, (snapshot) => snapshot.hasTag('saving'));
  const mayConfirm = useSelector(move, (snapshot) => snapshot.can({ type: 'move.confirm' }));
  const { item, target, problem } = useSelector(move, ({ context }) => context);
  if (!isOpen || !item || !target) return null;
  const close = () => move.send({ type: 'move.cancel' });
  return (
    <Modal
      title={t('areas.amenity-reservations.calendar.move_title')}
      onDismiss={isSaving ? undefined : close}
      footer={
        <>
          <Button
            tone="plain"
            label={t(`areas.amenity-reservations.${problem ? 'calendar.back' : 'cancel.keep'}`)}
            disabled={isSaving}
            onClick={close}
          />
          {!problem && (
            <Button
              label={t('areas.amenity-reservations.calendar.move')}
              loading={isSaving}
              disabled={!mayConfirm}
              data-focus
              onClick={() => move.send({ type: 'move.confirm' })}
            />
          )}
        </>
      }
    >
      <dl className="facts">
        <PlaceLine words={t('areas.amenity-reservations.calendar.before')} place={item} timeFormat={timeFormat} />
        <PlaceLine words={t('areas.amenity-reservations.calendar.after')} place={target} timeFormat={timeFormat} />
      </dl>
      {item.user.id !== own && !problem && <p className="quiet">{t('areas.amenity-reservations.calendar.told', { name: item.user.name })}</p>}
      <ProblemNote problem={problem} />
    </Modal>
  );
}
