import { type ChildProcess, fork } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FromMedia, MediaCall } from './messages.ts';
import type { MediaNetwork } from './path.ts';
import { type MediaEvent, MediaFailure, type MediaPort } from './port.ts';

const isSource = import.meta.url.endsWith('.ts');
/** The process as it lies beside this file: built, or in its source. */
const program = fileURLToPath(new URL(isSource ? './process.ts' : './media.js', import.meta.url));
/** No setting of the server, no secret goes along; Windows opens no socket without its root. */
const environment = Object.fromEntries(['NODE_ENV', 'SystemRoot'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
const options = {
  cwd: dirname(program),
  execArgv: isSource ? ['--import', 'tsx'] : [],
  serialization: 'advanced',
  env: environment,
} as const;
/** After how long an ended process is begun anew, in ms; longer each time it ends soon. */
const pauses = [0, 500, 2_000, 5_000, 15_000] as const;
const lastsLong = 60_000;

interface Waiting {
  done: (value: never) => void;
  fail: (error: MediaFailure) => void;
}
export interface MediaOptions {
  log?: { warn: (data: object, message: string) => void };
  /** How others reach this machine; without it the addresses of its own networks are told, and ports are any. */
  network?: MediaNetwork;
  /** Told which process it is, with each that begins. */
  onProcess?: (pid: number | undefined) => void;
}

/** The media port in a process of its own: whatever happens there, the server goes on, and it is begun anew. */
class MediaProcess implements MediaPort {
  readonly #options: MediaOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #legs = new Set<string>();
  readonly #listeners = new Set<(event: MediaEvent) => void>();
  #child: ChildProcess | null = null;
  #count = 0;
  #ended = 0;
  #isShut = false;
  #again: NodeJS.Timeout | undefined;

  constructor(given: MediaOptions) {
    this.#options = given;
  }
  /** Begins the process. Resolves when it is ready. @throws MediaFailure where it cannot begin */
  begin(): Promise<void> {
    const { network } = this.#options;
    const child = fork(program, network ? [JSON.stringify(network)] : [], { ...options, execArgv: [...options.execArgv] });
    this.#child = child;
    this.#options.onProcess?.(child.pid);
    const begun = Date.now();
    return new Promise((done, fail) => {
      child.on('message', (message: FromMedia) => {
        if (message.type === 'ready') done();
        else this.#hear(message);
      });
      child.once('error', () => undefined);
      child.once('exit', (code, signal) => {
        fail(new MediaFailure('unavailable', 'the media process ended'));
        if (this.#child === child) this.#lost(code, signal, Date.now() - begun);
      });
    });
  }
  #lost(code: number | null, signal: string | null, lasted: number): void {
    this.#child = null;
    for (const { fail } of this.#waiting.values()) fail(new MediaFailure('unavailable', 'the media process ended'));
    this.#waiting.clear();
    const legs = [...this.#legs];
    this.#legs.clear();
    if (this.#isShut) return;
    this.#options.log?.warn({ code, signal, legs: legs.length }, 'the media process ended; beginning anew');
    for (const leg of legs) this.#notify({ type: 'gone', leg });
    this.#ended = lasted > lastsLong ? 0 : this.#ended + 1;
    this.#again = setTimeout(() => void this.begin().catch(() => undefined), pauses[Math.min(this.#ended - 1, pauses.length - 1)] ?? 0);
  }
  #hear(message: Exclude<FromMedia, { type: 'ready' }>): void {
    if (message.type === 'event') {
      this.#notify(message.event);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === 'done') waiting?.done(message.value as never);
    else waiting?.fail(new MediaFailure(message.code, message.message));
  }
  #notify(event: MediaEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
  #ask<T>(call: MediaCall): Promise<T> {
    const child = this.#child;
    if (!child?.connected) return Promise.reject(new MediaFailure('unavailable', 'the media process is not there'));
    const id = (this.#count += 1);
    return new Promise<T>((done, fail) => {
      this.#waiting.set(id, { done, fail });
      child.send({ id, ...call }, (error) => {
        if (error && this.#waiting.delete(id)) fail(new MediaFailure('unavailable', error.message));
      });
    });
  }

  answer(...given: Parameters<MediaPort['answer']>): Promise<string> {
    this.#legs.add(given[0]);
    return this.#ask({ method: 'answer', given });
  }
  offer(...given: Parameters<MediaPort['offer']>): Promise<string> {
    this.#legs.add(given[0]);
    return this.#ask({ method: 'offer', given });
  }
  accept(...given: Parameters<MediaPort['accept']>): Promise<void> {
    return this.#ask({ method: 'accept', given });
  }
  bridge(...given: Parameters<MediaPort['bridge']>): Promise<string[]> {
    return this.#ask({ method: 'bridge', given });
  }
  unbridge(...given: Parameters<MediaPort['unbridge']>): Promise<void> {
    return this.#ask({ method: 'unbridge', given });
  }
  play(...given: Parameters<MediaPort['play']>): Promise<void> {
    return this.#ask({ method: 'play', given });
  }
  sendDtmf(...given: Parameters<MediaPort['sendDtmf']>): Promise<boolean> {
    return this.#ask({ method: 'sendDtmf', given });
  }
  still(...given: Parameters<MediaPort['still']>): Promise<Uint8Array | null> {
    return this.#ask({ method: 'still', given });
  }
  async close(leg: string): Promise<void> {
    // What is not there any more needs no closing.
    if (this.#legs.delete(leg) && this.#child) await this.#ask({ method: 'close', given: [leg] });
  }
  listen(listener: (event: MediaEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  async shut(): Promise<void> {
    this.#isShut = true;
    clearTimeout(this.#again);
    this.#listeners.clear();
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.disconnect();
    const late = setTimeout(() => child.kill('SIGKILL'), 2_000);
    await ended;
    clearTimeout(late);
  }
}

/** Opens the media of calls in a process of their own. @throws MediaFailure `unavailable` where it cannot begin */
export async function openMedia(given: MediaOptions = {}): Promise<MediaPort> {
  const media = new MediaProcess(given);
  await media.begin();
  return media;
}
