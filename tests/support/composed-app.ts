import { type Actor, createActor, type EventObject, fromCallback, SimulatedClock } from 'xstate';
import { alarmsMachine } from '#machines/alarms/alarms.machine.ts';
import type { OpenAlarms } from '#machines/alarms/alarms.setup.ts';
import { alertsMachine } from '#machines/alerts/alerts.machine.ts';
import { appPromotionMachine } from '#machines/app-promotion.machine.ts';
import { appMachine } from '#machines/app.machine.ts';
import { consoleMachine } from '#machines/console/console.machine.ts';
import type { DraftKey, SavedDraft } from '#machines/editor/draft.ts';
import { editorMachine, type SaveRequest } from '#machines/editor/editor.machine.ts';
import { type CallRequest, formMachine } from '#machines/form/form.machine.ts';
import type { JobRequest } from '#machines/job-request.ts';
import { jobMachine } from '#machines/job.machine.ts';
import { licenceMachine, type LicenceStatusRead } from '#machines/licence/licence.machine.ts';
import { listMachine } from '#machines/list/list.machine.ts';
import type { DeleteAnswer, DeleteTarget } from '#machines/list/list-rows.ts';
import { notificationsMachine } from '#machines/notifications/notifications.machine.ts';
import { savedViewsMachine } from '#machines/saved-views.machine.ts';
import type { Mark } from '#machines/notifications/notifications.setup.ts';
import { openAlarmMachine } from '#machines/alarms/open-alarm.machine.ts';
import type { LaterChild } from '#machines/view-child.ts';
import { pickerMachine } from '#machines/picker.machine.ts';
import type { Page, Row } from '#machines/rows.ts';
import { realtimeMachine, type SocketCommand, type SocketReport } from '#machines/realtime/realtime.machine.ts';
import { type Choices, type Recalled, sessionMachine, type TabsCommand, type TabsReport } from '#machines/session/session.machine.ts';
import { soundsMachine, type SpeakerCommand } from '#machines/sounds.machine.ts';
import type { Supervised } from '#machines/console/supervision.ts';
import { type Singletons, singleton } from '#machines/system.ts';
import type { PageShown } from '#machines/workspace/pages.ts';
import { type PagesCommand, workspaceMachine } from '#machines/workspace/workspace.machine.ts';
import type { AreaName } from '#models/areas.ts';
import type { SavedView } from '#models/saved-views.ts';
import type { DeviceAlarm } from '#models/device-alarms.ts';
import type { Job } from '#models/job.ts';
import type { UnreadNotifications } from '#models/notifications.ts';
import type { Profile, SessionProject } from '#models/profile.ts';
import type { ListQuery } from '#models/query.ts';
import { silent } from '#tests/support/streams.ts';
import { phoneParts } from './phone.ts';
import { faults } from './fragile.ts';
import { held } from './ports.ts';

/** All ports of the app in the hands of a test. */
const heldPorts = () => ({
  restoreSession: held<Profile | Choices | null>(),
  recallProfile: held<Recalled | null>(),
  switchProject: held<void, { projectId: string }>(),
  confirmSignIn: held<{ projects: readonly SessionProject[] }, { code: string }>(),
  signIn: held<{ projects: readonly SessionProject[] }, { login: string; password: string; rememberUser: boolean }>(),
  adoptProject: held<Profile, { projectId: string; rememberUser: boolean }>(),
  refreshTokens: held<void>(),
  loadProfile: held<Profile>(),
  endSession: held<void, { everywhere: boolean }>(),
  loadPage: held<Page, { area: AreaName; query: ListQuery }>(),
  deleteRows: held<DeleteAnswer, DeleteTarget>(),
  loadRow: held<Row, { area: AreaName; id: string }>(),
  recallDraft: held<{ chain: string; saved: SavedDraft | null }, DraftKey>(),
  saveRow: held<{ id: string }, SaveRequest>(),
  deleteRow: held<void, { area: AreaName; id: string; version: number | null }>(),
  startJob: held<Job, JobRequest>(),
  readJob: held<Job, { id: string; area: AreaName }>(),
  cancelJob: held<void, { id: string }>(),
  readLicenceStatus: held<LicenceStatusRead>(),
  readViews: held<readonly SavedView[]>(),
  loadConversations: held<void>(),
  loadEmergency: held<void>(),
  saveJobFile: held<void, { id: string; fileName: string | null }>(),
  readInbox: held<UnreadNotifications>(),
  markRead: held<{ at: string }, Mark>(),
  readAlarms: held<OpenAlarms>(),
  claimAlarm: held<DeviceAlarm, { id: string }>(),
  processAlarm: held<DeviceAlarm, { id: string; comment: string | null }>(),
  loadPhone: held<void>(),
  wasClosed: held<boolean>(),
  switchOff: held<void>(),
  runCall: held<unknown, CallRequest>(),
});

