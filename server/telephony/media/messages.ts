import type { MediaEvent, MediaFailure, MediaPort } from './port.ts';

/** What can be asked of the media process: the port's own methods, by name. */
export type MediaCall = { [M in Exclude<keyof MediaPort, 'listen' | 'shut'>]: { method: M; given: Parameters<MediaPort[M]> } }[Exclude<
  keyof MediaPort,
  'listen' | 'shut'
>];
export type ToMedia = { id: number } & MediaCall;
/** What the media process says: that it is there, how a call ended, what happened. */
export type FromMedia =
  | { type: 'ready' }
  | { type: 'done'; id: number; value: string | boolean | Uint8Array | string[] | null }
  | { type: 'failed'; id: number; code: MediaFailure['code']; message: string }
  | { type: 'event'; event: MediaEvent };
