import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withoutJsonSchema } from '#scripts/zod-without-json-schema.ts';

const schemas = readFileSync('node_modules/zod/v4/classic/schemas.js', 'utf8');

it('the browser gets zod without the code that makes JSON schemas', () => {
  const left = withoutJsonSchema(schemas);
  expect(left).not.toMatch(/processors\.\w+Processor|to-json-schema/);
  // What answers for the length of a text stays.
  expect(left).toContain('processors.aggregateChecks');
  expect(left).toContain('JSON schemas are made by the server alone');
});

it('a zod that is built differently fails the build instead of growing it', () => {
  expect(() => withoutJsonSchema(schemas.replaceAll('processJSONSchema', 'describeAsJSON'))).toThrow('built differently');
});
