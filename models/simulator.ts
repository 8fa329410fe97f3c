import { z } from 'zod';
import { named } from './define-model.ts';
import { dialable } from './sip.ts';
import { alarmSensors } from './device-alarms.ts';
import { denialReasons, type IdentifierType, identifierTypes } from './device-events.ts';
import { deviceCan, deviceTypes } from './device-models.ts';

/** What can be staged at a device of the demo. */
export const deviceAct = z.discriminatedUnion('act', [
  /** Presents an identifier: one that somebody of the demo carries, by its id, or any other, by its value. */
  z.strictObject({
    act: z.literal('present'),
    type: z.enum(identifierTypes),
    identifier_id: z.uuid().optional(),
    value: z.string().trim().min(1).max(100).optional(),
  }),
  /** Calls: a number that is dialled, or the one behind its call button. */
  z.strictObject({ act: z.literal('call'), number: z.string().trim().regex(dialable).optional() }),
  z.strictObject({ act: z.literal('sos') }),
  z.strictObject({ act: z.literal('hang_up') }),
  z.strictObject({ act: z.literal('trip'), sensor: z.enum(alarmSensors) }),
  z.strictObject({ act: z.literal('clear'), sensor: z.enum(alarmSensors) }),
  z.strictObject({ act: z.literal('open_by_hand') }),
  z.strictObject({ act: z.literal('force_door') }),
  z.strictObject({ act: z.literal('hold_door') }),
  z.strictObject({ act: z.literal('close_door') }),
  /** Presses a floor inside an elevator; one that is not free stays dark. */
  z.strictObject({ act: z.literal('choose_floor'), floor: z.int() }),
  z.strictObject({ act: z.literal('go_offline') }),
  z.strictObject({ act: z.literal('go_online') }),
  /** The next thing it is asked to do fails. */
  z.strictObject({ act: z.literal('fail_next_task'), reason: z.string().trim().min(1).max(120).optional() }),
]);
export type DeviceAct = z.infer<typeof deviceAct>;
const actNames = deviceAct.options.map(({ shape }) => shape.act.value);

/** What was done last at a device, and what came of it. */
export const lastAct = z.strictObject({
  act: z.enum(actNames),
  identifier_type: z.enum(identifierTypes).nullable(),
  sensor: z.enum(alarmSensors).nullable(),
  /** Why the device refused what it was presented; null: it opened, or nothing was to be decided. */
  reason: z.enum(denialReasons).nullable(),
  /** The device was waiting for a card: it was told to whoever enrols it, and nothing opened. */
  enrolled: z.boolean(),
  at: z.iso.datetime(),
});
export type LastAct = z.infer<typeof lastAct>;

/** How the realtime channel of all consoles of a project stands: whole, cut, or seconds late. */
export const channelStates = ['whole', 'cut', 'delayed'] as const;
export type ChannelState = (typeof channelStates)[number];

/** What can be staged with the project's licence. */
export const licenceActs = ['expire', 'end_soon', 'restore'] as const;
export type LicenceAct = (typeof licenceActs)[number];

/** Where a search by addresses finds devices of the demo that are in no project yet. */
export const strayRange = { start_ip: '127.20.9.1', end_ip: '127.20.9.40' } as const;

/** How the vendor's cloud answers when licences are asked of it. */
export const issuerModes = ['ok', 'silent', 'none', 'bad_signature', 'expired', 'wrong_project', 'instance_registered'] as const;
export type IssuerMode = (typeof issuerModes)[number];
/** What the vendor hands out as a licence file: a good one, or one that is refused. */
export const licenceFileKinds = ['ok', 'bad_signature', 'expired', 'wrong_project'] as const;
export type LicenceFileKind = (typeof licenceFileKinds)[number];

export const scenarioNames = [
  'smoke-alarm',
  'sos',
  'sos-in-call',
  'two-operators',
  'caller-leaves',
  'cancel-crosses',
  'many-callers',
  'door-forced',
  'device-offline',
  'task-fails',
  'card-refused',
  'card-used',
  'channel-cut',
  'licence-ends',
  'busy-evening',
] as const;
export type ScenarioName = (typeof scenarioNames)[number];

