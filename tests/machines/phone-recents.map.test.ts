import type { EventFromLogic } from 'xstate';
import { describe, expect, it } from 'vitest';
import type { RecentCall } from '#machines/phone/ports.ts';
import { missedCalls, withPage } from '#machines/phone/recents/recent-calls.ts';
import { type RecentsContext, recentsMachine } from '#machines/phone/recents/recents.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const recent = (id: number, number: string, more: Partial<RecentCall> = {}): RecentCall => ({
  id: String(id),
  from: { number, name: null },
  to: { number: '1001', name: null },
  status: 'noanswer',
  direction: 'incoming',
  duration: 0,
  at: 1_000 - id,
  answeredBy: null,
  doorOpened: false,
  sos: false,
  note: null,
  home: null,
  picture: null,
  ...more,
});
const outgoing = (id: number, number: string): RecentCall =>
  recent(id, '1001', { to: { number, name: null }, direction: 'outgoing', status: 'answered' });
const samples = {
  'recents.open': { type: 'recents.open' },
  'recents.refresh': { type: 'recents.refresh' },
  'recents.more': { type: 'recents.more' },
  'recents.outdated': { type: 'recents.outdated' },
} satisfies Samples<EventFromLogic<typeof recentsMachine>>;

describe('the recent calls', () => {
  mapTests(recentsMachine, {
    inputs: [{ number: '1001' }],
    samples,
    answers: { readFirst: [{ calls: [recent(1, '1')], total: 60 }], readNext: [{ calls: [recent(2, '2')], total: 60 }] },
    words: ({ context }) => `[${(context as RecentsContext).pages} pages]`,
  });

  it('the work list holds whom nobody took and nobody called back, each once', () => {
    const calls = [
      recent(1, '5'),
      outgoing(2, '6'),
      recent(3, '6'),
      recent(4, '7', { status: 'answered' }),
      recent(5, '5'),
      recent(6, '8', { answeredBy: { number: '1002', name: 'Boris' } }),
      recent(7, '9', { status: 'cancel' }),
    ];
    expect(missedCalls(calls).map(({ id }) => id)).toEqual(['1', '7']);
  });

  it('a call that moved from one page to the next is there once', () => {
    expect(withPage([recent(1, '1'), recent(2, '2')], [recent(2, '2'), recent(3, '3')]).map(({ id }) => id)).toEqual(['1', '2', '3']);
  });
});
