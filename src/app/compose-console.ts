import { type EventObject, fromCallback, fromEventObservable, fromPromise } from 'xstate';
import { consoleMachine } from '#machines/console/console.machine.ts';
import { appPromotionMachine } from '#machines/app-promotion.machine.ts';
import { type CallRequest, formMachine } from '#machines/form/form.machine.ts';
import type { JobRequest } from '#machines/job-request.ts';
import { licenceMachine } from '#machines/licence/licence.machine.ts';
import { listMachine } from '#machines/list/list.machine.ts';
import type { DeleteTarget } from '#machines/list/list-rows.ts';
import { previewMachine } from '#machines/preview.machine.ts';
import { savedViewsMachine } from '#machines/saved-views.machine.ts';
import type { SavedView } from '#models/saved-views.ts';
import { realtimeMachine, type SocketCommand } from '#machines/realtime/realtime.machine.ts';
import type { LaterChild } from '#machines/view-child.ts';
import { problemOf } from '#machines/port.ts';
import { type PagesCommand, workspaceMachine } from '#machines/workspace/workspace.machine.ts';
import type { ChildReport } from '#machines/workspace/workspace-events.ts';
import type { AreaName } from '#models/areas.ts';
import { isOver } from '#models/job.ts';
import type { ListQuery } from '#models/query.ts';
import { rowName } from '#src/views/area/row-name.ts';
import { fetchPart } from '#src/components/lazy-part.ts';
import { afterScreen } from '#src/adapters/first-screen.ts';
import { type PromotionStore, switchOffPromotion } from '#src/adapters/app-promotion.ts';
import { openCalls } from '#src/adapters/calls.ts';
import type { DraftStore } from '#src/adapters/drafts.ts';
import type { Remembered } from '#src/adapters/followed.ts';
import type { Http } from '#src/adapters/http.ts';
import { openClosed, openLicenceStatus } from '#src/adapters/licence.ts';
import { type JobMemory, openJobMemory } from '#src/adapters/job-memory.ts';
import { openJobs } from '#src/adapters/jobs.ts';
import { openPictures } from '#src/adapters/phone/pictures.ts';
import type { SipSecret } from '#src/adapters/phone/sip-secret.ts';
import type { PageStore } from '#src/adapters/page-stack.ts';
import type { KeyValueStore } from '#src/adapters/storage.ts';
import { type Hid, openHeadsetAsk } from '#src/adapters/phone/hid.ts';
import { openRecords } from '#src/adapters/records.ts';
import { openRows } from '#src/adapters/rows.ts';
import { isDeadToken, openSocket, withNextPicture } from '#src/adapters/socket.ts';
import type { SoundVolumes } from '#src/adapters/sound-volumes.ts';
import type { WriteHold } from '#src/adapters/write-hold.ts';
import type { TokenStore } from '#src/adapters/token-store.ts';
import { arriving } from './arriving.ts';
import { ChunkFailed, loadChunk } from './chunk.ts';
import type { Children, ChildrenDeps } from './compose-children.ts';
import { composeWatch } from './compose-watch.ts';
import type { Texts } from './i18n.ts';
import { lasting } from './lasting.ts';
import { later } from './later.ts';

/** What the signed-in half is given. */
export interface ConsoleDeps {
  http: Http;
  /** Holds back requests that write while a role is previewed. */
  writes: Pick<WriteHold, 'hold'>;
  drafts: DraftStore;
  pageStack: PageStore;
  tokens: Pick<TokenStore, 'read'>;
  /** The path of the realtime channel on this server. */
  channel: string;
  /** What is kept on this device, for each person by themselves. */
  store: KeyValueStore;
  /** The same, in this tab alone. */
  tabStore: KeyValueStore;
  whose: () => string | null;
  /** Whether the offer of the mobile app was closed since this sign-in. */
  promotion: Pick<PromotionStore, 'wasClosed' | 'saveClosed'>;
  /** Where the SIP password is kept. */
  secret: Pick<SipSecret, 'of'>;
  texts: Texts;
  volumes: Remembered<SoundVolumes>;
  now: () => number;
}

