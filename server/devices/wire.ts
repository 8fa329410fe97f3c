/** One word of a device as it came over MQTT. */
export interface Heard {
  serial: string;
  part: 'response' | 'status';
  payload: Buffer;
  /** Kept by the broker from before: how the device stood when it was last heard. */
  retained: boolean;
}

/** The way to devices over MQTT, be the broker embedded or an outside one. */
export interface Wire {
  /** Sends a request's bytes to a device. Resolves when the broker has them. */
  send: (serial: string, payload: string) => Promise<void>;
  /** Whether what is sent to a device now has somebody who hears it; an outside broker does not tell, and keeps it for a while. */
  hears: (serial: string) => boolean;
  /** Ends the connection of a device that is no longer to be let in, or is somewhere else by now; without its last will. */
  drop: (serial: string) => void;
  close: () => Promise<void>;
}

/** Who hears what comes by the wire. */
export interface Listener {
  heard: (message: Heard) => void;
  /** A device listens from now on: it has begun a session with this very process. */
  came: (serial: string) => void;
  /** The connection of a device ended, will or no will. */
  gone: (serial: string) => void;
}
