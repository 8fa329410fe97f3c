import { z } from 'zod';
import { alarmSensors } from '#models/device-alarms.ts';
import { denialReasons, deviceEventTypes, identifierTypes } from '#models/device-events.ts';
import { deviceTypes } from '#models/device-models.ts';
import { cardTypes } from '#models/enrolment.ts';

/**
 * What the server and devices say to each other, version 0. Over MQTT each device has three topics, named by its serial
 * number: requests go to it, its responses and its own words come from it. Over HTTP the same request is the body of
 * `POST /v0/request` and the same response its answer; `GET /v0/info` says who is there.
 */
export const deviceTopics = {
  request: (serial: string) => `device/request/v0/${serial}`,
  response: (serial: string) => `device/response/v0/${serial}`,
  status: (serial: string) => `device/status/v0/${serial}`,
} as const;
export const allResponses = 'device/response/v0/+';
export const allStatuses = 'device/status/v0/+';

/** Which device a topic belongs to, and what comes by it; null for any other topic. */
export function readDeviceTopic(topic: string): { serial: string; part: 'request' | 'response' | 'status' } | null {
  const match = /^device\/(request|response|status)\/v0\/([\w-]{1,64})$/.exec(topic);
  const [, part, serial] = match ?? [];
  return part && serial ? { part: part as 'request' | 'response' | 'status', serial } : null;
}

const loose = z.record(z.string(), z.unknown());

/**
 * A request. A device does what carries one id once: told again what it has done, it answers the same and does nothing.
 * What it refused, or was too busy for, it tries anew when it is told again.
 */
export const deviceRequest = z.object({ id: z.string().min(1).max(64), kind: z.string().max(40), body: loose });
export type DeviceRequest = z.infer<typeof deviceRequest>;

const syncError = z.object({ id: z.string().max(64).nullable(), name: z.string().max(120), error: z.string().max(300) });
/** The error of a device that is told a difference to another copy than it holds: it wants the whole. */
export const otherVersion = 'other_version';

/** The answer: done or not, why not, and what was asked for. */
export const deviceResponse = z.object({
  id: z.string().min(1).max(64),
  ok: z.boolean(),
  error: z.string().max(300).nullish(),
  /** The device is busy or not ready: asking again later makes sense. */
  again: z.boolean().optional(),
  body: loose.optional(),
});
export type DeviceResponse = z.infer<typeof deviceResponse>;
export const syncErrors = z.object({ identifiers: z.array(syncError).max(500), schedules: z.array(syncError).max(500) });

/** Who a device is; what a search finds. */
export const deviceInfo = z.object({
  serial: z.string().regex(/^[\w-]{1,64}$/),
  type: z.enum(deviceTypes),
  model: z.string().max(64),
  firmware: z.string().max(64).nullish(),
});
export type DeviceInfo = z.infer<typeof deviceInfo>;

/** Characters of a picture in base64: it goes in one packet with its event. */
const mostOfPicture = 200_000;

/** What a device says by itself. `online` and `offline` are retained, `offline` is its last will too. */
export const deviceStatus = z.discriminatedUnion('type', [
  /** `copy`: the version of what it decides by. */
  z.object({ type: z.literal('online'), firmware: z.string().max(64).nullish(), copy: z.string().max(64).nullish() }),
  z.object({ type: z.literal('offline') }),
  z.object({ type: z.literal('heartbeat') }),
  z.object({
    type: z.literal('event'),
    event: z.enum(deviceEventTypes),
    at: z.iso.datetime(),
    /** The identifier that was presented, as the device was sent it. */
    identifier: z.object({ id: z.uuid().nullable(), type: z.enum(identifierTypes), value: z.string().max(200) }).optional(),
    reason: z.enum(denialReasons).optional(),
    /** The request that caused it. */
    request: z.string().max(64).optional(),
    /** What its camera saw at that moment: a PNG, JPEG or WebP file in base64. */
    picture: z.base64().max(mostOfPicture).optional(),
    data: loose.optional(),
  }),
  z.object({ type: z.literal('alarm'), sensor: z.enum(alarmSensors), state: z.enum(['enabled', 'disabled']), at: z.iso.datetime() }),
  z.object({ type: z.literal('sos'), at: z.iso.datetime() }),
  /** Somebody stands there with an identifier that opens so many times: may it open once more? Answered by a request of the kind `pass` with the id `ask`. */
  z.object({ type: z.literal('pass'), ask: z.uuid(), identifier: z.uuid() }),
  /** The card for which it was told to wait, by the request of the kind `enrol_card` with the id `ask`: it opens nothing and is no event. */
  z.object({ type: z.literal('presented'), ask: z.uuid(), identifier: z.object({ type: z.enum(cardTypes), value: z.string().min(1).max(64) }) }),
]);
export type DeviceStatus = z.infer<typeof deviceStatus>;

/** A message read from bytes; null for what is none. Never throws. */
export function readMessage<T>(schema: z.ZodType<T>, payload: Buffer | string): T | null {
  try {
    const result = schema.safeParse(JSON.parse(payload.toString()));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}

/** Largest packet of a device, before and after it has signed in; bytes. */
export const packetLimit = { stranger: 64 * 1024, device: 256 * 1024 } as const;
/** How long a device may take to answer, ms. */
export const answerTime = 30_000;
/** A device that says nothing for so long is offline, ms. */
export const silence = 60_000;
