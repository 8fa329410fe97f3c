import { describe, expect, it } from 'vitest';
import type { AnyStateNode } from 'xstate';
import { callMachine } from '#machines/phone/call/call.machine.ts';
import { callDirections, callStatuses } from '#models/call.ts';
import { statusKeyOf } from '#src/views/phone/call-texts.ts';
import { callOf } from '#tests/support/phone-mirrors.ts';
import en from '#locales/en/phone.json' with { type: 'json' };
import ru from '#locales/ru/phone.json' with { type: 'json' };

const textOf = (texts: object, key: string): unknown =>
  key
    .split('.')
    .slice(1)
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], texts);
const tagsBelow = (node: AnyStateNode): string[] => [...node.tags, ...Object.values(node.states).flatMap(tagsBelow)];

it.each(callStatuses)('a call that is %s is a state of its chart', (status) => expect(tagsBelow(callMachine.root)).toContain(status));

// What is over says why it ended instead.
const standing = callStatuses.filter((status) => status !== 'destroyed');
describe.each(callDirections)('of an %s call', (direction) => {
  it.each(standing)('%s is a word on its card', (status) => {
    const key = statusKeyOf(callOf({ status, direction, awaits: null, isRinging: false }));
    for (const texts of [en, ru]) expect(textOf(texts, key), key).toBeTypeOf('string');
  });
});
