import { createActor, fromCallback, SimulatedClock } from 'xstate';
import { callMachine } from '#machines/phone/call/call.machine.ts';
import type { PhoneCommand } from '#machines/phone/commands.ts';
import { contactsMachine } from '#machines/phone/contacts/contacts.machine.ts';
import { doorMachine } from '#machines/phone/door.machine.ts';
import { interceptionMachine } from '#machines/phone/interception.machine.ts';
import { keypadMachine } from '#machines/phone/keypad.machine.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import { phoneMachine } from '#machines/phone/phone.machine.ts';
import type { PhonePerson } from '#machines/phone/phone-of.ts';
import type { PhoneFact } from '#machines/phone/phone-types.ts';
import type {
  CheckResult,
  ConciergeDoor,
  Contact,
  DoorOutcome,
  HeadsetCommand,
  HeadsetReport,
  IncomingCall,
  InterceptionSettings,
  LastDialledCommand,
  LegCommand,
  LegEnd,
  LegInput,
  LegReport,
  MediaDevicesCommand,
  MediaDevicesReport,
  NotifierCommand,
  RecentPage,
  RingerCommand,
  RingerReport,
  TabsCommand,
  TabsReport,
  UserAgentCommand,
  UserAgentReport,
  WaitingCalls,
} from '#machines/phone/ports.ts';
import { recentsMachine } from '#machines/phone/recents/recents.machine.ts';
import { registrationMachine } from '#machines/phone/registration.machine.ts';
import { ringerMachine } from '#machines/phone/ringer.machine.ts';
import { selfTestMachine } from '#machines/phone/self-test.machine.ts';
import { tabsMachine } from '#machines/phone/tabs.machine.ts';
import { waitingCallsMachine } from '#machines/phone/waiting-calls.machine.ts';
import type { RingTone } from '#machines/phone/types.ts';
import type { CallInfo, ServerCall } from '#models/call.ts';
import type { PhoneSettings } from '#models/phone-calls.ts';
import { type RealtimeEvent, topics } from '#models/realtime.ts';
import type { WakeReport } from '#machines/realtime/realtime.machine.ts';
import { streamOf } from '#tests/support/streams.ts';
import { uuid } from './people.ts';
import { held } from './ports.ts';

/** The concierge at 1001. */
export const concierge: PhonePerson = { number: '1001', name: 'Anna', isDesk: true, mayIntercept: true };
export const resident: PhonePerson = { number: '1003', name: 'Rita', isDesk: false, mayIntercept: false };
/** The number of the speech that bears this id. */
export const speech = (number: number): string => uuid(700 + number);

/** A call from the panel 2001 to the queue 700, or from one person to another, as INVITE brings it. */
export const invite = (number: number, more: Partial<IncomingCall> = {}): IncomingCall => ({
  sipId: `sip${number}`,
  speechId: speech(number),
  number: '2001',
  name: 'Lobby',
  callee: '700',
  type: 'awaiting',
  sos: 'no',
  video: false,
  at: number * 1_000,
  ...more,
});
export const normalInvite = (number: number, more: Partial<IncomingCall> = {}): IncomingCall =>
  invite(number, { type: 'normal', number: '1003', name: 'Rita', callee: '1001', ...more });
/** The same call as the server tells it. */
export const waiting = (number: number, more: Partial<ServerCall> = {}): ServerCall => ({
  id: speech(number),
  caller: '2001',
  callee: '700',
  type: 'awaiting',
  status: 'waiting',
  answered_by: null,
  answered_by_name: null,
  created_at: number,
  updated_at: null,
  info: { address: 'Tower A', user: null },
  sos: false,
  caller_name: 'Lobby',
  group: 'Tower A',
  end_reason: null,
  refusal: null,
  ...more,
});
export const farBye: LegEnd = { by: 'them', cause: 'bye', status: null, takenBy: null };

/** A leg in the hands of a test: what it was told, and whether a track of it lives. */
export interface FakeLeg {
  input: LegInput;
  commands: LegCommand[];
  isLive: boolean;
  report: (event: LegReport) => void;
}

