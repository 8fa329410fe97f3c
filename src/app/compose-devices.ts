import { fromPromise } from 'xstate';
import { enrolmentMachine } from '#machines/enrolment.machine.ts';
import { deviceSearchMachine, type SearchRange } from '#machines/device-search.machine.ts';
import type { SaveRequest } from '#machines/editor/editor.machine.ts';
import type { CallRequest } from '#machines/form/form.machine.ts';
import { type MovedReservation, reservationMoveMachine, type ReservationPlace } from '#machines/reservation-move.machine.ts';
import { type LogFilter, systemWatchMachine } from '#machines/system-watch.machine.ts';
import type { DeviceSearch } from '#models/device-calls.ts';
import type { SystemInfo } from '#models/system-info.ts';
import { openReader } from '#src/adapters/enrolment.ts';
import { lasting } from './lasting.ts';

type Named = { request_id: string };

/** The search for devices with its ports: three calls of the contract. */
export const composeDeviceSearch = (runCall: (request: CallRequest) => Promise<unknown>) =>
  deviceSearchMachine.provide({
    actors: {
      startSearch: fromPromise(({ input }: { input: SearchRange }) => runCall({ call: 'searchDevices', body: input }) as Promise<DeviceSearch>),
      readSearch: fromPromise(({ input }: { input: Named }) => runCall({ call: 'deviceSearch', params: { ...input } }) as Promise<DeviceSearch>),
      cancelSearch: fromPromise(({ input }: { input: Named }) => runCall({ call: 'cancelDeviceSearch', params: { ...input } }) as Promise<void>),
    },
  });

/** The look at the system with its one call. */
export const composeSystemWatch = (runCall: (request: CallRequest) => Promise<unknown>) =>
  systemWatchMachine.provide({
    actors: {
      readSystem: fromPromise(({ input }: { input: LogFilter }) => runCall({ call: 'systemInfo', query: { ...input } }) as Promise<SystemInfo>),
    },
  });

/** The move of a reservation: its row is changed as its form would change it. */
export const composeReservationMove = (saveRow: (request: SaveRequest) => Promise<unknown>) =>
  reservationMoveMachine.provide({
    actors: {
      moveReservation: fromPromise(async ({ input: { item, target } }: { input: { item: MovedReservation; target: ReservationPlace } }) => {
        const body = { ...(target.amenity.id !== item.amenity.id && { amenity: target.amenity.id }), date: target.date, timeSlots: target.timeSlots };
        await saveRow({ area: 'amenity-reservations', id: item.id, version: item.version, body, key: '' });
      }),
    },
  });

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Enrolling a card with its way to the reader. */
export const composeEnrolment = (runCall: (request: CallRequest) => Promise<unknown>) =>
  enrolmentMachine.provide({
    actors: { reader: lasting((report, input: { device: string }) => openReader({ runCall, wait }, report, input)) },
  });
