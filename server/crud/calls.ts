import { z } from 'zod';
import { calls } from '#models/api.ts';
import type { Access } from '#models/define-call.ts';
import type { AnyModel } from '#models/define-model.ts';
import { emptyQuery, maxPageSize, rulesByKind } from '#models/query.ts';
import type { ServedCall } from '../serve.ts';

const none = z.strictObject({});
const nothing = z.undefined();
const byId = z.strictObject({ id: z.uuid() });
/** What a list may be asked, with the names this area has: the grammar is read by `readQuery`. */
const listQueryOf = ({ sorts, filters, relations }: AnyModel) =>
  z
    .strictObject({
      page: z.string().describe('From 1; 1 when absent.'),
      size: z.string().describe(`Rows per page, 1 to ${maxPageSize}; ${emptyQuery.size} when absent.`),
      sort: z.string().describe(`Field names separated by commas, with a leading - for descending order. Fields: ${sorts.join(', ')}.`),
      filters: z.string().describe(
        `JSON: {"match": "match_all" or "match_any", "items": [{"field", "rule", "value"}]}. Fields: ${Object.entries(filters)
          .map(([field, kind]) => `${field} (${kind})`)
          .join(', ')}. Rules: ${Object.entries(rulesByKind)
          .map(([kind, rules]) => `${kind}: ${rules.join(', ')}`)
          .join('; ')}.`,
      ),
      with: z
        .string()
        .describe(relations.length > 0 ? `Relations to read along, with commas between: ${relations.join(', ')}.` : 'This area has no relations.'),
    })
    .partial();
/** An item comes with all its relations; naming them is no mistake, naming others is. */
const itemQuery = z.strictObject({ with: z.string() }).partial();

/** An area that belongs to a licensed feature is shut without it, in every call. */
const featureOf = ({ feature }: AnyModel) => (feature ? { feature } : {});

/** Who sees rows exports them, where no permission of its own is asked for. */
const exportAccess = ({ name: area, exportCode }: AnyModel): Access => (exportCode ? { codes: [exportCode], about: area } : { area, verb: 'view' });

/** How rows of an area are read: what the calls take, what they answer, and who may make them. */
function readingCalls(model: AnyModel) {
  const { name: area, path } = model;
  const access = { area, verb: 'view' } as const;
  const feature = featureOf(model);
  const list = { ...feature, method: 'GET', path: `/${path}`, access, summary: `List ${area}`, params: none, body: nothing } as const;
  const item = {
    ...feature,
    method: 'GET',
    path: `/${path}/{id}`,
    access,
    summary: `One of ${area}, with its relations`,
    params: byId,
    body: nothing,
  } as const;
  return {
    list: { ...list, answer: z.array(model.row), query: listQueryOf(model) },
    item: { ...item, answer: model.row, query: itemQuery },
    dependants: { ...calls.dependants, ...feature, path: `/${path}/{id}/dependants`, access, params: byId },
    lastChange: { ...calls.lastChange, ...feature, path: `/${path}/{id}/last-change`, access, params: byId },
    exportRows: { ...calls.exportRows, ...feature, path: `/${path}/export`, access: exportAccess(model), params: none },
  } as const satisfies Record<string, ServedCall>;
}

/** How rows of an area are made, changed and deleted. */
function writingCalls(model: AnyModel) {
  const { name: area, path } = model;
  const row = `/${path}/{id}`;
  const feature = featureOf(model);
  const create = {
    ...feature,
    method: 'PUT',
    path: `/${path}`,
    access: { area, verb: 'create' },
    summary: `Create one of ${area}; returns its id`,
  } as const;
  const update = {
    ...feature,
    method: 'PATCH',
    path: row,
    access: { area, verb: 'edit' },
    summary: `Change fields of one of ${area}; requires If-Match`,
  } as const;
  const access = { area, verb: 'delete' } as const;
  return {
    create: { ...create, params: none, body: model.create, answer: z.uuid() },
    update: { ...update, params: byId, body: model.patch, answer: model.row },
    remove: { ...feature, method: 'DELETE', path: row, access, summary: `Delete one of ${area}`, params: byId, body: nothing, answer: z.null() },
    checkBulk: { ...calls.checkBulk, ...feature, path: `/${path}/bulk/check`, access: { area, verb: 'view' }, params: none },
    startBulk: { ...calls.startBulk, ...feature, path: `/${path}/bulk`, access: { area, verb: 'view' }, params: none },
    bulkDelete: { ...calls.bulkDelete, ...feature, path: `/${path}/delete`, access, params: none },
  } as const satisfies Record<string, ServedCall>;
}

/** How rows of an area are read from a file; its model names the permission. */
export function importCalls({ path, importCode, name: about }: AnyModel) {
  if (!importCode) throw new Error(`the model of ${about} names nobody who may import`);
  const access: Access = { codes: [importCode], about };
  const of = { access, params: none } as const;
  return {
    attempt: { ...calls.attemptImport, ...of, path: `/${path}/import` },
    check: { ...calls.checkImport, ...of, path: `/${path}/import/check` },
    continue: { ...calls.continueImport, ...of, path: `/${path}/import/continue` },
  } as const satisfies Record<string, ServedCall>;
}

/** The plain calls of an area, made from its model. */
export const areaCalls = (model: AnyModel) => ({ ...readingCalls(model), ...writingCalls(model) });
