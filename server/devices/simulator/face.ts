import type { DeviceStatus } from '../protocol.ts';

/** How a simulated device meets the world. */
export interface Face {
  isOnline: () => boolean;
  /** Whether a question to the server is heard while somebody waits for the answer. */
  isListenedTo: () => boolean;
  goOnline: () => void;
  /** The plug is pulled: nobody says goodbye. */
  goOffline: () => void;
  say: (said: DeviceStatus) => void;
  close: () => Promise<void>;
}

/** After it was told to begin anew, a device is away for so long, ms. */
export const restartTime = 2_000;
