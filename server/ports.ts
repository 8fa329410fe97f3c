import type { TransferTarget } from '#models/phone-calls.ts';
import type { ChannelState, DeviceAct, LastAct, SimulatedDevice } from '#models/simulator.ts';

/** The devices of the demo, as the rest of the server knows them. */
export interface SimulatorPort {
  /** Reads which devices there are, once; to be asked before devices are listened to. */
  read: () => Promise<void>;
  /** Brings all devices to life. `broker`: its URL. */
  open: (broker: string) => Promise<void>;
  close: () => Promise<void>;
  readonly isClosed: boolean;
  /** Does something at a device, as a person standing before it would. @throws HttpError `not_found`, `device_offline` */
  act: (deviceId: string, act: DeviceAct) => Promise<LastAct>;
  /** Whether the call of a device still waits to be taken. */
  isCalling: (id: string) => boolean;
  /** The devices of a project as they stand, by name. */
  shown: (projectId: string) => Promise<SimulatedDevice[]>;
  channelOf: (projectId: string) => ChannelState;
  /** Cuts or delays the realtime channel of a project's consoles, or mends it. */
  stageChannel: (projectId: string, state: ChannelState) => void;
  onChannel: (watcher: (projectId: string, state: ChannelState) => void) => void;
}

/** Where devices connect to the embedded broker, as the rest of the server knows it. */
export interface BrokerPort {
  readonly port: number;
  /** Null while nothing listens over TLS. */
  readonly securePort: number | null;
  /** Has the certificate read anew, and waits for it to be in use. */
  refresh: () => Promise<void>;
}

/** A call that runs in this process. */
export interface RunningCallPort {
  readonly id: string;
  /** The last moves of its chart, oldest first. */
  readonly moves: readonly { event: string; states: readonly string[]; at: Date }[];
  stop: (reason: string) => void;
  /** Everything of the call is written. */
  settled: () => Promise<unknown>;
  /** What the caller's camera shows now, as a WebP file; null where it shows nothing. */
  still: () => Promise<Uint8Array | null>;
}

/** Calls, as the rest of the server knows them. */
export interface TelephonyPort {
  readonly live: readonly RunningCallPort[];
  call: (id: string) => RunningCallPort | undefined;
  /** Everything of calls that are over is written. */
  written: () => Promise<void>;
  /** Packets of voice that came too late to be passed on, of all calls so far. */
  readonly lateVoice: number;
  /**
   * Connects the one whom the first of these numbers in the call talks to, or has on hold, elsewhere.
   * @throws HttpError `not_found`, also where none of the numbers is in the call; `forbidden`, `own_number`
   */
  transfer: (id: string, numbers: readonly string[], target: TransferTarget) => Promise<void>;
}
