import type { ChannelState, DeviceAct, LicenceAct, ScenarioName } from '#models/simulator.ts';
import type { DeviceType } from '#models/device-models.ts';

/** Which device a step is played at: the first by name that fits, the same in every step of a scenario. */
export interface Role {
  types: readonly DeviceType[];
  /** Part of the name. */
  named?: string;
}
/** Something that happens. */
export type Staged =
  | { at: string; act: DeviceAct }
  /** Waits until the call of the device is taken, or over, `within` ms at most. */
  | { at: string; until: 'answered'; within: number }
  /** All that can call do so at once, or hang up. */
  | { everyone: 'call' | 'hang_up' }
  /** Somebody who lives behind the device presents what they carry: one that opens, or one that does not. */
  | { at: string; carried: 'good' | 'bad' }
  /** The server asks the device to do something. */
  | { at: string; task: 'synchronise' | 'restart' }
  | { channel: ChannelState }
  | { licence: LicenceAct };
interface Pause {
  /** Milliseconds. */
  wait: number;
}
/** Whether a step of a scene only waits. */
export const isPause = (step: Staged | Pause): step is Pause => 'wait' in step;

/** A script: the devices it needs, what happens, in order, and what puts things right, played also when it is stopped. */
export interface Scenario {
  cast: Readonly<Record<string, Role>>;
  steps: readonly (Staged | Pause)[];
  atLast: readonly Staged[];
}

const entrance: Role = { types: ['panel'], named: 'lobby' };
const gate: Role = { types: ['panel'], named: 'gate' };
const corridor: Role = { types: ['access_controller'], named: 'corridor' };

/** The scenes anybody may stage: the simulator's page, the command line and the tests play these very scripts. */
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  'smoke-alarm': {
    cast: { corridor },
    steps: [{ at: 'corridor', act: { act: 'trip', sensor: 'smoke' } }, { wait: 20_000 }],
    atLast: [{ at: 'corridor', act: { act: 'clear', sensor: 'smoke' } }],
  },
  sos: { cast: { entrance }, steps: [{ at: 'entrance', act: { act: 'sos' } }], atLast: [] },
  'sos-in-call': {
    cast: { entrance, gate },
    steps: [
      { at: 'entrance', act: { act: 'call' } },
      { at: 'entrance', until: 'answered', within: 20_000 },
      { wait: 3_000 },
      { at: 'gate', act: { act: 'sos' } },
      { wait: 30_000 },
    ],
    atLast: [
      { at: 'gate', act: { act: 'hang_up' } },
      { at: 'entrance', act: { act: 'hang_up' } },
    ],
  },
  'two-operators': {
    cast: { entrance },
    steps: [{ at: 'entrance', act: { act: 'call' } }, { at: 'entrance', until: 'answered', within: 30_000 }, { wait: 15_000 }],
    atLast: [{ at: 'entrance', act: { act: 'hang_up' } }],
  },
  'caller-leaves': {
    cast: { entrance },
    steps: [
      { at: 'entrance', act: { act: 'call' } },
      { at: 'entrance', until: 'answered', within: 30_000 },
    ],
    atLast: [{ at: 'entrance', act: { act: 'hang_up' } }],
  },
  'cancel-crosses': {
    cast: { entrance },
    steps: [{ at: 'entrance', act: { act: 'call' } }, { wait: 6_000 }],
    atLast: [{ at: 'entrance', act: { act: 'hang_up' } }],
  },
  'many-callers': { cast: {}, steps: [{ everyone: 'call' }, { wait: 30_000 }], atLast: [{ everyone: 'hang_up' }] },
  'door-forced': {
    cast: { back: { types: ['panel'], named: 'back' } },
    steps: [{ at: 'back', act: { act: 'force_door' } }, { wait: 500 }, { at: 'back', act: { act: 'trip', sensor: 'door' } }, { wait: 15_000 }],
    atLast: [
      { at: 'back', act: { act: 'close_door' } },
      { at: 'back', act: { act: 'clear', sensor: 'door' } },
    ],
  },
  'device-offline': {
    cast: { bikes: { types: ['access_controller'], named: 'bike' } },
    steps: [{ at: 'bikes', act: { act: 'go_offline' } }, { wait: 1_000 }, { at: 'bikes', task: 'synchronise' }, { wait: 45_000 }],
    atLast: [{ at: 'bikes', act: { act: 'go_online' } }],
  },
  'task-fails': {
    cast: { corridor },
    steps: [
      { at: 'corridor', act: { act: 'fail_next_task' } },
      { at: 'corridor', task: 'synchronise' },
    ],
    atLast: [],
  },
  'card-refused': { cast: { entrance }, steps: [{ at: 'entrance', carried: 'bad' }], atLast: [] },
  'card-used': { cast: { entrance }, steps: [{ at: 'entrance', carried: 'good' }], atLast: [] },
  'channel-cut': { cast: {}, steps: [{ channel: 'cut' }, { wait: 10_000 }], atLast: [{ channel: 'whole' }] },
  'licence-ends': {
    cast: {},
    steps: [{ licence: 'end_soon' }, { wait: 15_000 }, { licence: 'expire' }, { wait: 15_000 }],
    atLast: [{ licence: 'restore' }],
  },
  'busy-evening': {
    cast: { entrance, gate, corridor, barrier: { types: ['barrier'] } },
    steps: [
      { at: 'barrier', carried: 'good' },
      { wait: 4_000 },
      { at: 'gate', carried: 'good' },
      { wait: 3_000 },
      { at: 'entrance', carried: 'good' },
      { wait: 5_000 },
      { at: 'entrance', carried: 'bad' },
      { wait: 4_000 },
      { at: 'entrance', act: { act: 'call' } },
      { wait: 6_000 },
      { at: 'corridor', carried: 'good' },
      { wait: 3_000 },
      { at: 'entrance', act: { act: 'open_by_hand' } },
      { wait: 5_000 },
      { at: 'barrier', act: { act: 'hold_door' } },
      { wait: 4_000 },
      { at: 'gate', act: { act: 'present', type: 'access_code', value: '4711' } },
      { wait: 5_000 },
      { at: 'entrance', carried: 'good' },
      { wait: 3_000 },
    ],
    atLast: [{ at: 'barrier', act: { act: 'close_door' } }],
  },
};
