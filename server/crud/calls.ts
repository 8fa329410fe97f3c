import { z } from 'zod';
import { calls } from '#models/api.ts';
import type { AnyModel } from '#models/define-model.ts';
import type { ServedCall } from '../serve.ts';

const none = z.strictObject({});
const nothing = z.undefined();
const byId = z.strictObject({ id: z.uuid() });
const listQuery = z.strictObject({ page: z.string(), size: z.string(), sort: z.string(), filters: z.string(), with: z.string() }).partial();

/** The plain calls of an area, made from its model: what they take, what they answer, and who may make them. */
export function areaCalls(model: AnyModel) {
  const { name: area, path } = model;
  const row = `/${path}/{id}`;
  return {
    list: {
      method: 'GET',
      path: `/${path}`,
      access: { area, verb: 'view' },
      summary: `List ${area}`,
      params: none,
      body: nothing,
      answer: z.array(model.row),
      query: listQuery,
    },
    item: {
      method: 'GET',
      path: row,
      access: { area, verb: 'view' },
      summary: `One of ${area}, with its relations`,
      params: byId,
      body: nothing,
      answer: model.row,
    },
    create: {
      method: 'PUT',
      path: `/${path}`,
      access: { area, verb: 'create' },
      summary: `Create one of ${area}; answers its id`,
      params: none,
      body: model.write,
      answer: z.uuid(),
    },
    update: {
      method: 'PATCH',
      path: row,
      access: { area, verb: 'edit' },
      summary: `Change fields of one of ${area}; If-Match makes a lost update impossible`,
      params: byId,
      body: model.patch,
      answer: model.row,
    },
    remove: {
      method: 'DELETE',
      path: row,
      access: { area, verb: 'delete' },
      summary: `Delete one of ${area}`,
      params: byId,
      body: nothing,
      answer: z.null(),
    },
    bulkDelete: { ...calls.bulkDelete, path: `/${path}/delete`, access: { area, verb: 'delete' }, params: none },
    dependants: { ...calls.dependants, path: `${row}/dependants`, access: { area, verb: 'view' }, params: byId },
    exportRows: { ...calls.exportRows, path: `/${path}/export`, access: { area, verb: 'view' }, params: none },
  } as const satisfies Record<string, ServedCall>;
}
