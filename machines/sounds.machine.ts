// Keeps in order: whether this console can be heard: browsers stay silent until the person has touched the page.
// Spawned by: console, as systemId sounds.
// Asks (ports): speaker.
// Tells (facts): nothing; the views show whether it is silent.
import { type ActorRefFrom, sendTo, setup } from 'xstate';
import type { NoticeSound } from '#models/notifications.ts';
import { unpluggedLasting } from './port.ts';

export type SoundName = NoticeSound | 'alarm';
/** Something wishes to be heard. */
export type SoundRequest = { type: 'sound.play'; sound: SoundName };
/** What the speaker is told. */
export type SpeakerCommand = SoundRequest | { type: 'sound.arm' };
/** What the speaker tells: it may sound now; it was to sound and could not. */
export type SpeakerReport = { type: 'speaker.ready' } | { type: 'speaker.refused' };

/** The one loudspeaker of this console. */
export const soundsMachine = setup({
  types: {
    input: {} as { person: string },
    context: {} as { person: string },
    events: {} as SpeakerCommand | SpeakerReport | { type: 'sound.dismiss' },
    tags: {} as 'refused',
    children: {} as { speaker: 'speaker' },
  },
  actors: {
    /** Becomes ready with the person's first touch; of several tabs of one person only one sounds. */
    speaker: unpluggedLasting<SpeakerCommand, { person: string }>('speaker'),
  },
  actions: { tellSpeaker: sendTo('speaker', (_, command: SpeakerCommand) => command) },
}).createMachine({
  id: 'sounds',
  context: ({ input }) => ({ person: input.person }),
  invoke: { id: 'speaker', src: 'speaker', input: ({ context }) => ({ person: context.person }), onError: { target: '.broken' } },
  initial: 'untouched',
  on: {
    'sound.play': { actions: { type: 'tellSpeaker', params: ({ event }) => event } },
    'sound.arm': { actions: { type: 'tellSpeaker', params: ({ event }) => event } },
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
