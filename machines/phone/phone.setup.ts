import { assign, enqueueActions, sendTo, setup } from 'xstate';
import type { ServerCall } from '#models/call.ts';
import type { AlertsRequest } from '../alerts/alerts.machine.ts';
import { parentOf } from '../port.ts';
import type { CallInput } from './call/call-facts.ts';
import { callMachine, type CallSnapshot } from './call/call.machine.ts';
import type { CallCommand, PhoneCommand, PutAside } from './commands.ts';
import { contactsMachine } from './contacts/contacts.machine.ts';
import { doorMachine } from './door.machine.ts';
import { interceptionMachine } from './interception.machine.ts';
import { keypadMachine } from './keypad.machine.ts';
import { alertsDesk, callerName, callOf, inTheWay, type LineCommand, liveCalls, mayDo, noticeOf, withCalls } from './line.ts';
import { emptyMirror, type PhoneMirror } from './mirror.ts';
import type { PhonePerson } from './phone-of.ts';
import { aboutLine, aboutSignOut, lineQuestion, mayWait, putAside, signOutQuestion } from './phone-questions.ts';
import {
  type Beginning,
  deskOf,
  type Dial,
  idOf,
  knownAs,
  mayDial,
  mayGoOn,
  type PhoneContext,
  type PhoneEvent,
  type PhoneFact,
} from './phone-types.ts';
import { headsetCommand, headsetLights } from './headset.ts';
import { headset, type HeadsetPress, type IncomingCall, mediaDevices, notifier, type WaitingCalls } from './ports.ts';
import { recentsMachine } from './recents/recents.machine.ts';
import { registrationMachine } from './registration.machine.ts';
import { ringerMachine } from './ringer.machine.ts';
import { selfTestMachine } from './self-test.machine.ts';
import { tabsMachine } from './tabs.machine.ts';
import { isDialable } from './typed-number.ts';
import { waitingCallsMachine } from './waiting-calls.machine.ts';

