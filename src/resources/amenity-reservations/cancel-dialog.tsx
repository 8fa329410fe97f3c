import type { AmenityReservation } from '#models/amenity-reservations.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { ReservationTime } from '#src/views/reservations/reservation-time.tsx';

/** Gives the time of a reservation back, saying what that means. */
export default function CancelReservation({ row, close, reload }: ActionProps<AmenityReservation>) {
  const { t } = useText();
  const request = useRequest('cancelReservation', {
    done: () => {
      reload();
      close();
    },
  });
  return (
    <Modal
      title={t('areas.amenity-reservations.cancel.title', { name: row.amenity.name })}
      onDismiss={request.running ? undefined : close}
      footer={
        <>
          <Button tone="plain" label={t('areas.amenity-reservations.cancel.keep')} disabled={request.running} onClick={close} />
          <Button
            tone="danger"
            label={t('areas.amenity-reservations.actions.cancel')}
            loading={request.running}
            onClick={() => request.run({ params: { id: row.id } })}
          />
        </>
      }
    >
      <p>
        <ReservationTime row={row} /> · {row.user.name}
      </p>
      <p>{t('areas.amenity-reservations.cancel.does')}</p>
      <ProblemNote problem={request.problem} />
    </Modal>
  );
}
