import { getTableName, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AnyModel, describe as peel } from '#models/define-model.ts';
import { areaNames, type AreaName } from '#models/areas.ts';
import { modelOf } from '#models/index.ts';
import { areaRules } from '#models/area-rules.ts';
import { readQuery } from '#models/query.ts';
import { projectScope } from '#server/access/scope.ts';
import { type AreaRepository, isWritable } from '#server/crud/repository.ts';
import { databaseHttpError } from '#server/db/constraint-errors.ts';
import * as schema from '#server/db/schema/index.ts';
import { schemaAt } from '#src/components/fields/field-meta.ts';
import { resources } from '#src/resources/index.ts';
import type { AnyResource } from '#src/views/area/resource.ts';
import { menu } from '#src/views/shell/menu.ts';
import { fileNames, wordless } from './texts.ts';

/** The areas that a field names: itself, or in the lines of a list. */
function refsIn(field: z.ZodType | undefined): AreaName[] {
  if (!field) return [];
  const { ref, inner } = peel(field);
  if (ref) return [ref as AreaName];
  if (inner instanceof z.ZodArray) return refsIn(inner.element as z.ZodType);
  return inner instanceof z.ZodObject ? Object.values(inner.shape as z.ZodRawShape).flatMap((part) => refsIn(part as z.ZodType)) : [];
}
/** A field of a model, blocks and lists entered, rows of other areas not. */
interface Found {
  path: string;
  words: readonly string[];
}
const isRowOfAnother = (block: z.ZodObject): boolean => 'id' in block.shape && 'name' in block.shape;

function walk(path: string, field: z.ZodType): Found[] {
  const { kind, inner } = peel(field);
  if (inner instanceof z.ZodEnum) return [{ path, words: kind === 'permissions' ? [] : inner.options.map(String) }];
  if (kind === 'permissions' || kind === 'refs') return [{ path, words: [] }];
  if (inner instanceof z.ZodArray) return walk(path, inner.element as z.ZodType);
  if (!(inner instanceof z.ZodObject) || isRowOfAnother(inner)) return [{ path, words: [] }];
  return [
    { path, words: [] },
    ...Object.entries(inner.shape as z.ZodRawShape).flatMap(([key, part]) => walk(path ? `${path}.${key}` : key, part as z.ZodType)),
  ];
}
/** The first part of an area's path names its table; the logs of access and of elevators are parts of the devices' log. */
const tableOf = ({ name, path }: AnyModel): string | undefined =>
  name === 'access-control-events' || name === 'elevator-events' ? 'device_events' : path.split('/')[0]?.replaceAll('-', '_');

const fieldsOf = ({ fields, row }: AnyModel): Found[] =>
  [fields, row.shape as z.ZodRawShape].flatMap((shape) => Object.entries(shape).flatMap(([key, field]) => walk(key, field as z.ZodType)));

describe('the walk over a model', () => {
  it('enters blocks and lists, and stops at rows of other areas', () => {
    const paths = fieldsOf(modelOf('groups')).map(({ path }) => path);
    for (const path of [
      'name',
      'whitelabel',
      'whitelabel.logo',
      'device_status_notify.user',
      'licenseInfo.notifications.period',
      'licenseInfo.info.sip.license_count',
      'created_at',
    ])
      expect(paths).toContain(path);
    expect(paths.filter((path) => path.startsWith('users.') || path.startsWith('parent_id.'))).toEqual([]);
  });
});

