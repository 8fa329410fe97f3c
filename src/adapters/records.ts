import type { DraftSource, SourcedDraft } from '#machines/editor/draft.ts';
import type { Row } from '#machines/rows.ts';
import type { SaveRequest } from '#machines/editor/editor.machine.ts';
import type { AuditVersion } from '#models/audit-calls.ts';
import { type AreaName, areaOf } from '#models/areas.ts';
import { modelOf } from '#models/registry.ts';
import type { Http } from './http.ts';

/** What an editor asks of the server about one row of any area. */
export function openRecords(http: Http) {
  const pathOf = (area: AreaName, id: string): string => `/${areaOf(area).path}/${encodeURIComponent(id)}`;
  /** Rows with a file go as a form: the fields as JSON, the file beside them. */
  const sendForm = async ({ area, id, version, body, key }: SaveRequest, formFile: string): Promise<string> => {
    const { [formFile]: file, ...fields } = body as Record<string, unknown>;
    const form = new FormData();
    form.append('data', JSON.stringify(file === null ? { ...fields, [formFile]: null } : fields));
    if (typeof file === 'string') form.append(formFile, new Blob([file]), formFile);
    if (id === null) return http.data<string>({ method: 'POST', path: `/${areaOf(area).path}`, form, key });
    await http.send({ method: 'POST', path: pathOf(area, id), form, ...(version !== null && { version }) });
    return id;
  };
  const loadRow = ({ area, id }: { area: AreaName; id: string }): Promise<Row> => http.data<Row>({ method: 'GET', path: pathOf(area, id) });
  return {
    loadRow,
    async loadSource({ area, source: { kind, id } }: { area: AreaName; source: DraftSource }): Promise<SourcedDraft> {
      if (kind === 'copy') return { fields: await loadRow({ area, id }) };
      const { fields, at, user, lost } = await http.data<AuditVersion>({ method: 'GET', path: `/audit-events/${encodeURIComponent(id)}/version` });
      return { fields, version: { at, by: user?.name ?? null, lost } };
    },
    async saveRow({ area, id, version, body, key }: SaveRequest): Promise<{ id: string }> {
      const { formFile } = modelOf(area);
      if (formFile !== undefined) return { id: await sendForm({ area, id, version, body, key }, formFile) };
      if (id === null) return { id: await http.data<string>({ method: 'PUT', path: `/${areaOf(area).path}`, body, key }) };
      await http.send({ method: 'PATCH', path: pathOf(area, id), body, ...(version !== null && { version }) });
      return { id };
    },
    async deleteRow({ area, id, version }: { area: AreaName; id: string; version: number | null }): Promise<void> {
      await http.send({ method: 'DELETE', path: pathOf(area, id), ...(version !== null && { version }) });
    },
  };
}
