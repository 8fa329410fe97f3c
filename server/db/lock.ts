import { randomUUID } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { link, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { lifeOf } from './process-life.ts';

/** Somebody else holds the folder; the sentence names who. */
export class LockHeld extends Error {}

interface Holder {
  pid: number;
  host: string;
  /** When the process began, as its kernel says, where it does: a pid is used again, this is not. */
  began: string | null;
  /** Told from every other taking, also of the same process. */
  mark: string;
}
/** A holder on another machine (a shared volume) is known to live by the touch it gives its file. */
const touchEvery = 2_000;
const silentAfter = 10_000;

const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

async function lives(holder: Holder, path: string): Promise<boolean> {
  if (holder.host !== hostname()) return Date.now() - (await stat(path)).mtimeMs < silentAfter;
  if (!runs(holder.pid)) return false;
  const life = lifeOf(holder.pid);
  // Where nobody tells more than that the pid is somebody's, the folder is left alone.
  if (life === null) return true;
  if (holder.pid === process.pid) return holder.began === life.began;
  return life.runs && (holder.began === null || holder.began === life.began);
}

const read = (text: string): Holder | null => {
  try {
    const holder = JSON.parse(text) as Holder;
    return typeof holder.pid === 'number' ? holder : null;
  } catch {
    return null;
  }
};

/** Moves a dead holder's file away; if it turns out to be a living one's, puts it back. */
async function clearStale(path: string, seen: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    if ((await readFile(aside, 'utf8')) !== seen) await link(aside, path).catch(() => undefined);
    await unlink(aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** One try: the living holder, or whether the lock became ours over a dead one's file. */
async function tryOnce(path: string, mine: string): Promise<Holder | 'free' | 'taken over'> {
  for (let cleared = false; ;) {
    try {
      await writeFile(path, mine, { flag: 'wx' });
      return cleared ? 'taken over' : 'free';
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const seen = await readFile(path, 'utf8').catch(() => null);
    if (seen === null) continue;
    const holder = read(seen);
    if (holder && (await lives(holder, path).catch(() => false))) return holder;
    // A file without a holder may be one that is being written this very moment.
    if (!holder) await pause(50);
    if (!holder && (await readFile(path, 'utf8').catch(() => null)) !== seen) continue;
    await clearStale(path, seen);
    cleared = true;
  }
}

/** Touches the lock file for as long as it is held. */
function keepTouched(path: string): NodeJS.Timeout {
  const touch = () => {
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      // The folder went away under us; the database will say so louder.
    }
  };
  return setInterval(touch, touchEvery).unref();
}

const heldSentence = ({ pid, host }: Holder, path: string): string =>
  `The data folder is in use by process ${pid}${host === hostname() ? '' : ` on ${host}`} (${path}). Stop it first, or set DOORWARD_DATA to another folder.`;

/**
 * Takes the lock file for this process, waiting at most `wait` ms for a living holder to go.
 * @throws LockHeld naming the pid of the holder.
 */
export async function takeLock(path: string, wait = 0): Promise<{ release: () => Promise<void> }> {
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), began: lifeOf(process.pid)?.began ?? null, mark: randomUUID() } satisfies Holder);
  const isMine = async () => (await readFile(path, 'utf8').catch(() => '')) === mine;
  for (const until = performance.now() + wait; ; await pause(100)) {
    const outcome = await tryOnce(path, mine);
    if (outcome === 'free') break;
    if (outcome === 'taken over') {
      // Two that found the same dead holder may both come this far; a moment later one sees the other's file and yields.
      await pause(60);
      if (await isMine()) break;
    } else if (performance.now() >= until) throw new LockHeld(heldSentence(outcome, path));
  }
  const touching = keepTouched(path);
  const release = async () => {
    clearInterval(touching);
    if (await isMine()) await unlink(path);
  };
  return { release };
}
