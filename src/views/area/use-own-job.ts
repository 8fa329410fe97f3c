import { useSelector } from '@xstate/react';
import { useCallback, useEffect, useState } from 'react';
import { followerOf, jobAt } from '#machines/workspace/workspace.machine.ts';
import type { AreaName } from '#models/areas.ts';
import { isOver, type Job } from '#models/job.ts';
import { isWireCode, type Problem } from '#models/problem.ts';
import { useWorkspace } from '../system.ts';

/** Long work that a view follows itself. */
interface OwnJob {
  /** How it stands; null before there is any. */
  job: Job | null;
  running: boolean;
  /** Why it did not end, or its file could not be fetched. */
  problem: Problem | null;
  follow: (job: Job) => void;
  download: () => void;
  /** Gives it up: the server stops it if it still runs. */
  close: () => void;
}

const problemOf = ({ problem }: Job): Problem | null =>
  problem && { code: isWireCode(problem.code) ? problem.code : 'internal', message: problem.message };

/** Follows long work from its start until this view goes, which gives it up. */
export function useOwnJob(area: AreaName): OwnJob {
  const workspace = useWorkspace();
  const [id, setId] = useState<string>();
  const child = useSelector(workspace, (snapshot) => (id === undefined ? undefined : followerOf(snapshot, id)));
  const actor = child === undefined ? undefined : jobAt(workspace.getSnapshot(), child);
  const job = useSelector(actor, (snapshot) => snapshot?.context.job ?? null);
  const failure = useSelector(actor, (snapshot) => snapshot?.context.problem ?? null);
  useEffect(() => (child === undefined ? undefined : () => workspace.send({ type: 'job.close', id: child })), [workspace, child]);
  return {
    job,
    running: job !== null && !isOver(job) && failure === null,
    problem: failure ?? (job && problemOf(job)),
    follow: useCallback(
      (started: Job) => {
        workspace.send({ type: 'job.start', request: { kind: 'adopt', area, job: started, own: true } });
        setId(started.id);
      },
      [workspace, area],
    ),
    download: () => actor?.send({ type: 'job.download' }),
    close: useCallback(() => setId(undefined), []),
  };
}
