/** `unclear`: there was an SOS header that could not be read. */
export type SosMark = 'no' | 'yes' | 'unclear';

/** Why there is no microphone (or no media at all): NotAllowed, NotFound, NotReadable, a page without TLS, a browser without WebRTC. */
export type MediaTrouble = 'notAllowed' | 'notFound' | 'notReadable' | 'insecure' | 'unsupported' | 'lost';

/** What getStats says, once a second: round trip in ms, loss 0 to 1, jitter in ms. */
export interface Quality {
  roundTrip: number | null;
  loss: number;
  jitter: number | null;
}

/** Why a call is over, for the card; locale keys `phone.ends.<reason>`. */
export const endReasons = [
  'hungUp',
  'farHungUp',
  'cancelled',
  'declined',
  'busy',
  'noAnswer',
  'notFound',
  'unavailable',
  'refused',
  'serverFailed',
  'answeredElsewhere',
  'connectionLost',
  'mediaLost',
  'noMedia',
  'unsupported',
  'transferred',
  'stopped',
  'timeLimit',
] as const;
export type EndReason = (typeof endReasons)[number];

/** Loudest first: an SOS call, a call, a call while one talks. */
export const ringTones = ['sos', 'call', 'waiting'] as const;
export type RingTone = (typeof ringTones)[number];

export type DeviceKind = 'microphone' | 'speaker' | 'ringer' | 'camera';
/** `speaker` and `ringer` are both outputs, chosen apart. A null choice is the system's default. */
export interface DeviceList {
  devices: readonly { id: string; kind: 'microphone' | 'speaker' | 'camera'; label: string }[];
  chosen: Readonly<Record<DeviceKind, string | null>>;
}

/** `path`: the names from the highest group one may see down to this one. */
export interface InterceptedGroup {
  id: string;
  name: string;
  path: readonly string[];
}
