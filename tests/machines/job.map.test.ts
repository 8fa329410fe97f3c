import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { isOwn, type JobRequest } from '#machines/job-request.ts';
import { jobMachine } from '#machines/job.machine.ts';
import type { Job } from '#models/job.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { uuid } from '#tests/support/people.ts';

const running: Job = {
  id: uuid(9),
  kind: 'export',
  state: 'running',
  done: 10,
  total: 100,
  file_name: null,
  failures: [],
  problem: null,
  created_at: '2026-01-01T00:00:00Z',
};
const ended = (state: Job['state'], file_name: string | null = null): Job => ({ ...running, state, done: 100, file_name });

const samples = {
  'job.cancel': { type: 'job.cancel' },
  'job.retry': { type: 'job.retry' },
  'job.download': { type: 'job.download' },
  'job.close': { type: 'job.close' },
  'job.changed': { type: 'job.changed' },
  'job.unheard': { type: 'job.unheard' },
} satisfies Samples<EventFromLogic<typeof jobMachine>>;

describe('a job', () => {
  mapTests(jobMachine, {
    inputs: [
      { request: { kind: 'export', area: 'users', format: 'csv', filters: { match: 'match_all', items: [] }, sort: [] } },
      { request: { kind: 'adopt', area: 'users', job: running } },
      { request: { kind: 'adopt', area: 'users', job: running, own: true } },
      { request: { kind: 'adopt', area: 'users', job: ended('failed') } },
    ],
    samples,
    answers: {
      startJob: [running],
      readJob: [running, ended('completed', 'users.csv'), ended('completed'), ended('failed'), ended('cancelled')],
      cancelJob: [undefined],
      saveJobFile: [undefined],
    },
    words: ({ context }) => {
      const { job, failures, request } = context as { job: Job | null; failures: number; request: JobRequest };
      return [isOwn(request) ? '[own]' : '', failures > 0 ? `[${failures} failed]` : '', job?.file_name ? '[with file]' : '']
        .filter(Boolean)
        .join(' ');
    },
  });
});