/** How the phone in a device stands. `ready`: it can call and be called; `talking`: both sides hear each other. */
export const phoneStates = ['unregistered', 'ready', 'calling', 'ringing', 'talking'] as const;
export type PhoneState = (typeof phoneStates)[number];
export const simulatedPhone = z.strictObject({
  number: z.string(),
  state: z.enum(phoneStates),
  /** The number at the other end of its call. */
  with: z.string().nullable(),
  /** What its call button rings. */
  button: z.string().nullable(),
});

/** The elevator behind a controller: where its car is, where it goes, and which floors may be chosen inside; floors from the lowest up, by their relays. */
export const simulatedElevator = z.strictObject({
  at: z.int(),
  stops: z.array(z.int()),
  state: z.enum(['standing', 'moving', 'open']),
  floors: z.array(z.strictObject({ number: z.int(), name: z.string(), is_public: z.boolean(), is_free: z.boolean() })),
});
export type SimulatedElevator = z.infer<typeof simulatedElevator>;

/** The emergency alert a device plays now. */
export const playedAlert = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  message: z.string(),
  is_drill: z.boolean(),
  /** A recording is heard besides. */
  has_sound: z.boolean(),
});
export type PlayedAlert = z.infer<typeof playedAlert>;

/** An announcement on the screen of a device; `picture` is the link it was given. */
export const shownMessage = z.strictObject({ id: z.uuid(), title: z.string(), text: z.string(), picture: z.string().nullable() });
export type ShownMessage = z.infer<typeof shownMessage>;

/** A device as the simulator shows it: how it stands there, whatever the server knows of it. */
export const simulatedDevice = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  group: z.string(),
  type: z.enum(deviceTypes),
  model: z.string(),
  serial: z.string(),
  protocol: z.string(),
  online: z.boolean(),
  /** Sensors that are tripped. */
  tripped: z.array(z.enum(alarmSensors)),
  door_open: z.boolean(),
  /** How many identifiers it was sent. */
  identifiers: z.int(),
  failing: z.boolean(),
  /** Its phone, where it has one. */
  phone: simulatedPhone.nullable(),
  elevator: simulatedElevator.nullable(),
  alert: playedAlert.nullable(),
  /** The announcements on its screen, the newest first. */
  messages: z.array(shownMessage),
  last: lastAct.nullable(),
});
export type SimulatedDevice = z.infer<typeof simulatedDevice>;

/** A scenario under way or the last one that ran: what it has done so far, step by step. */
export const scenarioRun = z.strictObject({
  id: z.uuid(),
  name: z.enum(scenarioNames),
  state: z.enum(['running', 'done', 'failed', 'stopped']),
  done: z.int(),
  total: z.int(),
  /** What was done, as a key below `simulator.steps`; at which device, if one may see it; why it said no, if it did. */
  lines: z.array(z.strictObject({ step: z.string(), device: named.nullable(), reason: z.enum(denialReasons).nullable(), at: z.iso.datetime() })),
});
export type ScenarioRun = z.infer<typeof scenarioRun>;

/** A call that runs at the server, as the statechart it is: its last moves, oldest first, by event and states. */
export const runningCall = z.strictObject({
  id: z.uuid(),
  caller: z.string(),
  callee: z.string(),
  moves: z.array(z.strictObject({ event: z.string(), states: z.array(z.string()), at: z.iso.datetime() })),
});
export type RunningCall = z.infer<typeof runningCall>;

export const simulatorState = z.strictObject({
  devices: z.array(simulatedDevice),
  channel: z.enum(channelStates),
  cloud: z.enum(issuerModes),
  run: scenarioRun.nullable(),
  calls: z.array(runningCall),
});
export type SimulatorState = z.infer<typeof simulatorState>;

/** An identifier that somebody of the demo carries. The value stays on the server. */
export const carried = z.strictObject({
  id: z.uuid(),
  type: z.enum(identifierTypes),
  owner: z.string(),
  group: z.string(),
  mask: z.string(),
  state: z.enum(['good', 'blocked', 'revoked', 'expired']),
});
export type Carried = z.infer<typeof carried>;

const readers: readonly [Parameters<typeof deviceCan>[1], readonly IdentifierType[]][] = [
  ['card', ['card', 'ukey', 'ukey2']],
  ['code', ['access_code']],
  ['qr', ['qr']],
  ['alpr', ['license_plate']],
  ['face', ['face']],
];
/** What can be presented at a device. */
export const readableAt = (device: Pick<SimulatedDevice, 'type' | 'model'>): IdentifierType[] =>
  readers.flatMap(([ability, types]) => (deviceCan(device, ability) ? types : []));
