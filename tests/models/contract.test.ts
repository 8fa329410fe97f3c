import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { calls } from '#models/api.ts';
import { type AreaName, areaNames, areaOf } from '#models/areas.ts';
import { areaRules, type Rule } from '#models/area-rules.ts';
import type { Call } from '#models/define-call.ts';
import { catalogueMessage, statusOf, wireCodes } from '#models/problem.ts';
import { settingBlocks } from '#models/project-settings.ts';
import { realtimeEvents } from '#models/realtime.ts';
import { modelOf } from '#models/registry.ts';

// What the contract takes, a line a field, in files beside this test: a change of a name, a limit, a choice or a permission is read there before it is made.

type Json = Readonly<Record<string, unknown>>;

const inside = ['properties', 'required', 'items', 'anyOf', 'oneOf', 'additionalProperties', 'title', 'description', 'type', '$schema'];
/** What every whole number has as its bounds, and the expression behind a format, are not worth a word. */
const isSaid = (schema: Json, [name, value]: [string, unknown]): boolean =>
  !inside.includes(name) && !(name === 'pattern' && 'format' in schema) && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER;

/** What is said of one value: what it is, and what bounds it. */
function boundsOf(schema: Json): string {
  const bounds = Object.entries(schema).filter((bound) => isSaid(schema, bound));
  const type = [(schema['type'] ?? '') as string | string[]].flat().join(' or ');
  return [type, ...bounds.map(([name, value]) => `${name} ${JSON.stringify(value)}`)].filter(Boolean).join(' ');
}

/** A schema as lines: each field by its path, `?` where it may be left out, `|` one of several shapes. */
function linesOf(schema: Json, path: string, isOptional = false): string[] {
  const shapes = (schema['anyOf'] ?? schema['oneOf'] ?? []) as Json[];
  const bounds = boundsOf(schema);
  const required = (schema['required'] ?? []) as string[];
  return [
    ...(shapes.length > 0 && bounds === '' ? [] : [`${path}${isOptional ? '?' : ''}: ${bounds}`]),
    ...Object.entries((schema['properties'] ?? {}) as Record<string, Json>).flatMap(([name, inner]) =>
      linesOf(inner, `${path}.${name}`, !required.includes(name)),
    ),
    ...(schema['items'] ? linesOf(schema['items'] as Json, `${path}[]`) : []),
    ...shapes.flatMap((inner) => linesOf(inner, `${path}|`, isOptional)),
  ];
}

const written = (schema: z.ZodType, name: string): string[] => {
  if (schema instanceof z.ZodUndefined) return [];
  return linesOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Json, name).filter(
    (line) => !line.includes('$schema'),
  );
};

