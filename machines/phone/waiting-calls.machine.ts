// Keeps in order: the calls that the server knows of: told one by one, read as a whole at the start and after every gap.
// Spawned by: phone, in the tab that owns the phone.
// Asks (ports): readPhoneSettings, readWaiting.
// Tells (facts): waiting.published, waiting.read, waiting.doorOpened, topics.want.
import { assign, enqueueActions, setup } from 'xstate';
import { serverCall, type ServerCall } from '#models/call.ts';
import { constants } from '#models/constants.ts';
import type { PhoneSettings } from '#models/phone-calls.ts';
import { type RealtimeEvent, topics } from '#models/realtime.ts';
import { answerTimeout, parentOf } from '../port.ts';
import type { TopicsWanted } from '../realtime/realtime.machine.ts';
import { readPhoneSettings, readWaiting, type WaitingCalls } from './ports.ts';

export type WaitingFact =
  /** The server told of one call, whatever became of it. */
  | { type: 'waiting.published'; call: ServerCall }
  /** All that wait as of now: what is not among them waits no more. */
  | { type: 'waiting.read'; calls: readonly ServerCall[]; at: number | null; recallSeconds: number }
  /** A device has said that its door was opened during a call. */
  | { type: 'waiting.doorOpened'; speechId: string }
  | TopicsWanted;
type WaitingEvent =
  | { type: 'realtime.events'; events: readonly RealtimeEvent[] }
  | { type: 'realtime.resynced'; topics: readonly string[] }
  /** Nothing is heard any more: what waits is as of now, until it is read again. */
  | { type: 'realtime.gap' }
  | { type: 'waiting.reread' }
  /** The person may be at another desk by now. */
  | { type: 'waiting.relearn'; isDesk: boolean };

/** What it holds. */
export interface WaitingContext {
  number: string;
  /** Takes calls of queues, or of groups; others have no waiting calls to read. */
  isDesk: boolean;
  queues: readonly string[];
  /** A call on hold calls back after so many seconds. */
  recallSeconds: number;
  /** Told while a reading is under way: newer than what it will answer. */
  meanwhile: readonly ServerCall[];
}

/** The calls in a batch of events, in order; what is no call of ours is dropped. */
const callsIn = (events: readonly RealtimeEvent[]): ServerCall[] =>
  events.flatMap(({ name, payload }) => {
    const read = name === 'CallUpdated' ? serverCall.safeParse('call' in payload ? payload.call : payload) : null;
    return read?.success ? [read.data] : [];
  });

/** What a batch of events tells, in order. */
const factsIn = (events: readonly RealtimeEvent[]): WaitingFact[] =>
  events.flatMap((event): WaitingFact[] =>
    event.name === 'DoorOpened'
      ? [{ type: 'waiting.doorOpened', speechId: event.payload.call }]
      : callsIn([event]).map((call) => ({ type: 'waiting.published', call })),
  );

/** What was read, with what was told since in its place; what was destroyed since is out. */
function overlaid(read: readonly ServerCall[], meanwhile: readonly ServerCall[]): ServerCall[] {
  const calls = new Map([...read, ...meanwhile].map((call) => [call.id, call]));
  return [...calls.values()].filter(({ status }) => status !== 'destroyed');
}

/** The queue as the server keeps it (clauses CALL-21 and CALL-22). */
export const waitingCallsMachine = setup({
  types: {
    input: {} as { number: string; isDesk: boolean },
    context: {} as WaitingContext,
    events: {} as WaitingEvent,
    emitted: {} as WaitingFact,
    tags: {} as 'current',
  },
  actors: { readPhoneSettings, readWaiting },
  actions: {
    want: enqueueActions(({ context, enqueue, self }) => {
      const fact: WaitingFact = { type: 'topics.want', owner: 'phone', topics: [...new Set([context.number, ...context.queues])].map(topics.calls) };
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    notifyEach: enqueueActions(({ enqueue, self }, { events }: { events: readonly RealtimeEvent[] }) => {
      const parent = parentOf(self);
      for (const fact of factsIn(events)) {
        enqueue.emit(fact);
        if (parent) enqueue.sendTo(parent, fact);
      }
    }),
    storeDesk: assign((_, { isDesk }: { isDesk: boolean }) => ({ isDesk })),
    storeSettings: assign((_, { queues, recall_seconds: recallSeconds }: Pick<PhoneSettings, 'queues' | 'recall_seconds'>) => ({
      queues: queues.map(({ number }) => number),
      recallSeconds,
    })),
    noteMeanwhile: assign(({ context }, { events }: { events: readonly RealtimeEvent[] }) => ({
      meanwhile: [...context.meanwhile, ...callsIn(events)],
    })),
    notifyAll: enqueueActions(({ context, enqueue, self }, { calls, at }: WaitingCalls) => {
      const fact: WaitingFact = { type: 'waiting.read', calls: overlaid(calls, context.meanwhile), at, recallSeconds: context.recallSeconds };
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    forgetMeanwhile: assign({ meanwhile: [] }),
  },
  guards: { isDesk: ({ context }) => context.isDesk },
  delays: { answerTimeout, retryPause: constants.realtimeRetry },
}).createMachine({
  id: 'waitingCalls',
  context: ({ input }) => ({ number: input.number, isDesk: input.isDesk, queues: [], recallSeconds: constants.recallSeconds, meanwhile: [] }),
  entry: 'want',
  initial: 'deciding',
  on: {
    'realtime.events': { actions: { type: 'notifyEach', params: ({ event }) => event } },
    'realtime.resynced': { target: '.deciding' },
    'waiting.reread': { target: '.deciding' },
    'waiting.relearn': { target: '.deciding', actions: { type: 'storeDesk', params: ({ event }) => event } },
  },
  states: {
    deciding: { always: [{ guard: 'isDesk', target: 'learning' }, { target: 'current' }] },
    learning: {
      invoke: {
        id: 'readPhoneSettings',
        src: 'readPhoneSettings',
        onDone: { target: 'reading', actions: [{ type: 'storeSettings', params: ({ event }) => event.output }, 'want'] },
        onError: { target: 'unreachable' },
      },
      after: { answerTimeout: 'unreachable' },
    },
    reading: {
      entry: 'forgetMeanwhile',
      invoke: {
        id: 'readWaiting',
        src: 'readWaiting',
        onDone: { target: 'current', actions: { type: 'notifyAll', params: ({ event }) => event.output } },
        onError: { target: 'unreachable' },
      },
      after: { answerTimeout: 'unreachable' },
      on: {
        'realtime.events': {
          actions: [
            { type: 'notifyEach', params: ({ event }) => event },
            { type: 'noteMeanwhile', params: ({ event }) => event },
          ],
        },
        'realtime.resynced': { target: 'reading', reenter: true },
        'waiting.reread': { target: 'reading', reenter: true },
      },
    },
    current: { tags: 'current', on: { 'realtime.gap': { target: 'apart' } } },
    apart: {},
    unreachable: { after: { retryPause: 'deciding' } },
  },
});
