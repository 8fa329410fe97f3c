import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import { readdirSync, rmSync, statfsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';

const sliceBytes = 1_048_576;
const slices = 48;
/** Free space that must be left over before space is put aside. */
const margin = 16 * sliceBytes;
const checkEvery = 5_000;

/**
 * Who may use up the reserve, and how many slices they leave: whatever runs in the background, what has to go on (sign-in, doors, calls), and
 * the database's own log, without a new segment of which (16 MiB) it stands still for good.
 */
const leaves = { other: 36, urgent: 20, log: 0 };
export type Purpose = keyof typeof leaves;

const urgency = new AsyncLocalStorage<true>();
/** Does work that has to go on while the disk is full. */
export const urgently = <T>(work: () => T): T => urgency.run(true, work);

/**
 * Space put aside in the data folder, in files of 1 MiB that are removed one by one when the disk is full and made again when it is not. From
 * the first one removed until all are back the disk counts as full.
 */
export class Reserve {
  readonly #folder: string;
  readonly #names: string[];
  #log: Pick<FastifyBaseLogger, 'warn' | 'info'> | null = null;
  #lacking = false;
  #filling = false;

  constructor(data: string) {
    this.#folder = join(data, 'reserve');
    this.#names = this.#found();
  }

  /** Whether nothing more may be written but what has to go on. */
  get full(): boolean {
    return this.#lacking;
  }

  /** Gives up a slice; false when what is left is not for this purpose. */
  release(purpose: Purpose = urgency.getStore() ? 'urgent' : 'other'): boolean {
    if (!this.#lacking) this.#log?.warn('the disk is full: only what cannot wait is written, from the reserve');
    this.#lacking = true;
    if (this.#names.length <= leaves[purpose]) return false;
    rmSync(join(this.#folder, this.#names.pop() ?? ''), { force: true });
    return true;
  }

  /** Makes room for what a start writes before anything else. */
  makeRoom(): void {
    while (this.#free() < sliceBytes && this.release('urgent'));
  }

  /** Puts space aside now and whenever there is room again; answers how to stop. */
  maintain(log: Pick<FastifyBaseLogger, 'warn' | 'info'>): () => void {
    this.#log = log;
    const fill = () => void this.fill().catch((error: unknown) => log.warn({ err: error }, 'space could not be put aside'));
    fill();
    const timer = setInterval(fill, checkEvery).unref();
    return () => clearInterval(timer);
  }

  /** Makes the slices that are missing, if there is room for all of them. */
  async fill(): Promise<void> {
    const missing = slices - this.#names.length;
    if (this.#filling || (missing <= 0 && !this.#lacking)) return;
    if (this.#free() < missing * sliceBytes + margin) {
      this.#lacking = true;
      return;
    }
    this.#filling = true;
    try {
      await mkdir(this.#folder, { recursive: true });
      while (this.#names.length < slices) await this.#addSlice();
      if (this.#lacking) this.#log?.info('there is room on the disk again');
      this.#lacking = false;
    } finally {
      this.#filling = false;
    }
  }

  async #addSlice(): Promise<void> {
    const name = crypto.randomUUID();
    const beside = join(this.#folder, `${name}.part`);
    try {
      // A file system that packs its files would put no room aside for zeros.
      await writeFile(beside, randomFillSync(Buffer.allocUnsafe(sliceBytes)));
      await rename(beside, join(this.#folder, name));
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
    this.#names.push(name);
  }

  #free(): number {
    const { bavail, bsize } = statfsSync(join(this.#folder, '..'));
    return bavail * bsize;
  }

  /** The slices of an earlier process; what it did not finish goes. */
  #found(): string[] {
    let names: string[] = [];
    try {
      names = readdirSync(this.#folder);
    } catch {
      // Nothing was put aside yet.
    }
    for (const name of names.filter((one) => one.endsWith('.part'))) rmSync(join(this.#folder, name), { force: true });
    return names.filter((name) => !name.endsWith('.part'));
  }
}
