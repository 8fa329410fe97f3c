import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toIssues } from '#models/issues.ts';
import { signInBody } from '#models/profile.ts';
import { rule } from '#models/rules.ts';

const issuesOf = (schema: z.ZodType, value: unknown) => {
  const result = schema.safeParse(value);
  return result.success ? [] : toIssues(result.error);
};

describe('findings in the words of the contract', () => {
  it.each<[string, z.ZodType, unknown, unknown]>([
    ['a missing block', z.strictObject({ a: z.strictObject({}) }), {}, [{ path: ['a'], rule: 'required', params: {} }]],
    ['null for a block', z.strictObject({ a: z.strictObject({}) }), { a: null }, [{ path: ['a'], rule: 'required', params: {} }]],
    ['a block of another type', z.strictObject({ a: z.strictObject({}) }), { a: 'x' }, [{ path: ['a'], rule: 'invalid', params: {} }]],
    ['unknown fields', z.strictObject({}), { is_admin: 1, id: 2 }, [{ path: [], rule: 'unknown_field', params: { fields: 'is_admin, id' } }]],
    ['too long a list', z.array(z.int()).max(1), [1, 2], [{ path: [], rule: 'at_most', params: { max: 1 } }]],
    ['too short a list', z.array(z.int()).min(1), [], [{ path: [], rule: 'at_least', params: { min: 1 } }]],
    ['too long a text', z.string().max(2), 'abc', [{ path: [], rule: 'max_length', params: { length: 2 } }]],
    ['too short a text', z.string().min(2), 'a', [{ path: [], rule: 'min_length', params: { length: 2 } }]],
    ['too large a number', z.number().max(2), 3, [{ path: [], rule: 'at_most', params: { max: 2 } }]],
    ['a word not in the set', z.enum(['a', 'b']), 'c', [{ path: [], rule: 'one_of', params: { values: 'a, b' } }]],
    [
      'a rule of one’s own',
      z.string().refine(() => false, rule('placeholders', { placeholders: '{link}' })),
      'x',
      [{ path: [], rule: 'placeholders', params: { placeholders: '{link}' } }],
    ],
    ['a refinement without a name', z.string().refine(() => false), 'x', [{ path: [], rule: 'invalid', params: {} }]],
    ['an item of a list', z.strictObject({ a: z.array(z.int()) }), { a: [1, 'x'] }, [{ path: ['a', 1], rule: 'invalid', params: {} }]],
  ])('%s', (_name, schema, value, issues) => expect(issuesOf(schema, value)).toEqual(issues));

  it('names each field once, by its first finding', () => {
    const twice = z.strictObject({
      a: z
        .string()
        .refine(() => false, rule('slug'))
        .refine(() => false, rule('ascii')),
    });
    expect(issuesOf(twice, { a: 'x' })).toEqual([{ path: ['a'], rule: 'slug', params: {} }]);
  });

  it('asks for login and password, not for one character', () => {
    expect(issuesOf(signInBody, { login: '', password: '' })).toEqual([
      { path: ['login'], rule: 'username_required', params: {} },
      { path: ['password'], rule: 'required', params: {} },
    ]);
  });
});
