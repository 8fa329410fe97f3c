// Keeps in order: what is to be heard of calls: one tone at a time, and whether this page may sound at all.
// Spawned by: phone, in the tab that owns the phone.
// Asks (ports): ringerSound (lasting).
// Tells (facts): sound.hush, so that notifications do not sound into the ringing.
import { assign, enqueueActions, sendTo, setup } from 'xstate';
import { parentOf } from '../port.ts';
import type { SoundHush } from '../sounds.machine.ts';
import { ringerSound, type RingerCommand, type RingerReport } from './ports.ts';
import type { RingTone } from './types.ts';

/** The loudest of what rings now; null: nothing does. */
type RingerWish = { type: 'ringer.wanted'; tone: RingTone | null };
type RingerTest = Extract<RingerCommand, { type: 'ringer.test' }>;
type Wished = { event: { tone: RingTone | null } };
const ringIt = [
  { type: 'storeTone', params: ({ event }: Wished) => event },
  { type: 'ring', params: ({ event }: Wished) => event },
] as const;

/** The bell of this console: SOS before a call, a call before what notifies (experience 1 and 2). */
export const ringerMachine = setup({
  types: {
    context: {} as { tone: RingTone | null },
    events: {} as RingerWish | RingerReport | { type: 'ringer.arm' } | RingerTest,
    emitted: {} as SoundHush,
    tags: {} as 'unarmed' | 'armed' | 'refused' | 'ringing',
    children: {} as { ringerSound: 'ringerSound' },
  },
  actors: { ringerSound },
  actions: {
    storeTone: assign({ tone: (_, { tone }: { tone: RingTone | null }) => tone }),
    ring: enqueueActions(({ enqueue }, { tone }: { tone: RingTone | null }) => {
      if (tone) enqueue.sendTo('ringerSound', { type: 'ringer.ring', tone });
    }),
    command: sendTo('ringerSound', (_, command: RingerCommand) => command),
    hush: enqueueActions(({ enqueue, self }, { on }: { on: boolean }) => {
      const fact: SoundHush = { type: 'sound.hush', on };
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
  },
  guards: {
    isSilence: (_, { tone }: { tone: RingTone | null }) => tone === null,
    isSame: ({ context }, { tone }: { tone: RingTone | null }) => tone === context.tone,
  },
}).createMachine({
  id: 'ringer',
  context: { tone: null },
  invoke: { id: 'ringerSound', src: 'ringerSound', onError: { target: '.permission.refused' } },
  type: 'parallel',
  states: {
    bell: {
      initial: 'silent',
      states: {
        silent: {
          on: {
            'ringer.wanted': [{ guard: { type: 'isSilence', params: ({ event }) => event } }, { target: 'ringing', actions: ringIt }],
            'ringer.test': { actions: { type: 'command', params: ({ event }) => event } },
          },
        },
        ringing: {
          tags: 'ringing',
          entry: { type: 'hush', params: { on: true } },
          exit: { type: 'hush', params: { on: false } },
          on: {
            'ringer.wanted': [
              {
                guard: { type: 'isSilence', params: ({ event }) => event },
                target: 'silent',
                actions: [
                  { type: 'storeTone', params: { tone: null } },
                  { type: 'command', params: { type: 'ringer.silence' } },
                ],
              },
              { guard: { type: 'isSame', params: ({ event }) => event } },
              { actions: ringIt },
            ],
            // What could not be heard before is heard now.
            'ringer.armed': { actions: { type: 'ring', params: ({ context }) => context } },
          },
        },
      },
    },
    permission: {
      initial: 'unarmed',
      on: { 'ringer.arm': { actions: { type: 'command', params: { type: 'ringer.arm' } } } },
      states: {
        unarmed: { tags: 'unarmed', on: { 'ringer.armed': { target: 'armed' }, 'ringer.refused': { target: 'refused' } } },
        armed: { tags: 'armed', on: { 'ringer.refused': { target: 'refused' } } },
        refused: { tags: 'refused', on: { 'ringer.armed': { target: 'armed' } } },
      },
    },
  },
});
