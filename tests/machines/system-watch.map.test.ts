import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { systemWatchMachine } from '#machines/system-watch.machine.ts';
import type { SystemInfo } from '#models/system-info.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const info: SystemInfo = {
  version: '1.0.0',
  migration: '0001_first',
  node: 'v20',
  platform: 'linux x64',
  started_at: '2026-11-23T10:00:00.000Z',
  database: { kind: 'embedded', version: '17', bytes: 1, connections: 1 },
  disk: { free: 1, total: 2 },
  services: [],
  work: { jobs_running: 0, jobs_queued: 0, tasks_waiting: 0, mails_waiting: 0, calls: 0 },
  devices: { online: 0, total: 0 },
  is_operator: true,
  history: [],
  logs: [],
};
const samples = {
  'watch.filter': { type: 'watch.filter', level: 'warn', search: 'refused' },
  'watch.hold': { type: 'watch.hold' },
  'watch.follow': { type: 'watch.follow' },
  'watch.refresh': { type: 'watch.refresh' },
} satisfies Samples<EventFromLogic<typeof systemWatchMachine>>;

describe('a look at the system', () => {
  mapTests(systemWatchMachine, { inputs: [undefined], samples, answers: { readSystem: [info] } });
});
