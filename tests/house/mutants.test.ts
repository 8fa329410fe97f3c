import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { filesLike, folders } from '#scripts/mutants/folders.ts';
import { functionsOf, mutants, mutated } from '#scripts/mutants/mutants.ts';
import { recording } from '#scripts/mutants/recording.ts';
import { sampled } from '#scripts/mutants/sample.ts';

const changed = (source: string): string[] => mutants('sample.ts', source).map((mutant) => mutated(source, mutant));

describe('the mutants of a source', () => {
  it.each<[string, string[]]>([
    ['a >= b;', ['a > b;', 'a < b;']],
    ['a === b;', ['a !== b;']],
    ['a + 1;', ['a - 1;', 'a + 10;']],
    ["'a-' + b;", ["'mutated' + b;"]],
    ['x = a && !b;', ['x = a || !b;', 'x = a && b;']],
    ['if (a) b();', ['if (true) b();', 'if (false) b();', 'if (a) ;']],
    ['const may = (): boolean => a;', ['const may = (): boolean => true;', 'const may = (): boolean => false;']],
    ['x = { after: 6_000 };', ['x = { ...{} };', 'x = { after: 60000 };']],
    ["x = { entry: ['ring', 'say'] };", ['x = { ...{} };', "x = { entry: ['say'] };", "x = { entry: ['ring', ] };"]],
    ['x = a.filter(b);', ['x = a;']],
    ['x = a.some(b);', ['x = a.every(b);']],
    ['sql`a and not exists (b)`;', ['sql`a or not exists (b)`;']],
    ['sql`a is null`;', ['sql`a is not null`;']],
    ["import a from 'a-b'; type B = 'c-d' | true; x as 5;", []],
  ])('%s', (source, wanted) => {
    expect(changed(source)).toEqual(wanted);
  });

  it('are numbered by the function that has to run for them, the innermost', () => {
    const source = 'let a = 1; function f() { return () => a > 2; }';
    expect(mutants('sample.ts', source).map(({ place, was }) => `${place} ${was.trim()}`)).toEqual([
      'sample.ts#0 1',
      'sample.ts#2 >',
      'sample.ts#2 >',
      'sample.ts#2 2',
    ]);
  });
});

describe('what ran', () => {
  it('is noted by function, and the source does what it did', () => {
    const source =
      'const f = (n) => { return (() => n + 1)(); }; const g = () => ({ a: 1 }); function h() { return 0; } globalThis.__answer = [f(1), g()];';
    expect(functionsOf('sample.ts', source)).toHaveLength(4);
    runInThisContext(recording('sample.ts', source));
    expect(Reflect.get(globalThis, '__answer')).toEqual([2, { a: 1 }]);
    expect(Reflect.get(globalThis, '__ran')).toEqual(new Set(['sample.ts#1', 'sample.ts#2', 'sample.ts#3', 'sample.ts#0']));
    for (const name of ['__answer', '__ran']) Reflect.deleteProperty(globalThis, name);
  });
});

describe('a sample', () => {
  const all = Array.from({ length: 1_000 }, (_, at) => at);
  it('lies evenly over all, is the same for the same seed and another for another', () => {
    const drawn = sampled(all, 100, 1);
    expect([drawn.length, new Set(drawn.map((at) => Math.floor(at / 100))).size]).toEqual([100, 10]);
    expect(sampled(all, 100, 1)).toEqual(drawn);
    expect(sampled(all, 100, 2)).not.toEqual(drawn);
  });
  it('is all of it where it asks for more', () => {
    expect(sampled(all, 2_000, 1)).toEqual(all);
  });
});

describe('the folders', () => {
  it.each(folders.map(({ name, sources, tests }) => ({ name, sources, tests })))('$name have sources and tests', ({ sources, tests }) => {
    expect(filesLike(sources).filter((file) => file.startsWith('tests/'))).toEqual([]);
    expect([filesLike(sources).length > 0, filesLike(tests).length > 0]).toEqual([true, true]);
  });
  it('of telephony are what decides who may call, intercept, hear and open', () => {
    const sources = folders.find(({ name }) => name === 'telephony permissions')?.sources ?? /^$/;
    expect(filesLike(sources)).toEqual([
      'server/modules/calls/interception.ts',
      'server/modules/calls/scope.ts',
      'server/modules/devices/doors.ts',
      'server/telephony/callable.ts',
      'server/telephony/calls/directory.ts',
      'server/telephony/calls/doors.ts',
      'server/telephony/calls/may-call.ts',
      'server/telephony/number-seats.ts',
    ]);
  });
});