/** Fetches a page of rows, for lists and pickers. */
const plugLoadPage = (rows: ReturnType<typeof openRows>) =>
  fromPromise(async ({ input, signal }: { input: { area: AreaName; query: ListQuery }; signal: AbortSignal }) => {
    try {
      return await rows.loadPage(input, signal);
    } catch (error) {
      // Nobody waits for a page that was given up; an actor that React starts a second time in development must not hear of it.
      if (signal.aborted) return new Promise<never>(() => {});
      throw error;
    }
  });

/** The stack of pages, kept by the tab; and the long work it followed, if that is not over. */
const plugPages = (stack: PageStore, memory: JobMemory, jobs: ReturnType<typeof openJobs>) =>
  fromCallback<PagesCommand>(({ sendBack, receive }) => {
    sendBack({ type: 'pages.recalled', pages: stack.recall() });
    receive(({ pages }) => stack.store(pages));
    for (const followed of memory.recall())
      jobs.readJob(followed).then(
        (job) => !isOver(job) && sendBack({ type: 'job.start', request: { kind: 'adopt', area: followed.area, job } satisfies JobRequest }),
        // Nobody waits for it: the next reload asks again.
        () => {},
      );
  });

/** Children whose code comes with the first of them that is wanted. */
function plugChildren(deps: ChildrenDeps) {
  const load = () => fetchPart(() => loadChunk(() => import('./compose-children.ts'))).then(({ composeChildren }) => composeChildren(deps));
  const part = <Name extends keyof Children>(name: Name) => arriving<Children[Name]>(async () => (await load())[name]);
  const children = {
    editor: part('editor'),
    picker: part('picker'),
    job: part('job'),
    deviceSearch: part('deviceSearch'),
    enrolment: part('enrolment'),
    systemWatch: part('systemWatch'),
    reservationMove: part('reservationMove'),
    palette: part('palette'),
  };
  const { editor, picker, job, deviceSearch, enrolment, systemWatch, reservationMove, palette } = children;
  return {
    loadChild: fromCallback<EventObject, LaterChild>(({ input: child, sendBack }) => {
      const { isThere, ready } = children[child.src];
      const report = (): void => sendBack({ type: 'child.ready', child } satisfies ChildReport);
      const miss = (error: unknown): void =>
        sendBack({
          type: 'child.missing',
          id: child.id,
          problem: error instanceof ChunkFailed ? error.problem : problemOf(error),
        } satisfies ChildReport);
      if (isThere()) report();
      else ready().then(report, miss);
    }),
    editor: editor.logic,
    picker: picker.logic,
    job: job.logic,
    deviceSearch: deviceSearch.logic,
    enrolment: enrolment.logic,
    systemWatch: systemWatch.logic,
    reservationMove: reservationMove.logic,
    palette: palette.logic,
  };
}

/** What a page below the workspace may be, by the ports each asks. */
function plugWorkspace(
  { http, drafts, pageStack, store, tabStore, whose, now }: ConsoleDeps,
  records: ReturnType<typeof openRecords>,
  runCall: ReturnType<typeof openCalls>,
) {
  const jobMemory = openJobMemory(tabStore, whose);
  const jobs = openJobs(http, jobMemory);
  const rows = openRows(http, now);
  const loadPage = plugLoadPage(rows);
  return workspaceMachine.provide({
    actors: {
      list: listMachine.provide({ actors: { loadPage, deleteRows: fromPromise(({ input }: { input: DeleteTarget }) => rows.deleteRows(input)) } }),
      form: formMachine.provide({ actors: { runCall: fromPromise(({ input }: { input: CallRequest }) => runCall(input)) } }),
      ...plugChildren({ runCall, loadPage, jobs, records, drafts, store, whose }),
      pageMemory: plugPages(pageStack, jobMemory, jobs),
    },
  });
}

/** Nothing wakes up before the first screen stands: RxJS comes after it, with or without the phone. */
const wakeups = (now: () => number) =>
  fromEventObservable(() =>
    later(async () => {
      await afterScreen();
      const { wakeupsOf } = await fetchPart(() => import('#src/adapters/wakeups.ts'));
      return wakeupsOf(window, now);
    }),
  );

