import type { CallRequest } from '#machines/form/form.machine.ts';
import { type Call, takesForm } from '#models/define-call.ts';
import type { Http } from './http.ts';
import { fileNameOf, type SaveFile, saveInBrowser } from './save-file.ts';

/** A path of the contract with its `{parameters}` filled in. */
export const fillPath = (path: string, params: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));

function formOf({ body, files }: CallRequest): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, unknown>)) form.append(name, String(value));
  for (const [name, file] of Object.entries(files ?? {})) if (file instanceof Blob) form.append(name, file);
  return form;
}

/** Opens the port that makes any call of the contract; `load` fetches the contract when the first call is made. A file that is answered is handed to the person. */
export function openCalls(http: Http, load: () => Promise<{ calls: Readonly<Record<string, Call>> }>, saveFile: SaveFile = saveInBrowser) {
  return async (request: CallRequest): Promise<unknown> => {
    const call = (await load()).calls[request.call];
    if (!call) throw new Error(`the contract has no call ${request.call}`);
    const query = request.query && { query: { ...request.query } };
    if (call.download) {
      const response = await http.send({ method: call.method, path: fillPath(call.path, request.params), ...query, timeout: false });
      saveFile(await response.blob(), fileNameOf(response.headers.get('Content-Disposition')) ?? 'file');
      return null;
    }
    const content = takesForm(call) ? { form: formOf(request) } : request.body === undefined ? {} : { body: request.body };
    const answer = await http.data<unknown>({
      method: call.method,
      path: fillPath(call.path, request.params),
      ...content,
      ...query,
      ...(call.access === 'anyone' && { anonymous: true }),
      ...(call.timeout !== undefined && { timeout: call.timeout }),
      ...(call.reads && { purpose: 'read' as const }),
    });
    return call.ceremony ? (await import('./ceremonies.ts')).performCeremony(call.ceremony, answer) : answer;
  };
}