describe.each(areaNames)('the area %s', (area: AreaName) => {
  const model = modelOf(area);

  it('can be added from the palette in words, where rows can be added at all', () => {
    const { create } = areaRules[area];
    if (model.readOnly || create.length === 0 || !resources.some((entry) => entry.area === area)) return;
    expect(wordless([`shell.palette.add.${area}`])).toEqual([]);
  });

  it('has rules of permission for every verb', () => expect(Object.keys(areaRules[area]).toSorted()).toEqual(['create', 'delete', 'edit', 'view']));
  it('has a table', () => {
    const tables = Object.values(schema).filter((table) => is(table, PgTable));
    expect(tables.map((table) => getTableName(table))).toContain(tableOf(model));
  });
  it('has files of words', () => expect([fileNames.en, fileNames.ru].map((names) => names.includes(`areas.${area}`))).toEqual([true, true]));
  it('has a name for every field', () => expect(wordless(fieldsOf(model).map(({ path }) => `areas.${area}.fields.${path}`))).toEqual([]));
  it('has words for every choice', () => {
    expect(wordless(fieldsOf(model).flatMap(({ path, words }) => words.map((word) => `areas.${area}.options.${path}.${word}`)))).toEqual([]);
  });
  it('has a name for every filter and sort', () => {
    expect(wordless([...Object.keys(model.filters), ...model.sorts].map((field) => `areas.${area}.fields.${field}`))).toEqual([]);
  });
  it('filters, sorts and searches by fields it shows', () => {
    const shown = Object.keys(model.row.shape);
    const asked = [
      ...Object.keys(model.filters),
      ...model.sorts,
      ...model.search,
      ...model.defaultSort.map((field) => field.replace(/^-/, '')),
      model.label,
    ];
    // `words` gathers what people look a row up by, over several fields.
    expect(asked.filter((field) => field !== 'words' && !shown.includes(field))).toEqual([]);
  });
  it('has the words every area has', () => {
    const plain = ['title', 'one', 'view', 'empty', 'empty_hint', 'count', ...(model.readOnly ? [] : ['add', 'edit'])];
    const removal = areaRules[area].delete.length > 0 ? ['delete', 'delete_question', 'delete_named'] : [];
    expect(wordless([...plain, ...removal].map((key) => `areas.${area}.${key}`))).toEqual([]);
  });
  it('searches by filters it has', () => expect(model.search.filter((field) => !Object.hasOwn(model.filters, field))).toEqual([]));
});

/** What every area's folder on the server says of its place in the database. */
const folders = import.meta.glob<Record<string, unknown>>('/server/modules/*/repository.ts');
const repositoryOf = async (area: AreaName): Promise<AreaRepository | undefined> => {
  const module = (await folders[`/server/modules/${area}/repository.ts`]?.()) ?? {};
  return (Object.values(module) as Partial<AreaRepository>[]).find((one): one is AreaRepository => one.area === area);
};

describe.each(areaNames)('the server’s side of %s', (area: AreaName) => {
  // The first to come reads most of the server, which takes long where others work too.
  beforeAll(async () => void (await repositoryOf(area)));
  const model = modelOf(area);
  const repository = async (): Promise<AreaRepository> => {
    const found = await repositoryOf(area);
    if (!found) throw new Error(`server/modules/${area}/repository.ts binds no ${area}`);
    return found;
  };

  it('is bound to the table of its name, and written only where people write', async () => {
    const found = await repository();
    expect(getTableName(found.table)).toBe(tableOf(model));
    expect(isWritable(found)).toBe(!model.readOnly);
    expect('written' in found).toBe(!model.readOnly);
  });
  it('shows every field of the row and no other', async () => {
    const { shown } = await repository();
    const project = '00000000-0000-4000-8000-000000000000';
    expect(Object.keys(shown(projectScope(project), null)).toSorted()).toEqual(Object.keys(model.row.shape).toSorted());
  });
  it('asks only for rows of other areas that may be seen, where a filter names them by id', async () => {
    // What an entry of the log was about may be of any area, and a device is asked for by its own id.
    const free = ['audit-events.entity_id', 'devices.id'];
    const { compared } = await repository();
    const refs = Object.entries(model.filters).flatMap(([field, kind]) => (kind === 'ref' || kind === 'refs' ? [field] : []));
    const unbound = refs.filter((field) => !['area', 'link', 'seen', 'columnFor'].some((key) => key in (compared[field] ?? {})));
    expect(unbound.map((field) => `${area}.${field}`).filter((field) => !free.includes(field))).toEqual([]);
  });
  it('says who uses a row that others name, before the database refuses to delete it', async () => {
    const { table, dependants } = await repository();
    const all = (await Promise.all(areaNames.map(repositoryOf))).filter((one) => one !== undefined);
    // Areas that share a table are named once.
    const listedTables = all.filter((one) => dependants.some((dependant) => dependant.area === one.area)).map((one) => one.table);
    const holds = (other: AreaRepository): boolean =>
      getTableConfig(other.table as PgTable).foreignKeys.some(
        (key) => key.onDelete !== 'cascade' && key.onDelete !== 'set null' && key.reference().foreignTable === table,
      );
    const forgotten = all.filter((other) => holds(other) && !listedTables.includes(other.table)).map((other) => other.area);
    expect(forgotten).toEqual([]);
  });
  it('names the field to change where a value has to be the only one', async () => {
    // An alarm is raised once: nobody writes what that goes by.
    const free = ['device_alarms_open'];
    const { table } = await repository();
    const unique = getTableConfig(table as PgTable).indexes.flatMap(({ config }) => (config.unique ? [config.name ?? ''] : []));
    const named = (constraint: string) => {
      const { data } = databaseHttpError(Object.assign(new Error('duplicate key'), { code: '23505', constraint })) ?? {};
      return (data as { issues: { path: string[] }[] }).issues.every(({ path }) => path.length > 0);
    };
    expect(unique.filter((index) => !named(index) && !free.includes(index))).toEqual([]);
  });
});