/** What the chart of the phone is made of: its words, ports, actions, guards and delays. */
export const phoneSetup = setup({
  types: {
    input: {} as { person: PhonePerson },
    context: {} as PhoneContext,
    events: {} as PhoneEvent,
    emitted: {} as PhoneFact,
    tags: {} as 'owner' | 'asking',
    children: {} as {
      tabs: 'tabs';
      registration: 'registration';
      waitingCalls: 'waitingCalls';
      interception: 'interception';
      door: 'door';
      contacts: 'contacts';
      recents: 'recents';
      ringer: 'ringer';
      keypad: 'keypad';
      selfTest: 'selfTest';
      notifier: 'notifier';
      mediaDevices: 'mediaDevices';
      headset: 'headset';
    },
  },
  actors: {
    tabs: tabsMachine,
    registration: registrationMachine,
    call: callMachine,
    waitingCalls: waitingCallsMachine,
    interception: interceptionMachine,
    door: doorMachine,
    contacts: contactsMachine,
    recents: recentsMachine,
    ringer: ringerMachine,
    keypad: keypadMachine,
    selfTest: selfTestMachine,
    notifier,
    mediaDevices,
    headset,
  },
  actions: {
    notify: enqueueActions(({ enqueue, self }, { facts }: { facts: readonly PhoneFact[] }) => {
      const parent = parentOf(self);
      for (const fact of facts) {
        enqueue.emit(fact);
        if (parent) enqueue.sendTo(parent, fact);
      }
    }),
    /** What the owner draws is what every tab draws; bell and desktop notices follow from it. */
    mirror: enqueueActions(({ context, enqueue }, { next }: { next: PhoneMirror }) => {
      const before = context.mirror;
      if (next === before) return;
      enqueue.assign({ mirror: next });
      enqueue.sendTo('tabs', { type: 'tabs.mirror', mirror: next });
      if (next.ringing !== before.ringing) enqueue.sendTo('ringer', { type: 'ringer.wanted', tone: next.ringing });
      const [lit, lights] = [headsetLights(before.calls), headsetLights(next.calls)];
      if (JSON.stringify(lit) !== JSON.stringify(lights)) enqueue.sendTo('headset', { type: 'headset.show', lights });
      const rang = new Set(before.calls.filter(alertsDesk).map(({ speechId }) => speechId));
      for (const call of next.calls.filter((one) => alertsDesk(one) && !rang.has(one.speechId)))
        enqueue.sendTo('notifier', { type: 'notifier.show', speechId: call.speechId, caller: callerName(call), about: noticeOf(call) });
      const rings = new Set(next.calls.filter(alertsDesk).map(({ speechId }) => speechId));
      for (const speechId of rang) if (!rings.has(speechId)) enqueue.sendTo('notifier', { type: 'notifier.close', speechId });
    }),
    storeRecall: assign((_, { recallSeconds }: { recallSeconds: number }) => ({ recallSeconds })),
    showAgain: sendTo('tabs', ({ context }) => ({ type: 'tabs.mirror', mirror: context.mirror })),
    follow: assign((_, { mirror }: { mirror: PhoneMirror }) => ({ mirror })),
    /** A new owner begins with an empty desk: what waits is read again, what was in talk is offered to be joined again. */
    clearDesk: assign(({ context }) => ({ mirror: { ...emptyMirror, devices: context.mirror.devices } })),
    stopCalls: enqueueActions(({ context, enqueue }) => {
      for (const speechId of context.known) enqueue.stopChild(idOf(speechId));
      enqueue.assign({ mirror: withCalls(context.mirror, []), known: [], pending: null });
    }),
    begin: enqueueActions(({ context, enqueue }, { beginnings }: { beginnings: readonly Beginning[] }) => {
      const fresh = beginnings.filter(({ speechId }) => !context.known.includes(speechId));
      for (const { speechId, input } of fresh) enqueue.spawnChild('call', { id: idOf(speechId), input, syncSnapshot: true });
      enqueue.assign({ known: [...context.known, ...fresh.map(({ speechId }) => speechId)] });
    }),
    notifyCall: enqueueActions(({ context, enqueue }, { call }: { call: ServerCall }) => {
      const known = knownAs(context, call.id);
      if (known !== undefined) enqueue.sendTo(idOf(known), { type: 'call.published', call, at: null });
    }),
    offerCall: enqueueActions(({ context, enqueue }, { call }: { call: IncomingCall }) => {
      if (context.known.includes(call.speechId)) enqueue.sendTo(idOf(call.speechId), { type: 'call.offered', call });
    }),
    notifyDoor: enqueueActions(({ context, enqueue }, { speechId }: { speechId: string }) => {
      const known = knownAs(context, speechId);
      if (known !== undefined) enqueue.sendTo(idOf(known), { type: 'call.doorOpened' });
    }),
    /** Known ones hear of it; those not among all that wait are gone. */
    notifyRead: enqueueActions(({ context, enqueue }, { calls, at }: WaitingCalls) => {
      const read = new Map(calls.map((call) => [call.id, call]));
      for (const speechId of context.known) {
        const call = read.get(speechId);
        enqueue.sendTo(idOf(speechId), call ? { type: 'call.published', call, at } : { type: 'call.gone' });
      }
    }),
    forward: enqueueActions(({ context, enqueue }, { command }: { command: CallCommand }) => {
      if (!mayDo(context.mirror, command)) return;
      const other = command.type === 'call.connect' ? callOf(context.mirror, command.with) : undefined;
      enqueue.sendTo(idOf(command.speechId), other ? { ...command, to: other.number, record: other.recordId } : command);
    }),
    /** Does what needs the line, which is free for it. */
    useLine: enqueueActions(({ context, enqueue }, { command }: { command: LineCommand | null }) => {
      enqueue.assign({ pending: null });
      if (!command) return;
      const { speechId } = command;
      const isKnown = context.known.includes(speechId);
      if (command.type !== 'phone.dial') {
        if (isKnown) enqueue.sendTo(idOf(speechId), command);
      } else if (!isKnown) {
        const { number, video, at } = command;
        const input: CallInput = { ...deskOf(context), origin: 'dialled', speechId, number, video, at };
        enqueue.spawnChild('call', { id: idOf(speechId), input, syncSnapshot: true });
        enqueue.assign({ known: [...context.known, speechId] });
      }
    }),
    clearLine: enqueueActions(({ enqueue }, { over }: { over: PutAside | undefined }) => {
      if (!over) return;
      const { speechId, how } = over;
      enqueue.sendTo(idOf(speechId), how === 'hold' ? { type: 'call.hold', speechId } : { type: 'call.leave' });
    }),
    storePending: assign((_, { command }: { command: LineCommand }) => ({ pending: command })),
    forgetPending: assign({ pending: null }),
    grant: enqueueActions(({ enqueue }, { command }: { command: LineCommand | null }) => {
      if (!command) return;
      enqueue.raise({ type: 'line.granted', command });
      if (command.type === 'phone.dial') enqueue.sendTo('keypad', { type: 'keypad.dialled', number: command.number });
    }),
    askForLine: enqueueActions(({ context, enqueue, self }, { command }: { command: LineCommand }) => {
      const current = inTheWay(context.mirror, command);
      if (!current) return;
      const request: AlertsRequest = { type: 'dialog.ask', dialog: lineQuestion(current, command, callOf(context.mirror, command.speechId), self) };
      enqueue.assign({ pending: command });
      enqueue.emit(request);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, request);
    }),
    grantOver: enqueueActions(({ context, enqueue }, { action }: { action: string }) => {
      const { pending, mirror } = context;
      const current = pending && inTheWay(mirror, pending);
      const over = current ? putAside(current, action) : null;
      if (!pending || (current && !over)) return;
      enqueue.raise({ type: 'line.granted', command: over ? { ...pending, over } : pending });
      if (pending.type === 'phone.dial') enqueue.sendTo('keypad', { type: 'keypad.dialled', number: pending.number });
    }),
    askToSignOut: enqueueActions(({ context, enqueue, self }, { everywhere }: { everywhere: boolean }) => {
      const [current] = liveCalls(context.mirror);
      if (!current) return;
      const request: AlertsRequest = { type: 'dialog.ask', dialog: signOutQuestion(current, self) };
      enqueue.assign({ signsOutEverywhere: everywhere });
      enqueue.emit(request);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, request);
    }),
    signOut: enqueueActions(({ enqueue, self }, { everywhere }: { everywhere: boolean }) => {
      const fact: PhoneFact = { type: everywhere ? 'session.signOutEverywhere' : 'session.signOut' };
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    passToTabs: sendTo('tabs', (_, { command }: { command: PhoneCommand }) => ({ type: 'tabs.command', command })),
    passToWaiting: sendTo('waitingCalls', (_, event: Extract<PhoneEvent, { type: `realtime.${string}` }>) => event),
    rereadWaiting: sendTo('waitingCalls', { type: 'waiting.reread' }),
    passToRegistration: sendTo(
      'registration',
      (_, event: { type: 'phone.register' | 'phone.unregister' } | { type: 'sip.refuse'; sipId: string }) => event,
    ),
    passToRinger: sendTo('ringer', (_, event: Extract<PhoneCommand, { type: `ringer.${string}` }>) => event),
    passToDevices: sendTo('mediaDevices', (_, command: Extract<PhoneCommand, { type: 'devices.choose' }>) => command),
    passToHeadset: sendTo('headset', (_, command: Extract<PhoneCommand, { type: 'headset.open' }>) => command),
    press: enqueueActions(({ context, enqueue }, press: HeadsetPress) => {
      const command = headsetCommand(context.mirror.calls, press);
      if (command) enqueue.raise(command);
    }),
    outdateRecents: sendTo('recents', { type: 'recents.outdated' }),
    dropCall: enqueueActions(({ context, enqueue }, { actorId }: { actorId: string }) => {
      enqueue.stopChild(actorId);
      enqueue.assign({ known: context.known.filter((speechId) => idOf(speechId) !== actorId) });
    }),
    withdraw: enqueueActions(({ enqueue, self }) => {
      const request: AlertsRequest = { type: 'dialog.withdraw', actorIds: [self.id] };
      enqueue.emit(request);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, request);
    }),
    /** Another tab asks: what needs the line has been agreed on there. */
    obey: enqueueActions(({ enqueue }, { command }: { command: PhoneCommand }) => {
      // What reaches the wire is looked at here too: the other tab may be of another version of the console.
      if (command.type === 'phone.dial' && !isDialable(command.number)) return;
      const needsLine = command.type === 'phone.dial' || command.type === 'call.accept' || command.type === 'call.resume';
      enqueue.raise(needsLine ? { type: 'line.granted', command } : command);
    }),
    takePerson: assign(({ context }, { person }: { person: PhonePerson | null }) => ({
      isOutdated: person?.number !== context.person.number,
      person: person?.number === context.person.number ? person : context.person,
    })),
    relearn: sendTo('waitingCalls', ({ context }) => ({ type: 'waiting.relearn', isDesk: context.person.isDesk })),
    permit: sendTo('interception', ({ context }) => ({ type: 'interception.permit', isPermitted: context.person.mayIntercept })),
  },
  guards: {
    isOwnNumber: ({ context }, { number }: { number: string }) => number === context.person.number,
    mayDial: ({ context }, { command }: { command: Dial }) => mayDial(context, command),
    mayDialNow: ({ context }, { command }: { command: Dial }) => mayDial(context, command) && mayGoOn(context, command),
    mayTake: ({ context }, { command }: { command: CallCommand & LineCommand }) => mayDo(context.mirror, command),
    mayTakeNow: ({ context }, { command }: { command: CallCommand & LineCommand }) => mayDo(context.mirror, command) && mayGoOn(context, command),
    mayDo: ({ context }, { command }: { command: CallCommand }) => mayDo(context.mirror, command),
    isLineFree: ({ context }, { command }: { command: LineCommand }) => inTheWay(context.mirror, command) === undefined,
    /** The call that is in the way is the one the person agreed to put aside. */
    isAgreed: ({ context }, { command }: { command: LineCommand }) => inTheWay(context.mirror, command)?.speechId === command.over?.speechId,
    isPendingFree: ({ context }) => context.pending !== null && inTheWay(context.mirror, context.pending) === undefined,
    isPendingGone: ({ context: { pending, mirror } }) => pending !== null && pending.type !== 'phone.dial' && !mayDo(mirror, pending),
    /** The same SOS is answered once more while the question about it stands. */
    insistsOnSos: ({ context: { pending, mirror } }, { command }: { command: LineCommand }) => {
      const current = inTheWay(mirror, command);
      const sos = callOf(mirror, command.speechId)?.sos ?? 'no';
      return sos !== 'no' && pending?.speechId === command.speechId && current !== undefined && mayWait(current);
    },
    isAbout: (_, { about, wanted }: { about: string; wanted: string }) => about === wanted,
    agrees: (_, { about, action }: { about: string; action: string }) => about === aboutLine && (action === 'approve' || action === 'hold'),
    approves: (_, { about, action }: { about: string; action: string }) => about === aboutSignOut && action === 'approve',
    isLive: ({ context }) => liveCalls(context.mirror).length > 0,
    isForgotten: ({ context }) => context.isOutdated && liveCalls(context.mirror).length === 0,
    hasCalls: ({ context }) => context.mirror.calls.length > 0,
    hasNoCalls: ({ context }) => context.mirror.calls.length === 0,
    isKnown: ({ context }, { snapshot }: { snapshot: CallSnapshot }) => context.known.includes(snapshot.context.speechId),
    isCall: (_, { actorId }: { actorId: string }) => actorId.startsWith('call:'),
  },
  delays: { lineTimeout: 12_000 },
});