/** What is answered, in one line. */
function shapeOf(schema: Json): string {
  const shapes = (schema['anyOf'] ?? schema['oneOf'] ?? []) as Json[];
  if (shapes.length > 0) return shapes.map(shapeOf).join(' | ');
  if (schema['items']) return `[${shapeOf(schema['items'] as Json)}]`;
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  return fields.length > 0 ? `{ ${fields.map(([name, inner]) => `${name}: ${shapeOf(inner)}`).join(', ')} }` : boundsOf(schema);
}
const answered = (schema: z.ZodType): string => shapeOf(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' }) as Json);

const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

function areaLines(area: AreaName): string[] {
  const model = modelOf(area);
  return [
    ...Object.entries(areaOf(area)).map(([name, value]) => `${name} ${JSON.stringify(value)}`),
    `feature ${model.feature ?? 'none'}; export by ${model.exportCode ?? 'whoever sees it'}; import by ${model.importCode ?? 'nobody'}`,
    ...Object.entries(model.filters).map(([name, kind]) => `filter ${name}: ${JSON.stringify(kind)}`),
    `sorted by ${model.sorts.join(', ')}`,
    ...Object.entries(model.codes).map(([name, code]) => `${name} for ${code}`),
    ...Object.entries(model.initial).map(([name, value]) => `initial ${name}: ${JSON.stringify(value)}`),
    ...written(model.write, 'write'),
    `row: ${answered(model.row)}`,
  ];
}

function callLines([name, one]: [string, Call]): string[] {
  const { method, path, access, params, body, query, summary, answer, ...rest } = one;
  const flags = Object.entries(rest).map(([flag, value]) => `${flag} ${JSON.stringify(value)}`);
  return [
    `${name}: ${method} ${path} for ${JSON.stringify(access)}${flags.length > 0 ? `; ${flags.join('; ')}` : ''}`,
    ...written(params, '  params').slice(1),
    ...(query ? written(query, '  query').slice(1) : []),
    ...written(body, '  body'),
    ...(answer instanceof z.ZodUndefined ? [] : [`  answer: ${answered(answer)}`]),
    `  ${summary}`,
  ];
}

const files = import.meta.glob<Json>('/models/**/*.ts', { eager: true });
/** What models export, by file and name. */
const exported = (): [string, unknown][] =>
  Object.entries(files).flatMap(([path, all]) =>
    Object.keys(all)
      .toSorted()
      .map((name): [string, unknown] => [`${path.slice('/models/'.length)} ${name}`, all[name]]),
  );
/** Nothing but text, numbers, truth values, and lists of them. */
const isPlain = (value: unknown): boolean =>
  value === null ||
  ['string', 'number', 'boolean', 'undefined'].includes(typeof value) ||
  (typeof value === 'object' && !('_zod' in value) && Object.values(value).every(isPlain));
/** A form, a draft or a model. */
const isNamed = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
/** What an export says: of plain data every entry of its own. */
function exportLines(name: string, value: unknown): string[] {
  if (value instanceof Map || value instanceof Set) return [`${name}: ${JSON.stringify([...value])}`];
  if (value === areaRules) return [];
  if (!isPlain(value)) return isNamed(value) ? [`${name} is ${value.name}`] : [];
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).map(([key, one]) => `${name}.${key}: ${JSON.stringify(one)}`)
    : [`${name}: ${JSON.stringify(value)}`];
}

describe('the contract', () => {
  it.each(areaNames)('of %s is the one that was agreed on', async (area) => {
    await expect(text(areaLines(area))).toMatchFileSnapshot(`contract/${area}.txt`);
  });

  it('of all other calls is the one that was agreed on', async () => {
    await expect(text(Object.entries(calls as unknown as Record<string, Call>).flatMap(callLines))).toMatchFileSnapshot('contract/calls.txt');
  });

  it('of what can go wrong is the one that was agreed on', async () => {
    await expect(text(wireCodes.map((code) => `${code}: ${statusOf(code)} ${catalogueMessage(code)}`))).toMatchFileSnapshot('contract/problems.txt');
  });

  it('of limits, choices and starting values is the one that was agreed on', async () => {
    const blocks = Object.entries(settingBlocks).map(
      ([block, { initial }]) => `settings of a project begin with ${block}: ${JSON.stringify(initial)}`,
    );
    const lines = [...exported().flatMap(([name, value]) => exportLines(name, value)), ...blocks];
    await expect(text(lines)).toMatchFileSnapshot('contract/values.txt');
  });

  it('of what is answered, and read apart, is the one that was agreed on', async () => {
    const lines = exported().flatMap(([name, value]) => (value instanceof z.ZodType ? [`${name}: ${answered(value)}`] : []));
    await expect(text(lines)).toMatchFileSnapshot('contract/shapes.txt');
  });

  it('of what the realtime channel says is the one that was agreed on', async () => {
    const lines = Object.entries(realtimeEvents).flatMap(([name, payload]) => written(payload, name));
    await expect(text(lines)).toMatchFileSnapshot('contract/events.txt');
  });

  it('of who may do what is the one that was agreed on', async () => {
    const rules = Object.entries(areaRules).flatMap(([area, verbs]) =>
      Object.entries(verbs).map(([verb, list]) => `${verb} ${area}: ${list.map((rule: Rule) => JSON.stringify(rule)).join(' or ')}`),
    );
    await expect(text(rules)).toMatchFileSnapshot('contract/rules.txt');
  });
});
