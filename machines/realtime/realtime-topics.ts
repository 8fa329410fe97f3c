import { type ClientFrame, isEvent, type RealtimeEvent, type ServerWord, topics as names } from '#models/realtime.ts';

/** How it stands with one topic on the present connection. */
export interface TopicState {
  subscription: 'unasked' | 'asked' | 'standing' | 'refused';
  /** Something may have been missed since rows were last read: once subscribed, they are to be read again. */
  late: boolean;
}

/** What the channel holds about topics. */
export interface Topics {
  /** Who wants which topics: a topic is subscribed as long as anybody wants it. */
  wanted: Readonly<Record<string, readonly string[]>>;
  topics: Readonly<Record<string, TopicState>>;
}

const mapped = (topics: Topics['topics'], change: (state: TopicState, topic: string) => TopicState): Topics['topics'] =>
  Object.fromEntries(Object.entries(topics).map(([topic, state]) => [topic, change(state, topic)]));
const inState = (topics: Topics['topics'], ...states: TopicState['subscription'][]): string[] =>
  Object.entries(topics).flatMap(([topic, { subscription }]) => (states.includes(subscription) ? [topic] : []));

/** Who wants what once one owner wants exactly these topics. */
export const withOwner = (wanted: Topics['wanted'], owner: string, names: readonly string[]): Topics['wanted'] =>
  Object.fromEntries(Object.entries({ ...wanted, [owner]: names }).filter(([, list]) => list.length > 0));

/** One owner wants exactly these topics from now on; what nobody wants any more goes. `late` holds for those newly wanted. */
export function withWanted(
  { wanted, topics }: Topics,
  owner: string,
  names: readonly string[],
  late: boolean,
): Topics & { dropped: readonly string[] } {
  const next = withOwner(wanted, owner, names);
  const needed = new Set(Object.values(next).flat());
  const remaining = [...needed].map((topic) => [topic, topics[topic] ?? { subscription: 'unasked', late }] as const);
  return { wanted: next, topics: Object.fromEntries(remaining), dropped: inState(topics, 'asked', 'standing').filter((topic) => !needed.has(topic)) };
}

/** What is wanted before the first connection; `late`: it was wanted before, by a channel that failed. */
export const wantedAtFirst = (wanted: Topics['wanted'], late: boolean): Topics => ({
  wanted,
  topics: Object.fromEntries(
    Object.values(wanted)
      .flat()
      .map((topic) => [topic, { subscription: 'unasked', late }]),
  ),
});

/** The connection is gone: nothing is subscribed, and whatever comes next comes late. */
export const unsubscribed = (topics: Topics['topics']): Topics['topics'] => mapped(topics, () => ({ subscription: 'unasked', late: true }));

/** Topics to ask for: those never asked for; `again`, also those the server has not answered. */
export const toAsk = (topics: Topics['topics'], again: boolean): string[] => inState(topics, 'unasked', ...(again ? (['asked'] as const) : []));

/** They have been asked for. One that had to be asked for again may have missed something meanwhile. */
export const asked = (topics: Topics['topics'], which: readonly string[]): Topics['topics'] =>
  mapped(topics, (state, topic) => (which.includes(topic) ? { subscription: 'asked', late: state.late || state.subscription === 'asked' } : state));

/** Is any topic still without an answer? */
export const isUnanswered = (topics: Topics['topics']): boolean => inState(topics, 'unasked', 'asked').length > 0;

/** The frames that ask for topics, or give them up; one a topic. */
export const framesFor = (command: 'subscribe' | 'unsubscribe', which: readonly string[]): ClientFrame[] =>
  which.map((topic) => ({ command, topic }));

/** Changes of one area within a frame are one change. */
function merged(events: readonly RealtimeEvent[]): RealtimeEvent[] {
  const result = new Map<string, RealtimeEvent>();
  for (const [at, event] of events.entries()) {
    const before = event.name === 'RowsChanged' ? result.get(event.topic) : undefined;
    if (event.name !== 'RowsChanged') result.set(`${at}`, event);
    else if (before?.name !== 'RowsChanged') result.set(event.topic, event);
    else {
      const any = before.payload.ids.length === 0 || event.payload.ids.length === 0;
      const ids = any ? [] : [...new Set([...before.payload.ids, ...event.payload.ids])];
      result.set(event.topic, { ...event, payload: { ...event.payload, ids } });
    }
  }
  return [...result.values()];
}

/** What a frame's worth of words means: how the topics stand then, what is to be read again, and what happened. */
export function afterWords(
  before: Topics['topics'],
  words: readonly ServerWord[],
): { topics: Topics['topics']; resynced: readonly string[]; events: readonly RealtimeEvent[] } {
  const next: Record<string, TopicState> = { ...before };
  const resynced = new Set<string>();
  const events: RealtimeEvent[] = [];
  for (const word of words) {
    const state = next[word.topic];
    if (isEvent(word)) {
      // Whatever nobody has asked for is dropped.
      if (state) events.push(word);
      if (word.name === 'RoleChanged') for (const topic of inState(next, 'refused')) next[topic] = { subscription: 'unasked', late: true };
    } else if (word.name === 'Gap') for (const topic of inState(next, 'standing')) resynced.add(topic);
    else if (word.name === 'Subscribed' && state) {
      if (state.late) resynced.add(word.topic);
      next[word.topic] = { subscription: 'standing', late: false };
    } else if (word.name === 'Refused' && state && word.payload.code !== 'unavailable' && word.payload.code !== 'too_many_requests')
      next[word.topic] = { subscription: 'refused', late: true };
  }
  return { topics: next, resynced: [...resynced], events: merged(events) };
}

/** The topic of one's own role, wanted by the console itself. */
export const ownTopics = (userId: string): string[] => [names.appChanges, names.user(userId)];
