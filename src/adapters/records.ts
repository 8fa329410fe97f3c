import type { Row } from '#machines/rows.ts';
import type { SaveRequest } from '#machines/editor/editor.machine.ts';
import { type AreaName, modelOf } from '#models/index.ts';
import type { Http } from './http.ts';

/** What an editor asks of the server about one row of any area. */
export function openRecords(http: Http) {
  const pathOf = (area: AreaName, id: string): string => `/${modelOf(area).path}/${encodeURIComponent(id)}`;
  return {
    loadRow: ({ area, id }: { area: AreaName; id: string }): Promise<Row> => http.data<Row>({ method: 'GET', path: pathOf(area, id) }),
    async saveRow({ area, id, version, body, key }: SaveRequest): Promise<{ id: string }> {
      if (id === null) return { id: await http.data<string>({ method: 'PUT', path: `/${modelOf(area).path}`, body, key }) };
      await http.send({ method: 'PATCH', path: pathOf(area, id), body, ...(version !== null && { version }) });
      return { id };
    },
    async deleteRow({ area, id, version }: { area: AreaName; id: string; version: number | null }): Promise<void> {
      await http.send({ method: 'DELETE', path: pathOf(area, id), ...(version !== null && { version }) });
    },
  };
}