/** The whole app in the hands of a test. */
interface ComposedApp {
  app: Actor<typeof appMachine>;
  clock: SimulatedClock;
  ports: ReturnType<typeof heldPorts>;
  /** What the phone's own ports report. */
  fromPhone: ReturnType<typeof phoneParts>['from'];
  /** Drafts that were kept, oldest first. */
  saved: { key: DraftKey; saved: SavedDraft }[];
  /** The stack of pages as the tab keeps it. */
  stack: () => readonly PageShown[];
  /** What other tabs were told. */
  commands: TabsCommand[];
  /** What the socket was told to say, oldest first. */
  said: SocketCommand[];
  /** What the speaker was told, oldest first. */
  heard: SpeakerCommand[];
  /** The lasting ports that are open. */
  open: () => string[];
  /** Brings the one actor of that name down by an error in it. */
  fail: (name: Supervised) => void;
  /** Children whose faults were reported to whoever looks for the cause. */
  reported: Supervised[];
  /** These fail as soon as they are started. */
  broken: ReturnType<typeof faults>['broken'];
  /** What the socket reports. */
  fromSocket: (fact: SocketReport) => void;
  /** How often the tokens were forgotten. */
  forgotten: () => number;
  /** How often the offer of the app was closed for the rest of the session. */
  promotionsClosed: () => number;
  fromOtherTab: (event: TabsReport) => void;
  /** The one actor of that name; a mistake of the test if it is not there. */
  the: <Name extends keyof Singletons>(name: Name) => Singletons[Name];
}

