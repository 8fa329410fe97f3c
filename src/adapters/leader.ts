/** Of several tabs of one browser the one that does what must be done once. */
export interface Leader {
  /** Is it this tab? */
  leads: () => boolean;
  /** Resolves once it is known whether this tab leads at first. */
  decided: Promise<void>;
  /** Is there one, here or elsewhere? */
  isThere: () => Promise<boolean>;
  /** Lets another tab lead. */
  resign: () => void;
}

/** Stands for leader under a name; the first to stand leads until it resigns or its tab is closed, then the next. */
export function standForLeader(locks: Pick<LockManager, 'request' | 'query'> | undefined, name: string): Leader {
  // Without locks (an address that is neither https nor this machine) every tab does it.
  if (!locks) return { leads: () => true, decided: Promise.resolve(), isThere: () => Promise.resolve(true), resign: () => {} };
  const gone = new AbortController();
  let release: (() => void) | undefined;
  const lead = (): Promise<void> | undefined =>
    gone.signal.aborted
      ? undefined
      : new Promise((resolve) => {
          release = resolve;
        });
  const decided = new Promise<void>((decide) => {
    const first = (lock: Lock | null): Promise<void> | undefined => {
      const end = lock ? lead() : undefined;
      if (!lock) void locks.request(name, { signal: gone.signal }, lead).catch(() => {});
      decide();
      return end;
    };
    locks.request(name, { ifAvailable: true }, first).catch(() => decide());
  });
  return {
    decided,
    leads: () => release !== undefined && !gone.signal.aborted,
    isThere: () => isLed(locks, name),
    resign: () => {
      gone.abort();
      release?.();
    },
  };
}

/** Does any tab lead under this name? */
export const isLed = async (locks: Pick<LockManager, 'query'> | undefined, name: string): Promise<boolean> =>
  locks ? ((await locks.query()).held ?? []).some((lock) => lock.name === name) : false;
