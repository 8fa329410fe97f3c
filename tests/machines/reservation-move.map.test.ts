import { createActor, type EventFromLogic, fromPromise, waitFor } from 'xstate';
import { describe, expect, it } from 'vitest';
import { type MovedReservation, reservationMoveMachine, type ReservationPlace } from '#machines/reservation-move.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const item: MovedReservation = {
  id: '1',
  version: 3,
  user: { id: '2', name: 'Boris' },
  amenity: { id: '3', name: 'Sauna' },
  date: '2031-05-05',
  timeSlots: { from: 36_000, to: 39_600 },
};
const target: ReservationPlace = { amenity: item.amenity, date: '2031-05-06', timeSlots: item.timeSlots };
const samples = {
  'move.pick': { type: 'move.pick', item },
  'move.drop': [
    { type: 'move.drop', target },
    { type: 'move.drop', target: item },
  ],
  'move.confirm': { type: 'move.confirm' },
  'move.cancel': { type: 'move.cancel' },
} satisfies Samples<EventFromLogic<typeof reservationMoveMachine>>;

describe('the move of a reservation', () => {
  mapTests(reservationMoveMachine, { inputs: [undefined], samples, answers: { moveReservation: [undefined] } });

  const moved = (moveReservation: () => Promise<void>) => {
    const actor = createActor(reservationMoveMachine.provide({ actors: { moveReservation: fromPromise(moveReservation) } })).start();
    actor.send({ type: 'move.pick', item });
    actor.send({ type: 'move.drop', target });
    actor.send({ type: 'move.confirm' });
    return actor;
  };

  it('stored: whoever shows rows reads them anew', async () => {
    const actor = moved(() => Promise.resolve());
    const { context } = await waitFor(actor, (snapshot) => snapshot.matches('resting'));
    expect(context).toEqual({ item: null, target: null, problem: null, moved: 1 });
  });

  it('refused: it says why until somebody has read it, and stands where it was', async () => {
    const problem = { code: 'no_free_places' } as const;
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- ports reject with problems
    const actor = moved(() => Promise.reject(problem));
    const { context } = await waitFor(actor, (snapshot) => snapshot.matches('refused'));
    expect(context).toMatchObject({ item, target, problem });
    actor.send({ type: 'move.cancel' });
    expect(actor.getSnapshot().context).toMatchObject({ item: null, problem: null });
  });
});
