import { describe, expect, it } from 'vitest';
import { setup } from 'xstate';
import { walkMachine } from '#tests/support/machine-walk.ts';
import { conditionsOf } from '#tests/support/map-conditions.ts';
import { mapTexts } from '#tests/support/map-text.ts';

const seen = (...rows: readonly [a: string, b: string, outcome: string][]) => rows.map(([a, b, outcome]) => ({ values: { a, b }, outcome }));

describe('the conditions of a map', () => {
  it('name only what decides', () => {
    const found = conditionsOf(seen(['1', 'x', 'go'], ['1', 'y', 'go'], ['2', 'x', 'stay'], ['2', 'y', 'stay']), ['a', 'b']);
    expect(found.get('go')).toEqual([{ a: { isNot: false, values: ['1'] } }]);
    expect(found.get('stay')).toEqual([{ a: { isNot: false, values: ['2'] } }]);
  });
  it('name two where one does not decide, and what is missing where that is shorter', () => {
    const found = conditionsOf(
      seen(['1', 'x', 'go'], ['1', 'y', 'stay'], ['2', 'x', 'stay'], ['3', 'x', 'stay'], ['2', 'y', 'stay'], ['3', 'y', 'stay']),
      ['a', 'b'],
    );
    expect(found.get('go')).toEqual([{ a: { isNot: false, values: ['1'] }, b: { isNot: false, values: ['x'] } }]);
    expect(found.get('stay')).toEqual([
      { b: { isNot: false, values: ['y'] } },
      { a: { isNot: true, values: ['1'] }, b: { isNot: false, values: ['x'] } },
    ]);
  });
});

describe('the map of a machine', () => {
  const light = (isBright: boolean) =>
    setup({
      types: { context: {} as { isBright: boolean }, events: {} as { type: 'lamp.press' } | { type: 'lock.turn' } },
      guards: { isLocked: ({ context }) => context.isBright === isBright },
      actions: { click: () => undefined },
      delays: { timeout: 30_000 },
    }).createMachine({
      id: 'light',
      type: 'parallel',
      context: { isBright: true },
      states: {
        lamp: {
          initial: 'dark',
          states: {
            dark: { on: { 'lamp.press': { target: 'bright', actions: 'click' } } },
            bright: { after: { timeout: 'dark' }, on: { 'lamp.press': { guard: 'isLocked', target: 'dark' } } },
          },
        },
        lock: { initial: 'open', states: { open: { on: { 'lock.turn': 'closed' } }, closed: {} } },
      },
    });
  const texts = (machine: ReturnType<typeof light>) =>
    mapTexts(walkMachine(machine, { inputs: [undefined], samples: { 'lamp.press': { type: 'lamp.press' }, 'lock.turn': { type: 'lock.turn' } } }));

  it('has a text for each region, with its delays once', () => {
    expect(Object.fromEntries(texts(light(true)))).toEqual({
      '': 'starts\n  {lamp:dark,lock:open}\ndelays\n  timeout 30000 ms\n',
      lamp: 'dark\n  lamp.press -> bright / click\nbright\n  lamp.press -> dark\n  after timeout -> dark\n',
      lock: 'open\n  lock.turn -> closed\n',
    });
  });
  it('is another when a guard is', () => {
    expect(texts(light(false)).get('lamp')).toBe(
      'dark\n  lamp.press -> bright / click\nbright\n  lamp.press [isLocked] -> dark\n  after timeout -> dark\n',
    );
  });
});
