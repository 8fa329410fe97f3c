import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** A process as its kernel sees it: whether it still runs anything, and when it began: a pid is used again, this is not. */
export interface ProcessLife {
  runs: boolean;
  began: string;
}

/** What has ended and was not yet collected by its parent (Z), or is just going (X), holds nothing any more. */
const ended = /^[ZX]/;

/** Fields 3 and 22 of /proc/<pid>/stat, with the boot that the time counts from; null where there is no such process. */
export function lifeByProc(pid: number): ProcessLife | null {
  try {
    // The name in brackets may hold anything, brackets too.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return { runs: !ended.test(fields[0] ?? ''), began: `${boot}:${fields[19]}` };
  } catch {
    return null;
  }
}

/** The same from `ps`, for systems that have no /proc. */
export function lifeByPs(pid: number): ProcessLife | null {
  try {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    const text = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env, stdio: ['ignore', 'pipe', 'ignore'], timeout: 5_000 });
    const [, state = '', began = ''] = /^(\S+)\s+(.+)$/.exec(text.toString().trim()) ?? [];
    return state === '' ? null : { runs: !ended.test(state), began };
  } catch {
    return null;
  }
}

/** How a process fares; null where nobody tells, or there is no such process. */
export const lifeOf: (pid: number) => ProcessLife | null = existsSync('/proc/self/stat')
  ? lifeByProc
  : process.platform === 'win32'
    ? () => null
    : lifeByPs;