/** The realtime channel of this server. */
function plugRealtime({ channel, tokens, now }: ConsoleDeps) {
  const deps = {
    address: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${channel}`,
    tokens,
    isDead: (token: string) => isDeadToken(channel, token),
    now,
    chance: Math.random,
    withNextPicture,
  };
  return realtimeMachine.provide({
    actors: {
      socket: lasting<SocketCommand>((report) => {
        const { obey, stop } = openSocket(deps, report);
        return { send: obey, close: stop };
      }),
      wakeups: wakeups(now),
    },
  });
}

function plugLicence({ http, store, whose }: ConsoleDeps) {
  const closed = openClosed(store, whose);
  const readLicenceStatus = openLicenceStatus(http, closed);
  return licenceMachine.provide({
    actors: { readLicenceStatus: fromPromise(({ signal }) => readLicenceStatus(signal)) },
    actions: { saveClosed: (_, reminder: { topic: string; at: number }) => closed.store(reminder) },
  });
}

function plugPromotion({ http, promotion }: ConsoleDeps) {
  return appPromotionMachine.provide({
    actors: {
      wasClosed: fromPromise(() => Promise.resolve(promotion.wasClosed())),
      switchOff: fromPromise(({ signal }) => switchOffPromotion(http, signal)),
    },
    actions: { saveClosed: promotion.saveClosed },
  });
}

/** The code of the conversations comes after the first screen, for those who may read any. */
function plugConversations(deps: ConsoleDeps, runCall: ReturnType<typeof openCalls>) {
  const { ready, logic } = arriving(async () => (await loadChunk(() => import('./compose-conversations.ts'))).composeConversations(runCall, deps));
  return { loadConversations: fromPromise(() => afterScreen().then(ready)), conversations: logic };
}

/** The code of the emergency alerts comes after the first screen, for everybody. */
function plugEmergency(runCall: ReturnType<typeof openCalls>) {
  const { ready, logic } = arriving(async () => (await loadChunk(() => import('./compose-emergency.ts'))).composeEmergency(runCall));
  return { loadEmergency: fromPromise(() => afterScreen().then(ready)), emergency: logic };
}

/** What people call a row; null for one that is gone or hidden. */
const namesFrom =
  (records: ReturnType<typeof openRecords>) =>
  (area: AreaName, id: string): Promise<string | null> =>
    records.loadRow({ area, id }).then(
      (row) => rowName(area, row),
      () => null,
    );

/** The signed-in half of the composition, bottom-up: every machine below the console with its ports. */
export function composeConsole(deps: ConsoleDeps) {
  const { http, secret, texts, volumes, now } = deps;
  const records = openRecords(http);
  const runCall = openCalls(http, () => import('#models/api.ts'));
  const pictures = openPictures(http);
  // Signalling, sound and the phone's machines are fetched only for those who have a phone.
  const phone = arriving(async () => {
    const [{ composePhone }] = await Promise.all([loadChunk(() => import('./compose-phone.ts')), texts.load('phone', 'validation')]);
    return composePhone({ runCall, http, secret, pictures, texts, volumes, now });
  });
  return {
    console: consoleMachine.provide({
      actors: {
        workspace: plugWorkspace(deps, records, runCall),
        realtime: plugRealtime(deps),
        licence: plugLicence(deps),
        appPromotion: plugPromotion(deps),
        preview: previewMachine.provide({ actors: { holdWrites: fromCallback(() => deps.writes.hold()) } }),
        savedViews: savedViewsMachine.provide({
          actors: { readViews: fromPromise(() => afterScreen().then(() => runCall({ call: 'savedViews' })) as Promise<readonly SavedView[]>) },
        }),
        ...plugConversations(deps, runCall),
        ...plugEmergency(runCall),
        loadPhone: fromPromise(() => afterScreen().then(phone.ready)),
        phone: phone.logic,
        ...composeWatch({ http, texts, volumes, now }),
      },
      actions: {
        reportFault: (_, { child, error }: { child: string; error: unknown }) => console.error(`${child} failed and is started again:`, error),
      },
    }),
    nameOf: namesFrom(records),
    pictures,
    askHeadset: openHeadsetAsk((navigator as { hid?: Hid }).hid, window.isSecureContext),
  };
}
export type ConsoleParts = ReturnType<typeof composeConsole>;
