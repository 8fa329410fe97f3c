import { readFileSync } from 'node:fs';

/** What a process holds in memory, in MB, as Linux counts it. */
export const residentMegabytes = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Ticks of processor time in a second, on every Linux in use (USER_HZ). */
const ticks = 100;

/** How long processors have worked for a process since it began, in seconds, as Linux counts it. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program comes second, in brackets, and may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

/** The most memory a process holds until told to stop, in MB. */
export function watchMemory(pid: number): () => number {
  let most = residentMegabytes(pid);
  const timer = setInterval(() => (most = Math.max(most, residentMegabytes(pid))), 20);
  return () => {
    clearInterval(timer);
    return most;
  };
}
