import { type AreaName, areaOf } from '#models/areas.ts';
import type { JobRequest } from '#machines/job-request.ts';
import { problemOf } from '#machines/port.ts';
import { isOver, type Job } from '#models/job.ts';
import { type Http, refuse } from './http.ts';
import type { FollowedJob, JobMemory } from './job-memory.ts';
import { fileNameOf, type SaveFile, saveInBrowser } from './save-file.ts';

/** What long work asks of the server; `memory` keeps what is not over. */
export function openJobs(http: Http, memory: Omit<JobMemory, 'recall'>, saveFile: SaveFile = saveInBrowser) {
  const followed = (area: AreaName, job: Job): Job => {
    if (isOver(job)) memory.forget(job.id);
    else memory.store({ id: job.id, area });
    return job;
  };
  const started = async (path: string, body: unknown, area: AreaName): Promise<Job> =>
    followed(area, await http.data<Job>({ method: 'POST', path, body }));
  return {
    startJob(request: JobRequest): Promise<Job> {
      switch (request.kind) {
        case 'export': {
          const { kind: _kind, area, format, ...asked } = request;
          return started(`/${areaOf(area).path}/export`, { export_format: format, ...asked }, area);
        }
        case 'generate_groups':
          return started(`/groups/${request.groupId}/generated`, { groups: request.groups }, request.area);
        case 'adopt':
          return Promise.resolve(request.job);
        default:
          return refuse(request satisfies never);
      }
    },
    async readJob({ id, area }: FollowedJob): Promise<Job> {
      try {
        return followed(area, await http.data<Job>({ method: 'GET', path: `/jobs/${id}` }));
      } catch (error) {
        if (problemOf(error).code === 'not_found') memory.forget(id);
        throw error;
      }
    },
    async cancelJob({ id }: { id: string }): Promise<void> {
      await http.send({ method: 'DELETE', path: `/jobs/${id}` });
    },
    async saveJobFile({ id, fileName }: { id: string; fileName: string | null }): Promise<void> {
      const response = await http.send({ method: 'GET', path: `/jobs/${id}/file`, timeout: false });
      saveFile(await response.blob(), fileName ?? fileNameOf(response.headers.get('Content-Disposition')) ?? 'export');
    },
  };
}
