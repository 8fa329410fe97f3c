import { fromPromise, type PromiseActorLogic } from 'xstate';
import { enrolmentMachine } from '#machines/enrolment.machine.ts';
import { deviceSearchMachine, type SearchRange } from '#machines/device-search.machine.ts';
import type { DraftKey, DraftSource, SavedDraft } from '#machines/editor/draft.ts';
import { editorMachine, type SaveRequest } from '#machines/editor/editor.machine.ts';
import { jobMachine } from '#machines/job.machine.ts';
import type { JobRequest } from '#machines/job-request.ts';
import { pickerMachine } from '#machines/picker.machine.ts';
import type { Page } from '#machines/rows.ts';
import type { CallRequest } from '#machines/form/form.machine.ts';
import { type MovedReservation, reservationMoveMachine, type ReservationPlace } from '#machines/reservation-move.machine.ts';
import { type LogFilter, systemWatchMachine } from '#machines/system-watch.machine.ts';
import type { DeviceSearch } from '#models/device-calls.ts';
import type { AreaName } from '#models/areas.ts';
import type { ListQuery } from '#models/query.ts';
import type { SystemInfo } from '#models/system-info.ts';
import type { DraftStore } from '#src/adapters/drafts.ts';
import type { openRecords } from '#src/adapters/records.ts';
import { openReader } from '#src/adapters/enrolment.ts';
import type { FollowedJob } from '#src/adapters/job-memory.ts';
import type { openJobs } from '#src/adapters/jobs.ts';
import { openPaletteStore } from '#src/adapters/palette.ts';
import type { KeyValueStore } from '#src/adapters/storage.ts';
import { composePalette } from './compose-palette.ts';
import { lasting } from './lasting.ts';

type RunCall = (request: CallRequest) => Promise<unknown>;
type Jobs = ReturnType<typeof openJobs>;
type Named = { request_id: string };

/** The search for devices with its ports: three calls of the contract. */
const composeDeviceSearch = (runCall: RunCall) =>
  deviceSearchMachine.provide({
    actors: {
      startSearch: fromPromise(({ input }: { input: SearchRange }) => runCall({ call: 'searchDevices', body: input }) as Promise<DeviceSearch>),
      readSearch: fromPromise(({ input }: { input: Named }) => runCall({ call: 'deviceSearch', params: { ...input } }) as Promise<DeviceSearch>),
      cancelSearch: fromPromise(({ input }: { input: Named }) => runCall({ call: 'cancelDeviceSearch', params: { ...input } }) as Promise<void>),
    },
  });

/** The look at the system with its one call. */
const composeSystemWatch = (runCall: RunCall) =>
  systemWatchMachine.provide({
    actors: {
      readSystem: fromPromise(({ input }: { input: LogFilter }) => runCall({ call: 'systemInfo', query: { ...input } }) as Promise<SystemInfo>),
    },
  });

/** The move of a reservation: its row is changed as its form would change it. */
const composeReservationMove = (records: ChildrenDeps['records']) =>
  reservationMoveMachine.provide({
    actors: {
      moveReservation: fromPromise(async ({ input: { item, target } }: { input: { item: MovedReservation; target: ReservationPlace } }) => {
        const body = { ...(target.amenity.id !== item.amenity.id && { amenity: target.amenity.id }), date: target.date, timeSlots: target.timeSlots };
        await records.saveRow({ area: 'amenity-reservations', id: item.id, version: item.version, body, key: '' });
      }),
    },
  });

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Enrolling a card with its way to the reader. */
const composeEnrolment = (runCall: RunCall) =>
  enrolmentMachine.provide({
    actors: { reader: lasting((report, input: { device: string }) => openReader({ runCall, wait }, report, input)) },
  });

type RowRef = { area: AreaName; id: string };

/** The form of one row, and where its draft is kept. */
function composeEditor({ records, drafts }: Pick<ChildrenDeps, 'records' | 'drafts'>) {
  return editorMachine.provide({
    actors: {
      loadRow: fromPromise(({ input }: { input: RowRef }) => records.loadRow(input)),
      saveRow: fromPromise(({ input }: { input: SaveRequest }) => records.saveRow(input)),
      deleteRow: fromPromise(({ input }: { input: RowRef & { version: number | null } }) => records.deleteRow(input)),
      loadSource: fromPromise(({ input }: { input: { area: AreaName; source: DraftSource } }) => records.loadSource(input)),
      recallDraft: fromPromise(({ input }: { input: DraftKey }) => Promise.resolve(drafts.recallDraft(input))),
    },
    actions: {
      saveDraft: (_, { key, saved }: { key: DraftKey; saved: SavedDraft }) => drafts.saveDraft(key, saved),
      forgetDraft: (_, key: DraftKey) => drafts.forgetDraft(key),
    },
  });
}

/** Long work on the server. */
const composeJob = (jobs: Jobs) =>
  jobMachine.provide({
    actors: {
      startJob: fromPromise(({ input }: { input: JobRequest }) => jobs.startJob(input)),
      readJob: fromPromise(({ input }: { input: FollowedJob }) => jobs.readJob(input)),
      cancelJob: fromPromise(({ input }: { input: { id: string } }) => jobs.cancelJob(input)),
      saveJobFile: fromPromise(({ input }: { input: { id: string; fileName: string | null } }) => jobs.saveJobFile(input)),
    },
  });

/** What the children are given. */
export interface ChildrenDeps {
  runCall: RunCall;
  records: ReturnType<typeof openRecords>;
  drafts: DraftStore;
  loadPage: PromiseActorLogic<Page, { area: AreaName; query: ListQuery }>;
  jobs: Jobs;
  store: KeyValueStore;
  whose: () => string | null;
}

/** The workspace's children that nobody needs on the first screen, with their ports. */
export const composeChildren = ({ runCall, records, drafts, loadPage, jobs, store, whose }: ChildrenDeps) => ({
  editor: composeEditor({ records, drafts }),
  picker: pickerMachine.provide({ actors: { loadPage } }),
  job: composeJob(jobs),
  deviceSearch: composeDeviceSearch(runCall),
  enrolment: composeEnrolment(runCall),
  systemWatch: composeSystemWatch(runCall),
  reservationMove: composeReservationMove(records),
  palette: composePalette(runCall, openPaletteStore(store, whose)),
});
export type Children = ReturnType<typeof composeChildren>;
