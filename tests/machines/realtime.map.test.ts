import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { realtimeMachine } from '#machines/realtime/realtime.machine.ts';
import type { Topics } from '#machines/realtime/realtime-topics.ts';
import type { ServerWord } from '#models/realtime.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { uuid } from '#tests/support/people.ts';

const at = '2026-01-01T00:00:00Z';
const topic = 'areas.users';
const heard = (...words: ServerWord[]) => ({ type: 'socket.heard' as const, words, at });

const samples = {
  'socket.opened': { type: 'socket.opened', at },
  'socket.refused': [
    { type: 'socket.refused', spent: true, at, chance: 0.5 },
    { type: 'socket.refused', spent: false, at, chance: 0.5 },
  ],
  'socket.closed': { type: 'socket.closed', code: 1006, at, chance: 0.5 },
  'socket.heard': [
    heard({ topic, name: 'Subscribed', payload: {} }),
    heard({ topic, name: 'Refused', payload: { code: 'forbidden' } }),
    heard({ topic, name: 'RowsChanged', payload: { area: 'users', ids: [uuid(1)] } }),
    heard({ topic: '', name: 'Gap', payload: {} }),
    heard({ topic: 'probe', name: 'Alive', payload: {} }),
  ],
  'link.nudged': { type: 'link.nudged' },
  'topics.want': [
    { type: 'topics.want', owner: 'workspace', topics: [topic] },
    { type: 'topics.want', owner: 'workspace', topics: [] },
  ],
  'token.renewed': { type: 'token.renewed' },
  'link.up': { type: 'link.up' },
  'link.down': { type: 'link.down' },
} satisfies Samples<EventFromLogic<typeof realtimeMachine>>;

describe('the realtime channel', () => {
  mapTests(realtimeMachine, {
    inputs: [{ wanted: {}, isLate: false }],
    samples,
    answers: { socket: [], wakeups: [] },
    words: ({ context }) => {
      const { topics, renewed } = context as Topics & { renewed: boolean };
      const state = topics[topic];
      return `[${state ? `${state.subscription}${state.late ? ', late' : ''}` : 'nothing wanted'}${renewed ? ', renewed' : ''}]`;
    },
  });
});
