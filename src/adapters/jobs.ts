import { areaOf } from '#models/areas.ts';
import type { JobRequest } from '#machines/job.machine.ts';
import type { Job } from '#models/job.ts';
import { type Http, refuse } from './http.ts';
import { fileNameOf, type SaveFile, saveInBrowser } from './save-file.ts';

/** What long work asks of the server. */
export function openJobs(http: Http, saveFile: SaveFile = saveInBrowser) {
  const started = (path: string, body: unknown): Promise<Job> => http.data<Job>({ method: 'POST', path, body });
  return {
    startJob(request: JobRequest): Promise<Job> {
      switch (request.kind) {
        case 'export': {
          const { area, format, filters, sort, columns } = request;
          return started(`/${areaOf(area).path}/export`, { export_format: format, filters, sort, ...(columns && { columns }) });
        }
        case 'generate_groups':
          return started(`/groups/${request.groupId}/generated`, { groups: request.groups });
        case 'adopt':
          return Promise.resolve(request.job);
        default:
          return refuse(request satisfies never);
      }
    },
    readJob: ({ id }: { id: string }): Promise<Job> => http.data<Job>({ method: 'GET', path: `/jobs/${id}` }),
    async cancelJob({ id }: { id: string }): Promise<void> {
      await http.send({ method: 'DELETE', path: `/jobs/${id}` });
    },
    async saveJobFile({ id, fileName }: { id: string; fileName: string | null }): Promise<void> {
      const response = await http.send({ method: 'GET', path: `/jobs/${id}/file`, timeout: false });
      saveFile(await response.blob(), fileName ?? fileNameOf(response.headers.get('Content-Disposition')) ?? 'export');
    },
  };
}
