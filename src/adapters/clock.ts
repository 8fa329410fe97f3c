/** The present moment, in milliseconds since 1970. */
export const now = (): number => Date.now();
/** A fresh id that nobody can guess. */
export const freshId = (): string => crypto.randomUUID();