/** Calls ports of a call that a test answers by hand; `legs` is in order of their beginning. */
export function callPorts() {
  const legs: FakeLeg[] = [];
  const ports = {
    stopCall: held<void, { speechId: string }>(),
    connectCalls: held<void, { speechId: string; with: string }>(),
    readCallInfo: held<CallInfo, { number: string }>(),
  };
  const callLeg = fromCallback<LegCommand, LegInput>(({ input, sendBack, receive }) => {
    const leg: FakeLeg = { input, commands: [], isLive: input.kind !== 'incoming', report: (event) => sendBack(event) };
    legs.push(leg);
    receive((command) => {
      leg.commands.push(command);
      if (command.type === 'leg.answer') leg.isLive = true;
    });
    return () => {
      leg.isLive = false;
    };
  });
  const call = callMachine.provide({
    actors: { callLeg, stopCall: ports.stopCall.actor, connectCalls: ports.connectCalls.actor, readCallInfo: ports.readCallInfo.actor },
  });
  return { legs, ports, call };
}

const nobodyListens = (): void => {
  throw new Error('this port is not running');
};
/** What a test lets the ports of the phone report. */
export interface PhoneReports {
  tabs: (report: TabsReport) => void;
  agent: (report: UserAgentReport) => void;
  ringer: (report: RingerReport) => void;
  devices: (report: MediaDevicesReport) => void;
  headset: (report: HeadsetReport) => void;
  wakeups: () => void;
}

/** The machines of the phone over ports in the hands of a test. `dialled`: the last number that each number has called from this browser. */
export function phoneParts(dialled = new Map<string, string>()) {
  const { legs, ports: ofCalls, call } = callPorts();
  const ports = {
    ...ofCalls,
    readPhoneSettings: held<Pick<PhoneSettings, 'queues' | 'recall_seconds'>>(),
    readWaiting: held<WaitingCalls>(),
    readInterception: held<InterceptionSettings>(),
    setInterception: held<InterceptionSettings, { isActive: boolean; groups: readonly string[] }>(),
    readDoors: held<readonly ConciergeDoor[]>(),
    openDoor: held<{ outcome: DoorOutcome }, { token: string; speechId: string | null; reason: string | null }>(),
    readContacts: held<readonly Contact[]>(),
    readRecents: held<RecentPage, { number: string; page: number }>(),
    runSelfTest: held<readonly CheckResult[]>(),
  };
  const said = {
    tabs: [] as TabsCommand[],
    agent: [] as UserAgentCommand[],
    ringer: [] as RingerCommand[],
    notifier: [] as NotifierCommand[],
    devices: [] as MediaDevicesCommand[],
    headset: [] as HeadsetCommand[],
  };
  const heard = { tone: null as RingTone | null };
  const from: PhoneReports = {
    tabs: nobodyListens,
    agent: nobodyListens,
    ringer: nobodyListens,
    devices: nobodyListens,
    headset: nobodyListens,
    wakeups: nobodyListens,
  };
  const registration = registrationMachine.provide({
    actors: {
      userAgent: fromCallback<UserAgentCommand, { number: string }>(({ sendBack, receive }) => {
        from.agent = sendBack;
        receive((command) => void said.agent.push(command));
      }),
      wakeups: streamOf<WakeReport>((send) => {
        from.wakeups = () => send({ type: 'link.nudged' });
      }),
    },
  });
  const tabs = tabsMachine.provide({
    actors: {
      phoneTabs: fromCallback<TabsCommand, { number: string }>(({ sendBack, receive }) => {
        from.tabs = sendBack;
        receive((command) => void said.tabs.push(command));
      }),
    },
  });
  const ringer = ringerMachine.provide({
    actors: {
      ringerSound: fromCallback<RingerCommand>(({ sendBack, receive }) => {
        from.ringer = sendBack;
        receive((command) => {
          said.ringer.push(command);
          if (command.type === 'ringer.ring') heard.tone = command.tone;
          if (command.type === 'ringer.silence') heard.tone = null;
        });
        return () => {
          heard.tone = null;
        };
      }),
    },
  });
  const machine = phoneMachine.provide({
    actors: {
      call,
      registration,
      tabs,
      ringer,
      waitingCalls: waitingCallsMachine.provide({
        actors: { readPhoneSettings: ports.readPhoneSettings.actor, readWaiting: ports.readWaiting.actor },
      }),
      interception: interceptionMachine.provide({
        actors: { readInterception: ports.readInterception.actor, setInterception: ports.setInterception.actor },
      }),
      door: doorMachine.provide({ actors: { readDoors: ports.readDoors.actor, openDoor: ports.openDoor.actor } }),
      contacts: contactsMachine.provide({ actors: { readContacts: ports.readContacts.actor } }),
      recents: recentsMachine.provide({ actors: { readRecents: ports.readRecents.actor } }),
      keypad: keypadMachine.provide({
        actors: {
          lastDialled: fromCallback<LastDialledCommand, { own: string }>(({ input, sendBack, receive }) => {
            const stored = dialled.get(input.own);
            if (stored !== undefined) sendBack({ type: 'dialled.stored', number: stored });
            receive(({ number }) => void dialled.set(input.own, number));
          }),
        },
      }),
      selfTest: selfTestMachine.provide({ actors: { runSelfTest: ports.runSelfTest.actor } }),
      notifier: fromCallback<NotifierCommand>(({ receive }) => receive((command) => void said.notifier.push(command))),
      headset: fromCallback<HeadsetCommand>(({ sendBack, receive }) => {
        from.headset = sendBack;
        receive((command) => void said.headset.push(command));
      }),
      mediaDevices: fromCallback<MediaDevicesCommand>(({ sendBack, receive }) => {
        from.devices = sendBack;
        receive((command) => void said.devices.push(command));
      }),
    },
  });
  return { machine, ports, legs, said, from, heard };
}

