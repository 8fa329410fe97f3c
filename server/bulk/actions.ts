import { bulkValues, takesValue } from '#models/bulk.ts';
import type { AreaName } from '#models/areas.ts';
import { HttpError } from '../http-error.ts';
import type { Principal, Services } from '../context.ts';
import type { AreaRepository, Row, WritableRepository } from '../crud/repository.ts';
import { deleteRow } from '../crud/remove.ts';
import { isSame } from '../crud/same.ts';
import { holdRow, updateRow } from '../crud/write.ts';
import type { BulkRequest } from '../db/schema/house-keeping.ts';
import { activateNumber } from '../modules/sip-numbers/activation.ts';
import { sendLink } from '../modules/users/link.ts';

type Fields = Record<string, unknown>;
/** What became of one row: the field before and after where it can be taken back, or nothing where there was nothing to do. */
export type Done = { state: 'done'; was: Fields | null; becomes: Fields | null } | { state: 'same' };
/** One row of bulk work that takes another back: what it was, and what it became then. */
export interface Undone {
  was: Fields;
  becomes: Fields;
}

/** What bulk work is done with. */
export interface Bench {
  services: Services;
  repositories: Readonly<Record<AreaName, AreaRepository>>;
  repository: WritableRepository;
  principal: Principal;
  request: BulkRequest;
}

const same: Done = { state: 'same' };
const done = (was: Fields | null = null, becomes: Fields | null = null): Done => ({ state: 'done', was, becomes });
const wireOf = ({ model }: AreaRepository, row: Row): Fields => model.toWire(model.fromRow(row));

/** The value of the field afterwards. */
function next({ action, value }: BulkRequest, now: unknown): unknown {
  if (action === 'role') return value[0];
  const held = now as string[];
  return action.endsWith('_add') ? [...new Set([...held, ...value])] : held.filter((id) => !value.includes(id));
}

async function changeField(bench: Bench, field: string, id: string): Promise<Done> {
  const { services, repository, principal, request } = bench;
  // Held by whoever sees it: the change itself asks whether they may, and tells the trail where they may not.
  const was = wireOf(repository, await holdRow(services.db, repository, principal, 'view', id))[field];
  const becomes = next(request, was);
  if (isSame(was, becomes)) return same;
  // The model's own rules of a single field hold as they do for a change of one row: people without a group are none.
  const read = repository.model.patch.safeParse({ [field]: becomes });
  if (!read.success)
    throw new HttpError('invalid_data', { issues: [{ path: [field], rule: read.error.issues[0]?.message ?? 'invalid', params: {} }] });
  await updateRow(services, repository, principal, id, { [field]: becomes }, null);
  return done({ [field]: was }, { [field]: becomes });
}

async function activate({ services, repository, principal, request }: Bench, id: string): Promise<Done> {
  const becomes = request.action === 'activate';
  const was = (await holdRow(services.db, repository, principal, 'view', id))['is_active'];
  if (was === becomes) return same;
  await activateNumber(services, principal, id, becomes);
  return done({ is_active: was }, { is_active: becomes });
}

/** Does to one row what the bulk work is about, as somebody would who does it to this row alone. */
export async function act(bench: Bench, id: string): Promise<Done> {
  const { services, repositories, repository, principal, request } = bench;
  const { action } = request;
  if (takesValue(action)) return changeField(bench, bulkValues[action].field, id);
  switch (action) {
    case 'activate':
    case 'deactivate':
      return activate(bench, id);
    case 'registration_link':
      await sendLink(services, principal, id);
      return done();
    case 'delete':
      await deleteRow(services, repositories, repository, principal, id);
      return done();
    default:
      return action satisfies never;
  }
}

/** Gives one row back what it was. @throws HttpError `conflict` where somebody has changed it since */
export async function takeBack({ services, repository, principal }: Bench, id: string, { was, becomes }: Undone): Promise<Done> {
  const [field = ''] = Object.keys(was);
  const isNumber = field === 'is_active';
  const row = await holdRow(services.db, repository, principal, 'view', id);
  const now = isNumber ? row[field] : wireOf(repository, row)[field];
  if (isSame(now, was[field])) return same;
  if (!isSame(now, becomes[field])) throw new HttpError('conflict');
  if (isNumber) await activateNumber(services, principal, id, was[field] === true);
  else await updateRow(services, repository, principal, id, was, null);
  return done({ [field]: now }, was);
}
