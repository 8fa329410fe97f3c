import type { AreaName } from '#models/areas.ts';
import type { KeyValueStore } from './storage.ts';

/** Long work on the server, and the list that may change by it. */
export interface FollowedJob {
  id: string;
  area: AreaName;
}
/** The long work that a tab follows, kept over a reload for its person until it is over. */
export interface JobMemory {
  /** What was followed before this page was loaded; each once. */
  recall: () => readonly FollowedJob[];
  store: (job: FollowedJob) => void;
  forget: (id: string) => void;
}

const isFollowed = (value: unknown): value is FollowedJob =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' && 'area' in value && typeof value.area === 'string';

/** Opens the memory of whoever `person` says is signed in. */
export function openJobMemory(storage: KeyValueStore, person: () => string | null): JobMemory {
  /** This page follows them by itself, or has been told of them. */
  const known = new Set<string>();
  const key = (): string => `jobs.${person() ?? 'nobody'}`;
  const read = (): FollowedJob[] => {
    const stored = storage.read(key());
    return Array.isArray(stored) ? stored.filter(isFollowed) : [];
  };
  const write = (jobs: readonly FollowedJob[]): void => (jobs.length > 0 ? storage.write(key(), jobs) : storage.remove(key()));
  return {
    recall() {
      const jobs = read().filter(({ id }) => !known.has(id));
      for (const { id } of jobs) known.add(id);
      return jobs;
    },
    store(job) {
      known.add(job.id);
      const jobs = read();
      if (!jobs.some(({ id }) => id === job.id)) write([...jobs, job]);
    },
    forget(id) {
      const jobs = read();
      if (jobs.some((job) => job.id === id)) write(jobs.filter((job) => job.id !== id));
    },
  };
}
