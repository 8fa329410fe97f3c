import { byId, call } from './define-call.ts';
import { job } from './job.ts';

/** Long work as whoever asked for it follows it. */
export const jobCalls = {
  job: call({ method: 'GET', path: '/jobs/{id}', access: 'signedIn', summary: 'Progress of a background job', params: byId, answer: job }),
  cancelJob: call({ method: 'DELETE', path: '/jobs/{id}', access: 'signedIn', urgent: true, summary: 'Cancel a background job', params: byId }),
  jobFile: call({
    method: 'GET',
    path: '/jobs/{id}/file',
    access: 'signedIn',
    summary: 'The file created by a background job',
    params: byId,
    download: true,
  }),
} as const;