/** The whole app over ports that the test answers by hand, wired as the composition wires it. `begins`: states that parts of the console are in when they start. */
export function composedApp(recalled: readonly PageShown[] = [], begins: Parameters<typeof faults>[0] = {}): ComposedApp {
  let stack: readonly PageShown[] = recalled;
  const ports = heldPorts();
  const clock = new SimulatedClock();
  const saved: { key: DraftKey; saved: SavedDraft }[] = [];
  const commands: TabsCommand[] = [];
  let forgotten = 0;
  let promotionsClosed = 0;
  const said: SocketCommand[] = [];
  const heard: SpeakerCommand[] = [];
  const reported: Supervised[] = [];
  /** Lasting ports that are open, by name. */
  const open: string[] = [];
  const opened = (name: string) => {
    open.push(name);
    return (): void => void open.splice(open.indexOf(name), 1);
  };
  const { fragile, broken, bringDown } = faults(begins);
  let fromSocket: (fact: SocketReport) => void = () => {};
  let report: (event: TabsReport) => void = () => {};
  const list = listMachine.provide({ actors: { loadPage: ports.loadPage.actor, deleteRows: ports.deleteRows.actor } });
  const editor = editorMachine.provide({
    actors: { loadRow: ports.loadRow.actor, recallDraft: ports.recallDraft.actor, saveRow: ports.saveRow.actor, deleteRow: ports.deleteRow.actor },
    actions: { saveDraft: (_, draft) => void saved.push(draft), forgetDraft: () => {} },
  });
  const picker = pickerMachine.provide({ actors: { loadPage: ports.loadPage.actor } });
  const job = jobMachine.provide({
    actors: { startJob: ports.startJob.actor, readJob: ports.readJob.actor, cancelJob: ports.cancelJob.actor, saveJobFile: ports.saveJobFile.actor },
  });
  const realtime = realtimeMachine.provide({
    actors: {
      socket: fromCallback<SocketCommand>(({ sendBack, receive }) => {
        fromSocket = sendBack;
        receive((command) => void said.push(command));
        return opened('socket');
      }),
      wakeups: silent(),
    },
  });
  const sounds = soundsMachine.provide({
    actors: {
      speaker: fromCallback<SpeakerCommand, { person: string }>(({ receive }) => {
        receive((command) => void heard.push(command));
        return opened('speaker');
      }),
    },
  });
  const notifications = notificationsMachine.provide({
    actors: { readInbox: ports.readInbox.actor, markRead: ports.markRead.actor, outside: fromCallback(() => {}) },
  });
  const openAlarm = openAlarmMachine.provide({ actors: { claimAlarm: ports.claimAlarm.actor, processAlarm: ports.processAlarm.actor } });
  const alarms = alarmsMachine.provide({ actors: { openAlarm, readAlarms: ports.readAlarms.actor } });
  const licence = licenceMachine.provide({ actors: { readLicenceStatus: ports.readLicenceStatus.actor }, actions: { saveClosed: () => {} } });
  const workspace = workspaceMachine.provide({
    actors: {
      list,
      editor,
      // Every code is there.
      loadChild: fromCallback<EventObject, LaterChild>(({ input: child, sendBack }) => sendBack({ type: 'child.ready', child })),
      picker,
      job,
      form: formMachine.provide({ actors: { runCall: ports.runCall.actor } }),
      pageMemory: fromCallback<PagesCommand>(({ sendBack, receive }) => {
        sendBack({ type: 'pages.recalled', pages: recalled });
        receive(({ pages }) => void (stack = pages));
      }),
    },
  });
  const phone = phoneParts();
  const appPromotion = appPromotionMachine.provide({
    actors: { wasClosed: ports.wasClosed.actor, switchOff: ports.switchOff.actor },
    actions: { saveClosed: () => void (promotionsClosed += 1) },
  });
  const { restoreSession, recallProfile, confirmSignIn, signIn, adoptProject, refreshTokens, loadProfile, endSession, switchProject } = ports;
  const session = sessionMachine.provide({
    actors: {
      restoreSession: restoreSession.actor,
      recallProfile: recallProfile.actor,
      confirmSignIn: confirmSignIn.actor,
      signIn: signIn.actor,
      adoptProject: adoptProject.actor,
      refreshTokens: refreshTokens.actor,
      switchProject: switchProject.actor,
      loadProfile: loadProfile.actor,
      endSession: endSession.actor,
      otherTabs: fromCallback<TabsCommand>(({ sendBack, receive }) => {
        report = sendBack;
        receive((command) => void commands.push(command));
      }),
    },
    actions: { forgetTokens: () => void (forgotten += 1) },
  });
  const machine = appMachine.provide({
    actors: {
      session,
      alerts: alertsMachine,
      console: consoleMachine.provide({
        actors: {
          workspace: fragile('workspace', workspace),
          realtime: fragile('realtime', realtime),
          sounds: fragile('sounds', sounds),
          notifications: fragile('notifications', notifications),
          alarms: fragile('alarms', alarms),
          licence: fragile('licence', licence),
          loadPhone: ports.loadPhone.actor,
          phone: fragile('phone', phone.machine),
          appPromotion,
          loadConversations: ports.loadConversations.actor,
          loadEmergency: ports.loadEmergency.actor,
          savedViews: savedViewsMachine.provide({ actors: { readViews: ports.readViews.actor } }),
        },
        actions: { reportFault: (_, { child }: { child: Supervised }) => void reported.push(child) },
      }),
    },
  });
  const app = createActor(machine, { id: 'app', clock }).start();
  const the = <Name extends keyof Singletons>(name: Name): Singletons[Name] => {
    const actor = singleton(app, name);
    if (!actor) throw new Error(`${name} is not there`);
    return actor;
  };
  return {
    app,
    clock,
    ports,
    fromPhone: phone.from,
    saved,
    stack: () => stack,
    commands,
    said,
    heard,
    open: () => open,
    fail: (name) => bringDown(the(name)),
    reported,
    broken,
    fromSocket: (fact) => fromSocket(fact),
    forgotten: () => forgotten,
    promotionsClosed: () => promotionsClosed,
    fromOtherTab: (event) => report(event),
    the,
  };
}
