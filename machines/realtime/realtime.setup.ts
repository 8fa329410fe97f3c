import { assign, enqueueActions, raise, sendTo, setup } from 'xstate';
import { constants } from '#models/constants.ts';
import { type ClientFrame, probeTopic, type RealtimeEvent, type ServerWord } from '#models/realtime.ts';
import { parentOf, unpluggedLasting, unpluggedStream } from '../port.ts';
import { afterWords, asked, framesFor, isUnanswered, toAsk, type Topics, unsubscribed, withWanted } from './realtime-topics.ts';

/** What the socket is told. */
export type SocketCommand = { type: 'socket.say'; frames: readonly ClientFrame[] };
/** A moment as ISO 8601, and a number from 0 to 1 by which the next attempt is put off a little more or less. */
interface Moment {
  at: string;
  chance: number;
}
/** What the socket reports. `socket.refused`: the token was not accepted; `spent`: there is a newer one by now. */
export type SocketReport =
  | { type: 'socket.opened'; at: string }
  | ({ type: 'socket.refused'; spent: boolean } & Moment)
  | ({ type: 'socket.closed'; code: number } & Moment)
  /** All that was read since the last report, at most once for each picture drawn. */
  | { type: 'socket.heard'; words: readonly ServerWord[]; at: string };
/** The network is back, the page is looked at again, the machine woke up: how does the channel stand? */
export type WakeReport = { type: 'link.nudged' };

export type RealtimeFact =
  /** What happened, in order; one fact for each picture drawn. */
  | { type: 'realtime.events'; events: readonly RealtimeEvent[] }
  /** These topics are heard again, or for the first time late: what they are about is to be read anew. */
  | { type: 'realtime.resynced'; topics: readonly string[] }
  /** Nothing is heard any more; what is on screen is as of then. */
  | { type: 'realtime.gap'; asOf: string | null }
  | { type: 'token.rejected' };
export type TopicsWanted = { type: 'topics.want'; owner: string; topics: readonly string[] };
/** Topics wanted from the beginning, by who wants them. */
export type RealtimeInput = {
  wanted: Topics['wanted'];
  /** Something may have been missed of them: once subscribed, they are to be read again. */
  isLate: boolean;
};

/** What it holds. */
export interface RealtimeContext extends Topics {
  /** Attempts in a row after which nothing was heard. */
  failures: number;
  /** The last number from 0 to 1 that chance gave. */
  chance: number;
  /** When the server was last heard. */
  heardAt: string | null;
  /** A new token was asked for since the server was last heard. */
  renewed: boolean;
}

const manyFailures = 10;
const longestPause = 60_000;
const spread = 0.2;

/** How long to wait before the next attempt: 4 s, after ten failures longer and longer up to a minute, 20 % more or less. */
export function retryPause({ failures, chance }: Pick<RealtimeContext, 'failures' | 'chance'>): number {
  const base = Math.min(longestPause, constants.realtimeRetry * 2 ** Math.max(0, failures - manyFailures));
  return Math.round(base * (1 - spread + 2 * spread * chance));
}

const probe: ClientFrame = { command: 'publish', topic: probeTopic, text: '' };
const say = (frames: readonly ClientFrame[]): SocketCommand => ({ type: 'socket.say', frames });

/** What the chart of the realtime channel is made of: its words, ports, actions, guards and delays. */
export const realtimeSetup = setup({
  types: {
    input: {} as RealtimeInput,
    context: {} as RealtimeContext,
    events: {} as SocketReport | WakeReport | TopicsWanted | { type: 'token.renewed' } | { type: 'link.up' } | { type: 'link.down' },
    emitted: {} as RealtimeFact,
    tags: {} as 'connected' | 'connecting' | 'disconnected' | 'apart',
    children: {} as { socket: 'socket'; wakeups: 'wakeups' },
  },
  actors: {
    /** One connection, from the moment this is started until it is stopped. */
    socket: unpluggedLasting<SocketCommand>('socket'),
    wakeups: unpluggedStream<WakeReport>('wakeups'),
  },
  actions: {
    notify: enqueueActions(({ enqueue, self }, fact: RealtimeFact) => {
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    /** While connected (`live`), what is newly wanted is asked for at once, and what nobody wants any more is given up. */
    want: enqueueActions(({ context, enqueue }, { owner, topics, live }: TopicsWanted & { live: boolean }) => {
      const { dropped, ...next } = withWanted(context, owner, topics, !live && context.failures > 0);
      enqueue.assign(next);
      if (live && dropped.length > 0) enqueue.sendTo('socket', say(framesFor('unsubscribe', dropped)));
    }),
    ask: enqueueActions(({ context, enqueue }, { again }: { again: boolean }) => {
      const which = toAsk(context.topics, again);
      if (which.length === 0) return;
      enqueue.assign({ topics: asked(context.topics, which) });
      enqueue.sendTo('socket', say(framesFor('subscribe', which)));
    }),
    probe: sendTo('socket', say([probe])),
    hear: enqueueActions(({ context, enqueue, self }, { words, at }: { words: readonly ServerWord[]; at: string }) => {
      const { topics, resynced, events } = afterWords(context.topics, words);
      enqueue.assign({ topics, heardAt: at, failures: 0, renewed: false });
      const parent = parentOf(self);
      const facts: RealtimeFact[] = [
        ...(resynced.length > 0 ? [{ type: 'realtime.resynced', topics: resynced } as const] : []),
        ...(events.length > 0 ? [{ type: 'realtime.events', events } as const] : []),
      ];
      for (const fact of facts) {
        enqueue.emit(fact);
        if (parent) enqueue.sendTo(parent, fact);
      }
    }),
    fail: assign(({ context }, { chance }: { chance?: number }) => ({
      failures: context.failures + 1,
      chance: chance ?? context.chance,
      topics: unsubscribed(context.topics),
    })),
    markRenewed: assign({ renewed: true }),
    noteUp: raise({ type: 'link.up' }),
    noteDown: raise({ type: 'link.down' }),
  },
  guards: {
    isUnanswered: ({ context }) => isUnanswered(context.topics),
    isAnswered: ({ context }) => !isUnanswered(context.topics),
    hasUnasked: ({ context }) => toAsk(context.topics, false).length > 0,
    isSpent: (_, { spent }: { spent: boolean }) => spent,
    hasRenewed: ({ context }) => context.renewed,
  },
  delays: {
    retryPause: ({ context }) => retryPause(context),
    connectTimeout: 10_000,
    /** A server from which nothing was heard so long is asked whether it is there. */
    quietTime: 12_000,
    probeTime: 5_000,
    /** A subscription the server has not answered is asked for again. */
    answerPause: 5_000,
    renewTimeout: 60_000,
    /** A shorter gap is nobody's concern. */
    gapTimeout: 5_000,
  },
});
