import { z } from 'zod';
import { serverCall } from './call.ts';
import { type AreaName, areaNames, isArea } from './areas.ts';

/** The realtime channel (spec B7): topics, what a client may say, what the server tells, and the events by name. */
export const topics = {
  user: (id: string) => `private-user.${id}`,
  appChanges: 'private-app-changes',
  calls: (number: string) => `calls-management.${number}`,
  job: (id: string) => `jobs.${id}`,
  area: (name: AreaName) => `areas.${name}`,
  device: (id: string) => `devices.${id}`,
  /** Who edits a row; who subscribes only looks on. */
  editors: (area: AreaName, id: string) => `editors.${area}.${id}`,
  /** The same, for who edits the row themselves: they are told to the others for as long as they stay subscribed. */
  editing: (area: AreaName, id: string) => `editing.${area}.${id}`,
} as const;

/** What the server tells, by name; a new event is a new line. */
export const realtimeEvents = {
  /** Rows of an area were made, changed or deleted; without ids any row may have. */
  RowsChanged: z.object({ area: z.enum(areaNames), ids: z.array(z.uuid()) }),
  RoleChanged: z.object({ roleId: z.uuid() }),
  NotificationReceived: z.object({ id: z.uuid() }),
  /** The person has read some, here or elsewhere. */
  NotificationsRead: z.object({}),
  /** A conversation of the person's has a message more, was read by somebody, or is gone. */
  ConversationChanged: z.object({ id: z.uuid() }),
  /** An emergency alert that goes to the person was started or stopped. */
  EmergencyAlertChanged: z.object({ id: z.uuid() }),
  JobChanged: z.object({ id: z.uuid() }),
  DeviceStatus: z.object({ id: z.uuid(), online: z.boolean(), at: z.iso.datetime() }),
  /** A call has come further; without the call, which any server may leave out, waiting calls are read again. */
  CallUpdated: z.looseObject({ call: serverCall.optional() }),
  /** A device has said that its door was opened, during this call: told to all who are in it. */
  DoorOpened: z.object({ call: z.uuid() }),
  LicenceChanged: z.object({}),
  /** The project is what it was when a backup was made; everybody signs in anew. */
  ProjectRestored: z.object({}),
  /** Who edits a row now, besides whoever is told; by name as far as they may know it. */
  EditorsChanged: z.object({ area: z.enum(areaNames), id: z.uuid(), people: z.array(z.object({ id: z.uuid().nullable(), name: z.string() })) }),
} as const satisfies Record<string, z.ZodObject>;
export type EventName = keyof typeof realtimeEvents;
export type EventPayload<N extends EventName> = z.output<(typeof realtimeEvents)[N]>;

/** What the server says about the channel itself. */
const channelWords = {
  /** The topic is subscribed from now on. */
  Subscribed: z.object({}),
  /** The subscription is refused, and why. */
  Refused: z.object({ code: z.enum(['forbidden', 'unknown_topic', 'wrong_parameters', 'too_many_requests', 'unavailable']) }),
  /** The answer to a probe. */
  Alive: z.object({}),
  /** The server itself may have missed something: read again. */
  Gap: z.object({}),
} as const satisfies Record<string, z.ZodObject>;

const words = { ...realtimeEvents, ...channelWords };
export type WordName = keyof typeof words;
type Payload<N extends WordName> = z.output<(typeof words)[N]>;

/** One event as machines are told it. */
export type RealtimeEvent = { [N in EventName]: { topic: string; name: N; payload: EventPayload<N> } }[EventName];
/** Anything the server says, read from its frame. */
export type ServerWord = { [N in WordName]: { topic: string; name: N; payload: Payload<N> } }[WordName];

/** Is it an event, or a word about the channel itself? */
export const isEvent = (word: ServerWord): word is RealtimeEvent => Object.hasOwn(realtimeEvents, word.name);

/** The topic under which a client asks whether the server is there; publishing to any other is refused. */
export const probeTopic = 'probe';

/** Largest frame either side sends, in bytes. */
export const maxFrameBytes = 64 * 1024;

const topic = z.string().min(1).max(120);
export const clientFrame = z.discriminatedUnion('command', [
  z.strictObject({ command: z.literal('subscribe'), topic }),
  z.strictObject({ command: z.literal('unsubscribe'), topic }),
  z.strictObject({ command: z.literal('publish'), topic, text: z.string().max(maxFrameBytes) }),
]);
export type ClientFrame = z.infer<typeof clientFrame>;
const serverFrame = z.object({ topic: z.string().max(120), data: z.string() });

/** A frame as the server sends it: the payload beside its type, whose last segment is the name. */
export const frameOf = <N extends WordName>(topicName: string, name: N, payload: Payload<N>): string =>
  JSON.stringify({ topic: topicName, data: JSON.stringify({ ...payload, type: `Doorward\\Events\\${name}` }) });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The name in a type: what stands behind its last backslash; a type without one has none. */
function nameIn(type: unknown): WordName | null {
  if (typeof type !== 'string' || !type.includes('\\')) return null;
  const name = type.slice(type.lastIndexOf('\\') + 1);
  return Object.hasOwn(words, name) ? (name as WordName) : null;
}

/** What a server's frame says; null for whatever is no frame, no event of ours, or not in its shape. Never throws. */
export function readServerFrame(frame: unknown): ServerWord | null {
  if (typeof frame !== 'string' || frame.length > maxFrameBytes) return null;
  const outer = serverFrame.safeParse(parsed(frame));
  if (!outer.success) return null;
  const data = parsed(outer.data.data);
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return null;
  const { type, ...rest } = data as Record<string, unknown>;
  const name = nameIn(type);
  if (!name) return null;
  const payload = words[name].safeParse(rest);
  return payload.success ? ({ topic: outer.data.topic, name, payload: payload.data } as ServerWord) : null;
}

/** What a client's frame asks; null for whatever is none. Never throws. */
export function readClientFrame(frame: string): ClientFrame | null {
  const result = clientFrame.safeParse(parsed(frame));
  return result.success ? result.data : null;
}

/** A topic taken apart: what it is about. */
export type Topic =
  | { kind: 'appChanges' }
  | { kind: 'area'; area: AreaName }
  | { kind: 'calls'; number: string }
  | { kind: 'editors' | 'editing'; area: AreaName; id: string }
  | { kind: 'user' | 'job' | 'device'; id: string };

const byPrefix = { 'private-user': 'user', jobs: 'job', devices: 'device' } as const;
const uuid = z.uuid();

/** What a topic is about; null for one that nobody can publish to. */
export function readTopic(name: string): Topic | null {
  if (name === topics.appChanges) return { kind: 'appChanges' };
  const dot = name.indexOf('.');
  const [prefix, rest] = [name.slice(0, Math.max(dot, 0)), name.slice(dot + 1)];
  if (prefix === 'areas') return isArea(rest) ? { kind: 'area', area: rest } : null;
  if (prefix === 'calls-management') return /^[\w*#+-]{1,32}$/.test(rest) ? { kind: 'calls', number: rest } : null;
  if (prefix === 'editors' || prefix === 'editing') {
    const [area = '', id = '', ...more] = rest.split('.');
    return isArea(area) && more.length === 0 && uuid.safeParse(id).success ? { kind: prefix, area, id } : null;
  }
  if (!Object.hasOwn(byPrefix, prefix) || !uuid.safeParse(rest).success) return null;
  return { kind: byPrefix[prefix as keyof typeof byPrefix], id: rest };
}
