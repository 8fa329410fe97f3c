import { useSelector } from '@xstate/react';
import { Button } from '#src/components/button.tsx';
import { useEffect } from 'react';
import type { JobActor } from '#machines/job.machine.ts';
import { jobAt, shownJobs } from '#machines/workspace/workspace.machine.ts';
import type { AreaName } from '#models/areas.ts';
import type { Job } from '#models/job.ts';
import type { ImportResult } from '#models/import.ts';
import { isWireCode } from '#models/problem.ts';
import { sayIssue, useProblemText, useText } from '#src/components/text.ts';
import { useWorkspace, type WorkspaceRef } from '#src/views/system.ts';
import { useRoom } from '../shell/room.ts';
import { useRequest } from './use-request.ts';

/** What a job is called: of bulk work what it does. */
function titleOf({ request, job }: ReturnType<JobActor['getSnapshot']>['context']): string {
  if (job?.kind === 'bulk_undo') return 'list.bulk.job.undo';
  return job?.bulk ? `list.bulk.job.${job.bulk.action}` : `list.job.${job?.kind ?? request.kind}`;
}

/** Gives the rows of a bulk job back what they were, as another job. */
function Undo({ job, area, onStarted }: { job: Job; area: AreaName; onStarted: () => void }) {
  const { t } = useText();
  const workspace = useWorkspace();
  const sayProblem = useProblemText();
  const request = useRequest('undoJob', {
    done: (undoing) => {
      workspace.send({ type: 'job.start', request: { kind: 'adopt', area, job: undoing } });
      onStarted();
    },
  });
  return (
    <>
      {request.problem && <span className="field-issue">{sayProblem(request.problem)}</span>}
      <Button
        tone="quiet"
        small
        icon="pi-undo"
        label={t('list.bulk.undo')}
        loading={request.running}
        onClick={() => request.run({ params: { id: job.id } })}
      />
    </>
  );
}

/** What became of the rows of an import, and where it stopped if it did. */
function ImportOutcome({ result: { action, counts, last_row: row }, whole }: { result: ImportResult; whole: boolean }) {
  const { t } = useText();
  const parts = [
    ['new', counts.new],
    [action === 'leave' ? 'leave' : 'overwrite', counts.changed],
    ['same', counts.same],
    ['bad', counts.bad],
  ] as const;
  return (
    <>
      <p className="job-counts">{parts.map(([kind, count]) => count > 0 && <span key={kind}>{t(`list.import.outcome.${kind}`, { count })}</span>)}</p>
      {!whole && row > 0 && <p className="quiet">{t('list.import.stopped', { row })}</p>}
    </>
  );
}

function JobCard({ actor, onClose }: { actor: JobActor; onClose: () => void }) {
  const words = useText();
  const { t } = words;
  const sayProblem = useProblemText();
  const snapshot = useSelector(actor, (present) => present);
  const { job, problem } = snapshot.context;
  const running = snapshot.hasTag('running');
  // Work that left nothing to fetch or to read is over with its "Done".
  const silent = snapshot.hasTag('completed') && job?.file_name === null && job.failures.length === 0 && !job.import && !job.bulk?.can_undo;
  useEffect(() => {
    if (silent) onClose();
  }, [silent, onClose]);
  const failure =
    problem ??
    (job?.problem ? { code: isWireCode(job.problem.code) ? job.problem.code : ('internal' as const), message: job.problem.message } : null);
  const state = running
    ? job?.state === 'queued' || !job
      ? 'queued'
      : 'running'
    : snapshot.hasTag('completed')
      ? 'completed'
      : snapshot.hasTag('cancelled')
        ? 'cancelled'
        : 'failed';
  return (
    <section className="job-card" aria-label={t(titleOf(snapshot.context))}>
      <div className="job-head">
        <strong>{t(titleOf(snapshot.context))}</strong>
        <span role="status" className="quiet">
          {state === 'running' && job ? t('list.job.progress', { done: job.done, total: job.total }) : t(`list.job.${state}`)}
        </span>
      </div>
      {running && (
        <progress className="job-progress" {...(job && job.total > 0 && { value: job.done, max: job.total })} aria-label={t('list.job.running')} />
      )}
      {failure && state !== 'completed' && <p className="field-issue">{sayProblem(failure)}</p>}
      {job?.import && !running && <ImportOutcome result={job.import} whole={state === 'completed'} />}
      {job && job.failures.length > 0 && (
        <details>
          <summary>{t('list.job.failures', { count: job.failures.length })}</summary>
          <ul className="notice-list">
            {job.failures.map(({ id, name, problem: why }) => (
              <li key={id}>
                {name ?? t('list.none')}
                {why &&
                  `: ${why.rule === undefined ? sayProblem({ code: isWireCode(why.code) ? why.code : 'internal', message: why.message }) : sayIssue(words, { rule: why.rule, params: {} })}`}
              </li>
            ))}
          </ul>
        </details>
      )}
      <div className="job-foot">
        {running && <Button tone="quiet" small label={t('list.job.cancel')} onClick={() => actor.send({ type: 'job.cancel' })} />}
        {snapshot.can({ type: 'job.retry' }) && (
          <Button tone="quiet" small label={t('list.retry')} onClick={() => actor.send({ type: 'job.retry' })} />
        )}
        {snapshot.can({ type: 'job.download' }) && (
          <Button
            small
            icon="pi-download"
            label={t(job?.import ? 'list.import.bad_rows' : job?.bulk ? 'list.bulk.failed_rows' : 'list.job.download')}
            onClick={() => actor.send({ type: 'job.download' })}
          />
        )}
        {!running && job?.bulk?.can_undo && <Undo job={job} area={snapshot.context.request.area} onStarted={onClose} />}
        {!running && <Button tone="quiet" small label={t('list.job.close')} onClick={onClose} />}
      </div>
    </section>
  );
}

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join() === other.join();

/** Long work as small cards at the bottom: progress, cancel, what failed, the file. */
export function JobHost() {
  const workspace = useWorkspace();
  const ids = useSelector(workspace, shownJobs, isSame);
  return ids.length > 0 && <Cards workspace={workspace} ids={ids} />;
}

function Cards({ workspace, ids }: { workspace: WorkspaceRef; ids: readonly string[] }) {
  const box = useRoom('--jobs');
  return (
    <div ref={box} className="jobs">
      {ids.map((id) => {
        const actor = jobAt(workspace.getSnapshot(), id);
        return actor && <JobCard key={id} actor={actor} onClose={() => workspace.send({ type: 'job.close', id })} />;
      })}
    </div>
  );
}
