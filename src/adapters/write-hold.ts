/** Whether requests that write are refused at present. */
export interface WriteHold {
  /** Holds writes back until the answer is called. */
  hold: () => () => void;
  isHeld: () => boolean;
}

/** Opens the hold on writes; several holders may overlap. */
export function openWriteHold(): WriteHold {
  const holders = new Set<symbol>();
  return {
    hold: () => {
      const holder = Symbol('holder');
      holders.add(holder);
      return () => void holders.delete(holder);
    },
    isHeld: () => holders.size > 0,
  };
}