describe('the resources', () => {
  it('are one for each area', () => {
    const areas = resources.map(({ area }) => area);
    expect(areaNames.filter((area) => !areas.includes(area))).toEqual([]);
    expect(new Set(areas).size).toBe(areas.length);
  });
  it('lie below a path of their own', () => {
    const paths = resources.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe.each(resources)('the resource of $area', ({ area, editor, load, menu: entry }) => {
  const loading = load().then((module): AnyResource => module.default);
  loading.catch(() => undefined);

  it('is the one that was announced', async () => {
    const resource = await loading;
    expect([resource.area, resource.editor]).toEqual([area, editor]);
  });
  it('has its entry in the menu, in words, where it has one', () => {
    const entries = menu.flatMap(({ items }) => items.map(({ key }) => key));
    expect(entry === null || entries.includes(entry)).toBe(true);
    expect(entry === null ? [] : wordless([`interface.menu.${entry}`])).toEqual([]);
  });
  it('shows columns, filters and facts that the model has', async () => {
    const { columns, filters, facts, model } = await loading;
    const shown = Object.keys(model.row.shape);
    expect([...columns.map(({ key }) => key), ...facts].filter((key) => !shown.includes(key))).toEqual([]);
    expect(columns.map(({ sort }) => sort).filter((sort) => sort && !model.sorts.includes(sort))).toEqual([]);
    expect(filters.filter((key) => !Object.hasOwn(model.filters, key))).toEqual([]);
  });
  it('asks in its form for fields that the model writes, each once', async () => {
    const { form, model } = await loading;
    const writable = Object.entries(model.fields).flatMap(([key, field]) => walk(key, field as z.ZodType).map(({ path }) => path));
    const asked = form.flatMap(({ fields }) => fields.map(({ key }) => key));
    expect(asked.filter((key) => !writable.includes(key))).toEqual([]);
    expect(new Set(asked).size).toBe(asked.length);
  });
  it('has a place in its form for every field that people write, and a value that it starts with', async () => {
    const { form, model } = await loading;
    // The browser's own zone, which nobody types.
    const written = model.readOnly ? [] : Object.keys(model.fields).filter((key) => key !== 'user_offset');
    const asked = form.flatMap(({ fields }) => fields.map(({ key }) => key.split('.')[0]));
    expect(written.filter((key) => !asked.includes(key))).toEqual([]);
    expect(written.filter((key) => !Object.hasOwn(model.initial, key))).toEqual([]);
  });
  it('narrows what may be chosen by filters that the other area has', async () => {
    const { form, model } = await loading;
    for (const { key, only } of form.flatMap(({ fields }) => fields))
      for (const ref of only ? refsIn(schemaAt(model, key)) : [])
        expect(() => readQuery({ filters: JSON.stringify({ items: only }) }, modelOf(ref)), key).not.toThrow();
  });
  it('has words for its sections, actions and views', async () => {
    const { form, actions, slots } = await loading;
    const keys = [
      ...form.map(({ section }) => `sections.${section}`),
      ...actions.map(({ key }) => `actions.${key}`),
      ...(slots.list ? [`views.${slots.list.key}`] : []),
    ];
    expect(wordless(keys.map((key) => `areas.${area}.${key}`))).toEqual([]);
  });
});
