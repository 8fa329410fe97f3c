import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import type { Purpose, Reserve } from './reserve.ts';

/** What PGlite gives a file system to begin with, and what it has of Emscripten then. */
type Begin = Parameters<NodeFS['init']>[1];
type Module = Parameters<NonNullable<Begin['preRun']>[number]>[0];
interface OpenFile {
  path?: string;
}
/** What Emscripten's file system over Node's has for open files and for names, as far as it needs room. */
interface FileOperations {
  stream_ops: { write: (file: OpenFile, bytes: ArrayBufferView, offset: number, length: number, position: number) => number };
  node_ops: { mknod: (parent: { name: string }, name: string, mode: number, device: number) => unknown };
}

/** ENOSPC as WebAssembly programs know it. */
const noSpace = 51;
const isFull = (error: unknown): boolean => (error as { errno?: number } | null)?.errno === noSpace;

const segmentBytes = 16 * 1_048_576;
/** Where a write to a segment of the write-ahead log ends, counted from its very beginning; null for all other files. */
function logPosition(path: string, end: number): number | null {
  const [, log, segment] = /\/pg_wal\/[0-9A-F]{8}([0-9A-F]{8})([0-9A-F]{8})$/.exec(path) ?? [];
  return log === undefined || segment === undefined ? null : (Number.parseInt(log, 16) * 256 + Number.parseInt(segment, 16)) * segmentBytes + end;
}

/** What the reserve is asked for: tables grow for somebody, all else is the database's own upkeep. */
const purposeOf = (path: string): Purpose | undefined => (path.includes('/base/') ? undefined : 'log');

/** What happens beside the writing. */
export interface Watch {
  /** The write-ahead log has come so far. */
  logged: (position: number) => void;
  /** The log cannot go on; whoever returns from here leaves the database standing still. */
  exhausted: () => void;
}

/** The folder of the embedded database. A write that finds the disk full takes what it needs from the reserve, as far as it may. */
export class ReservedFs extends NodeFS {
  readonly #reserve: Reserve;
  readonly #watch: Watch;

  constructor(folder: string, reserve: Reserve, watch: Watch) {
    super(folder);
    this.#reserve = reserve;
    this.#watch = watch;
  }

  override async init(pg: PGlite, options: Begin): Promise<{ emscriptenOpts: Begin }> {
    const { emscriptenOpts } = await super.init(pg, options);
    const hold = (module: Module) => this.#hold((module as unknown as { NODEFS: FileOperations }).NODEFS);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), hold] } };
  }

  #hold({ stream_ops, node_ops }: FileOperations): void {
    const { write } = stream_ops;
    const { mknod } = node_ops;
    node_ops.mknod = (...given) => this.#withRoom(given[0].name === 'pg_wal' ? 'log' : undefined, () => mknod(...given));
    stream_ops.write = (file, bytes, offset, length, position) => {
      const path = file.path ?? '';
      let done = 0;
      // A disk that fills up takes a part first.
      while (done < length) done += this.#withRoom(purposeOf(path), () => write(file, bytes, offset + done, length - done, position + done));
      const reached = logPosition(path, position + length);
      if (reached !== null) this.#watch.logged(reached);
      return done;
    };
  }

  #withRoom<T>(purpose: Purpose | undefined, attempt: () => T): T {
    for (;;) {
      try {
        return attempt();
      } catch (error) {
        if (!isFull(error)) throw error;
        if (this.#reserve.release(purpose)) continue;
        if (purpose === 'log') this.#watch.exhausted();
        throw error;
      }
    }
  }
}
