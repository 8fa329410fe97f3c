import { ConfigError } from './config.ts';
import { LockHeld } from './db/lock.ts';

/** Why the server cannot start, in one sentence for whoever started it. */
export class StartError extends Error {}

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a file with that name already exists',
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
};

/** What the system said, in words where we have some. */
export const reasonOf = (error: unknown): string => {
  const { code = '', message = String(error) } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  return reasons[code] ?? message.split('\n')[0] ?? message;
};

/** The sentence to print for a failed start; null when nobody foresaw it. */
export const sentenceOf = (error: unknown): string | null =>
  error instanceof StartError || error instanceof ConfigError || error instanceof LockHeld ? error.message : null;