/** A phone at work: this tab owns it, the number is registered, nothing waits unless a test says so. */
export async function phoneAtWork(
  person: PhonePerson = concierge,
  calls: readonly ServerCall[] = [],
  at: number | null = null,
  dialled = new Map<string, string>(),
) {
  const parts = phoneParts(dialled);
  const { machine, ports, from, legs } = parts;
  const clock = new SimulatedClock();
  const facts: PhoneFact[] = [];
  const phone = createActor(machine, { id: 'phone', input: { person }, clock });
  phone.on('*', (fact) => void facts.push(fact));
  phone.start();
  from.tabs({ type: 'tabs.elected' });
  from.agent({ type: 'sip.registered' });
  if (person.isDesk) {
    await ports.readPhoneSettings.answer({ queues: [{ number: '700', name: 'Riverside', group: 'Riverside' }], recall_seconds: 60 });
    await ports.readWaiting.answer({ calls, at });
  }
  const mirror = () => phone.getSnapshot().context.mirror;
  const hears = (event: RealtimeEvent) => phone.send({ type: 'realtime.events', events: [event] });
  const call = (number: number): CallMirror | undefined => mirror().calls.find(({ speechId }) => speechId === speech(number));
  return {
    ...parts,
    phone,
    clock,
    facts,
    mirror,
    call,
    send: (command: PhoneCommand) => phone.send(command),
    can: (command: PhoneCommand) => phone.getSnapshot().can(command),
    /** The leg of that speech, the newest one. */
    leg: (number: number): FakeLeg => {
      const leg = legs.findLast(({ input }) => input.speechId === speech(number));
      if (!leg) throw new Error(`speech ${number} has no leg`);
      return leg;
    },
    /** Tracks that live. */
    live: (): number => legs.filter(({ isLive }) => isLive).length,
    incoming: (incoming: IncomingCall) => from.agent({ type: 'sip.incoming', call: incoming }),
    /** The server tells of a call. */
    publish: (serverCall: ServerCall) => hears({ topic: topics.calls('1001'), name: 'CallUpdated', payload: { ...serverCall } }),
    /** A device says that its door was opened during that call. */
    doorOpened: (number: number) => hears({ topic: topics.calls('1001'), name: 'DoorOpened', payload: { call: speech(number) } }),
    answer: (action: string) => {
      const asked = facts.findLast((fact) => fact.type === 'dialog.ask');
      if (asked?.type !== 'dialog.ask') throw new Error('nobody asked');
      phone.send({ type: 'dialog.answered', id: 'dialog:1', action, about: asked.dialog.about });
    },
    dial: (number: string, speechNumber: number, video = false) =>
      phone.send({ type: 'phone.dial', number, video, speechId: speech(speechNumber), at: speechNumber * 1_000 }),
  };
}
export type PhoneAtWork = Awaited<ReturnType<typeof phoneAtWork>>;
