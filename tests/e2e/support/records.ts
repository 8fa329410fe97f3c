import { blankDraft } from '#machines/editor/draft.ts';
import type { AreaName } from '#models/areas.ts';
import { modelOf } from '#models/index.ts';
import { api, type RunningServer } from './server.ts';

type Desk = { server: Pick<RunningServer, 'url'>; token: string };

/** A row as the API answers it. */
export interface StoredRow extends Record<string, unknown> {
  id: string;
  name: string;
  version: number;
}

/** Stores a record by the API: an empty form but for these fields, as they go over the wire. Its id, or with which status it was refused. */
export async function tryToMake({ server, token }: Desk, area: AreaName, values: Record<string, unknown>): Promise<{ status: number; id: string }> {
  const body = { ...modelOf(area).toWire({ ...blankDraft(area, {}) }), ...values };
  const answer = await api<{ data: string }>(server, 'PUT', `/${area}`, { token, body });
  return { status: answer.status, id: answer.body.data };
}

/** Stores a record by the API. @throws when it is refused. */
export async function make(desk: Desk, area: AreaName, values: Record<string, unknown>): Promise<string> {
  const { status, id } = await tryToMake(desk, area, values);
  if (status !== 200) throw new Error(`${area}: ${status} for ${JSON.stringify(values)}`);
  return id;
}

/** One stored record. */
export async function read<T extends StoredRow>({ server, token }: Desk, area: AreaName, id: string): Promise<T> {
  return (await api<{ data: T }>(server, 'GET', `/${area}/${id}`, { token })).body.data;
}

/** Changes fields of a stored record, as somebody else at another desk. */
export async function change({ server, token }: Desk, area: AreaName, id: string, values: Record<string, unknown>): Promise<void> {
  const { status } = await api(server, 'PATCH', `/${area}/${id}`, { token, body: values });
  if (status !== 200) throw new Error(`${area}/${id}: ${status}`);
}

/** All stored records whose name is this. */
export async function named<T extends StoredRow>({ server, token }: Desk, area: AreaName, name: string): Promise<T[]> {
  const filters = JSON.stringify({ match: 'match_all', items: [{ field: 'name', rule: 'equals', value: name }] });
  return (await api<{ data: T[] }>(server, 'GET', `/${area}?filters=${encodeURIComponent(filters)}`, { token })).body.data;
}
