import { createActor, SimulatedClock } from 'xstate';
import { expect, it } from 'vitest';
import type { JobRequest } from '#machines/job-request.ts';
import { type JobEnded, jobMachine } from '#machines/job.machine.ts';
import type { AreaName } from '#models/areas.ts';
import type { Job } from '#models/job.ts';
import { uuid } from '#tests/support/people.ts';
import { held } from '#tests/support/ports.ts';

const queued: Job = {
  id: uuid(9),
  kind: 'export',
  state: 'queued',
  done: 0,
  total: 100,
  file_name: null,
  failures: [],
  problem: null,
  created_at: '2026-01-01T00:00:00Z',
};
const wish: JobRequest = { kind: 'export', area: 'users', format: 'csv', filters: { match: 'match_all', items: [] }, sort: [] };

function work(request: JobRequest = wish) {
  const ports = {
    startJob: held<Job, JobRequest>(),
    readJob: held<Job, { id: string; area: AreaName }>(),
    cancelJob: held<void, { id: string }>(),
    saveJobFile: held<void, { id: string; fileName: string | null }>(),
  };
  const clock = new SimulatedClock();
  const actors = {
    startJob: ports.startJob.actor,
    readJob: ports.readJob.actor,
    cancelJob: ports.cancelJob.actor,
    saveJobFile: ports.saveJobFile.actor,
  };
  const job = createActor(jobMachine.provide({ actors }), { input: { request }, clock }).start();
  const ends: JobEnded[] = [];
  job.on('job.ended', (fact) => ends.push(fact));
  return { job, ...ports, clock, ends, now: () => job.getSnapshot() };
}

it('is started, asked about every second, and tells its end once', async () => {
  const { startJob, readJob, clock, ends, now } = work();
  expect(startJob.asked).toEqual([wish]);
  await startJob.answer(queued);
  expect(readJob.asked).toEqual([]);
  clock.increment(1_000);
  await readJob.answer({ ...queued, state: 'running', done: 40 });
  expect(now().context.job?.done).toBe(40);
  clock.increment(1_000);
  const end: Job = { ...queued, state: 'completed', done: 100, file_name: 'users.csv' };
  await readJob.answer(end);
  clock.increment(60_000);
  expect([readJob.asked.length, ends]).toEqual([2, [{ type: 'job.ended', job: end, area: 'users', own: false }]]);
});

it('hands over its file as often as wished, and ends when it is put away', async () => {
  const { job, saveJobFile, now } = work({ kind: 'adopt', area: 'users', job: { ...queued, state: 'completed', file_name: 'users.csv' } });
  job.send({ type: 'job.download' });
  await saveJobFile.refuse({ code: 'offline' });
  expect(now().context.problem?.code).toBe('offline');
  job.send({ type: 'job.download' });
  await saveJobFile.answer(undefined);
  expect(saveJobFile.asked).toEqual([1, 2].map(() => ({ id: queued.id, fileName: 'users.csv' })));
  job.send({ type: 'job.close' });
  expect([now().status, now().output?.job?.state]).toEqual(['done', 'completed']);
});

it('without a file offers none', () => {
  const { now } = work({ kind: 'adopt', area: 'groups', job: { ...queued, kind: 'generate_groups', state: 'completed' } });
  expect(now().can({ type: 'job.download' })).toBe(false);
});

it('bears a few unanswered questions, then stops asking and offers to go on', async () => {
  const { job, startJob, readJob, clock, now } = work();
  await startJob.answer(queued);
  for (let round = 1; round <= 3; round += 1) {
    clock.increment(1_000);
    await readJob.refuse({ code: 'offline' });
    expect(now().hasTag('running')).toBe(true);
  }
  clock.increment(1_000);
  await readJob.refuse({ code: 'offline' });
  expect([now().value, now().context.problem?.code]).toEqual(['interrupted', 'offline']);
  job.send({ type: 'job.retry' });
  clock.increment(1_000);
  await readJob.answer({ ...queued, state: 'running' });
  expect([now().hasTag('running'), startJob.asked.length]).toEqual([true, 1]);
});

it('that was not started may be started again', async () => {
  const { job, startJob, now } = work();
  await startJob.refuse({ code: 'forbidden' });
  expect([now().value, now().context.problem?.code]).toEqual(['interrupted', 'forbidden']);
  job.send({ type: 'job.retry' });
  expect(startJob.asked).toHaveLength(2);
});

it('that is cancelled says what became of it', async () => {
  const { job, startJob, cancelJob, readJob, ends, now } = work();
  await startJob.answer(queued);
  job.send({ type: 'job.cancel' });
  await cancelJob.answer(undefined);
  await readJob.answer({ ...queued, state: 'cancelled', done: 40 });
  expect([now().hasTag('cancelled'), ends.map(({ job: { state } }) => state)]).toEqual([true, ['cancelled']]);
});
