// Keeps in order: whether this console can be heard: browsers stay silent until the person has touched the page.
// Spawned by: console, as systemId sounds.
// Asks (ports): speaker.
// Tells (facts): nothing; the views show whether it is silent.
import { type ActorRefFrom, assign, sendTo, setup } from 'xstate';
import type { NoticeSound } from '#models/notifications.ts';
import { unpluggedLasting } from './port.ts';

export type SoundName = NoticeSound | 'alarm' | 'emergency';
/** Heard at full volume, and beside a call that rings. */
export const isGrave = (sound: SoundName): boolean => sound === 'alarm' || sound === 'emergency';
/** Something wishes to be heard. */
export type SoundRequest = { type: 'sound.play'; sound: SoundName };
/** While a call rings, only alarms and emergency alerts sound beside it. */
export type SoundHush = { type: 'sound.hush'; on: boolean };
/** What the speaker is told. */
export type SpeakerCommand = SoundRequest | { type: 'sound.arm' };
/** What the speaker tells: it may sound now; it was to sound and could not. */
export type SpeakerReport = { type: 'speaker.ready' } | { type: 'speaker.refused' };

/** The one loudspeaker of this console. */
export const soundsMachine = setup({
  types: {
    input: {} as { person: string; isHushed: boolean },
    /** `isHushed`: a call rings. */
    context: {} as { person: string; isHushed: boolean },
    events: {} as SpeakerCommand | SpeakerReport | SoundHush | { type: 'sound.dismiss' },
    tags: {} as 'refused',
    children: {} as { speaker: 'speaker' },
  },
  actors: {
    /** Becomes ready with the person's first touch; of several tabs of one person only one sounds. */
    speaker: unpluggedLasting<SpeakerCommand, { person: string }>('speaker'),
  },
  actions: {
    notifySpeaker: sendTo('speaker', (_, command: SpeakerCommand) => command),
    hush: assign((_, { on }: { on: boolean }) => ({ isHushed: on })),
  },
  guards: { isDrowned: ({ context }, { sound }: { sound: SoundName }) => context.isHushed && !isGrave(sound) },
}).createMachine({
  id: 'sounds',
  context: ({ input }) => ({ person: input.person, isHushed: input.isHushed }),
  invoke: { id: 'speaker', src: 'speaker', input: ({ context }) => ({ person: context.person }), onError: { target: '.broken' } },
  initial: 'untouched',
  on: {
    'sound.play': [
      { guard: { type: 'isDrowned', params: ({ event }) => event } },
      { actions: { type: 'notifySpeaker', params: ({ event }) => event } },
    ],
    'sound.hush': { actions: { type: 'hush', params: ({ event }) => event } },
    'sound.arm': { actions: { type: 'notifySpeaker', params: ({ event }) => event } },
    'speaker.ready': { target: '.ready' },
    'speaker.refused': { target: '.refused' },
  },
  states: {
    untouched: {},
    ready: {},
    refused: { tags: 'refused', on: { 'sound.dismiss': { target: 'untouched' } } },
    broken: { on: { 'sound.play': {}, 'sound.arm': {} } },
  },
});
export type SoundsActor = ActorRefFrom<typeof soundsMachine>;
