import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { toIssues } from '#models/issues.ts';
import { forBrowsers, localeError } from '#scripts/zod-for-browsers.ts';

const schemas = readFileSync('node_modules/zod/v4/classic/schemas.js', 'utf8');

it('the browser gets zod without the code that makes JSON schemas', () => {
  const left = forBrowsers(schemas);
  expect(left).not.toMatch(/processors\.\w+Processor|to-json-schema/);
  // What answers for the length of a text stays.
  expect(left).toContain('processors.aggregateChecks');
  expect(left).toContain('JSON schemas are made by the server alone');
});

it('the browser gets zod without its English sentences, and finds the same issues', () => {
  expect(forBrowsers(schemas)).not.toContain('locales/en');
  const schema = z.object({
    name: z.string(),
    kind: z.enum(['a', 'b']),
    count: z.int().min(1),
    note: z.string().max(3).nullable(),
    at: z.iso.date(),
  });
  const wrong = [
    {},
    { name: null, kind: null, count: null, note: null, at: null },
    { name: 1, kind: 'c', count: 0.5, note: 'long', at: 'x', more: 1 },
  ];
  const found = () => wrong.map((value) => toIssues(z.strictObject(schema.shape).safeParse(value).error ?? new z.ZodError([])));
  const inEnglish = found();
  z.config({ localeError });
  try {
    expect(found()).toEqual(inEnglish);
  } finally {
    z.config(z.locales.en());
  }
  expect(inEnglish[0]?.map(({ rule }) => rule)).toEqual(['required', 'one_of', 'required', 'required', 'required']);
});

it('a zod that is built differently fails the build instead of growing it', () => {
  expect(() => forBrowsers(schemas.replaceAll('processJSONSchema', 'describeAsJSON'))).toThrow('built differently');
});
