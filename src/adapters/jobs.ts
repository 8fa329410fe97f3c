import type { JobRequest } from '#machines/job.machine.ts';
import { modelOf } from '#models/index.ts';
import type { Job } from '#models/job.ts';
import { type Http, refuse } from './http.ts';

/** Hands a file to the person under its name. */
export type SaveFile = (content: Blob, name: string) => void;

/** Lets the browser keep a file, as if a link to it had been followed. */
const saveInBrowser: SaveFile = (content, name) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser reads the content a moment after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

/** The file's name as the answer says it (RFC 6266, with RFC 5987's extended form first). */
export function fileNameOf(disposition: string | null): string | null {
  const extended = /filename\*=(?:UTF-8'')([^;]+)/i.exec(disposition ?? '')?.[1];
  if (extended) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // Fall back to the plain form.
    }
  }
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1] ?? null;
}

/** What long work asks of the server. */
export function openJobs(http: Http, saveFile: SaveFile = saveInBrowser) {
  const started = (path: string, body: unknown): Promise<Job> => http.data<Job>({ method: 'POST', path, body });
  return {
    startJob(request: JobRequest): Promise<Job> {
      switch (request.kind) {
        case 'export': {
          const { area, format, filters, sort, columns } = request;
          return started(`/${modelOf(area).path}/export`, { export_format: format, filters, sort, ...(columns && { columns }) });
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
