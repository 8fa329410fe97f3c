// Keeps in order: the command palette: what is typed, what is found for it, which line is marked, and opening a door after a question.
// Spawned by: workspace, as palette, for as long as the palette stands open.
// Asks (ports): recallRecent, saveRecent (action), findRows, readPaletteDoors, openPaletteDoor.
// Tells (facts): palette.picked, which the view follows.
import { type ActorRefFrom, assign, emit, raise, setup } from 'xstate';
import type { Problem } from '#models/problem.ts';
import type { Found } from '#models/search.ts';
import { answerTimeout, problemOf, timedOut, unplugged, unpluggedAction } from '../port.ts';
import { doorOffers, keyOf, type Offer, offersOf, type PaletteDoor, rankedOffers, recentRows, withRecent } from './offers.ts';

/** Screens and acts that this person has, in their words; `doorWords` is what opening a door is found by, empty for those who may open none. */
export interface PaletteInput {
  own: readonly Offer[];
  doorWords: string;
}
export type PaletteEvent =
  | { type: 'palette.type'; text: string }
  | { type: 'palette.move'; to: 'next' | 'previous' | 'first' | 'last' }
  /** The line with that key, or the marked one. */
  | { type: 'palette.pick'; key?: string }
  | { type: 'palette.confirm' }
  | { type: 'palette.back' }
  | { type: 'palette.retry' }
  /** What was used lately is known. */
  | { type: 'palette.recalled' };
export type PaletteFact = { type: 'palette.picked'; offer: Offer };

/** What it holds. */
export interface PaletteContext {
  own: readonly Offer[];
  doorWords: string;
  recent: readonly string[];
  text: string;
  /** The rows found last, and what they were found for. */
  rows: readonly Offer[];
  foundFor: string | null;
  doors: readonly PaletteDoor[];
  offers: readonly Offer[];
  /** Which of them is marked. */
  at: number;
  /** Why rows could not be found. */
  problem: Problem | null;
  /** The door that is to be opened. */
  door: PaletteDoor | null;
  /** Why it was not. */
  doorProblem: Problem | null;
}
const ranked = (context: PaletteContext): readonly Offer[] =>
  rankedOffers({
    typed: context.text,
    own: [...context.own, ...doorOffers(context.doors, context.doorWords)],
    rows: context.rows,
    areFresh: context.foundFor === context.text,
    recent: context.recent,
  });
/** The lines anew; the marked one stays marked as long as it is there. */
function arranged(context: PaletteContext): Partial<PaletteContext> {
  const offers = ranked(context);
  const marked = context.offers[context.at];
  const at = marked && context.at > 0 ? offers.findIndex((offer) => keyOf(offer) === keyOf(marked)) : 0;
  return { offers, at: Math.max(0, at) };
}
const meant = ({ offers, at }: PaletteContext, key: string | undefined): Offer | undefined =>
  key === undefined ? offers[at] : offers.find((offer) => keyOf(offer) === key);
function moved({ offers, at }: PaletteContext, to: 'next' | 'previous' | 'first' | 'last'): number {
  const last = offers.length - 1;
  if (to === 'first' || to === 'last') return to === 'first' ? 0 : Math.max(0, last);
  const next = to === 'next' ? at + 1 : at - 1;
  return next > last ? 0 : next < 0 ? Math.max(0, last) : next;
}

const paletteSetup = setup({
  types: {
    input: {} as PaletteInput,
    context: {} as PaletteContext,
    events: {} as PaletteEvent,
    emitted: {} as PaletteFact,
    tags: {} as 'searching' | 'failed' | 'choosing' | 'asking' | 'opening' | 'confirmed' | 'unconfirmed' | 'refused',
  },
  actors: {
    /** Keys of what this person used lately, the latest first. */
    recallRecent: unplugged<readonly string[]>('recallRecent'),
    findRows: unplugged<readonly Found[], { text: string; recent: readonly string[] }>('findRows'),
    readPaletteDoors: unplugged<readonly PaletteDoor[]>('readPaletteDoors'),
    openPaletteDoor: unplugged<'confirmed' | 'unconfirmed', { token: string }>('openPaletteDoor'),
  },
  actions: {
    saveRecent: (_args, _params: { recent: readonly string[] }) => unpluggedAction('saveRecent'),
    rememberRecent: assign((_, { recent }: { recent: readonly string[] }) => ({ recent })),
    rememberText: assign(({ context }, { text }: { text: string }) => ({ text, ...arranged({ ...context, text, at: 0 }) })),
    takeRows: assign(({ context }, { rows }: { rows: readonly Found[] }) => {
      const next = { ...context, rows: offersOf(rows), foundFor: context.text, problem: null };
      return { rows: next.rows, foundFor: next.foundFor, problem: null, ...arranged(next) };
    }),
    takeDoors: assign(({ context }, { doors }: { doors: readonly PaletteDoor[] }) => ({ doors, ...arranged({ ...context, doors }) })),
    wakeRows: raise({ type: 'palette.recalled' }),
    arrange: assign(({ context }) => arranged(context)),
    rememberProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    move: assign(({ context }, { to }: { to: 'next' | 'previous' | 'first' | 'last' }) => ({ at: moved(context, to) })),
    noteUse: assign(({ context }, { key }: { key?: string | undefined }) => {
      const offer = meant(context, key);
      return offer ? { recent: withRecent(context.recent, keyOf(offer)) } : {};
    }),
    notifyPicked: emit(({ context }, { key }: { key?: string | undefined }): PaletteFact => {
      const offer = meant(context, key);
      if (!offer) throw new Error('nothing was picked');
      return { type: 'palette.picked', offer };
    }),
    chooseDoor: assign(({ context }, { key }: { key?: string | undefined }) => {
      const target = meant(context, key)?.target;
      return { door: context.doors.find(({ id }) => id === target) ?? null, doorProblem: null };
    }),
    rememberDoorProblem: assign((_, { error }: { error: unknown }) => ({ doorProblem: problemOf(error) })),
  },
  guards: {
    isDoor: ({ context }, { key }: { key?: string | undefined }) => meant(context, key)?.kind === 'door',
    isOffered: ({ context }, { key }: { key?: string | undefined }) => meant(context, key) !== undefined,
    wasConfirmed: (_, { outcome }: { outcome: 'confirmed' | 'unconfirmed' }) => outcome === 'confirmed',
    mayOpenDoors: ({ context }) => context.doorWords !== '',
    asksForRows: ({ context }) => context.text.trim() !== '' || recentRows(context.recent).length > 0,
  },
  delays: { searchPause: 60, openTimeout: 6_000, answerTimeout },
});

/** The command palette of one person, open. */
export const paletteMachine = paletteSetup.createMachine({
  id: 'palette',
  context: ({ input }) => {
    const empty: PaletteContext = {
      ...input,
      recent: [],
      text: '',
      rows: [],
      foundFor: null,
      doors: [],
      offers: [],
      at: 0,
      problem: null,
      door: null,
      doorProblem: null,
    };
    return { ...empty, offers: ranked(empty) };
  },
  type: 'parallel',
  states: {
    memory: {
      initial: 'recalling',
      states: {
        recalling: {
          invoke: {
            id: 'recallRecent',
            src: 'recallRecent',
            onDone: {
              target: 'known',
              actions: [{ type: 'rememberRecent', params: ({ event }) => ({ recent: event.output }) }, 'arrange', 'wakeRows'],
            },
            onError: { target: 'none' },
          },
          after: { answerTimeout: 'none' },
        },
        known: {},
        none: {},
      },
    },
    rows: {
      initial: 'resting',
      on: {
        'palette.recalled': { guard: 'asksForRows', target: '.finding' },
        'palette.type': { target: '.typing', actions: { type: 'rememberText', params: ({ event }) => event } },
      },
      states: {
        typing: { tags: 'searching', after: { searchPause: 'deciding' } },
        deciding: { always: [{ guard: 'asksForRows', target: 'finding' }, { target: 'resting' }] },
        finding: {
          tags: 'searching',
          invoke: {
            id: 'findRows',
            src: 'findRows',
            input: ({ context }) => ({ text: context.text, recent: recentRows(context.recent) }),
            onDone: { target: 'resting', actions: { type: 'takeRows', params: ({ event }) => ({ rows: event.output }) } },
            onError: { target: 'failed', actions: { type: 'rememberProblem', params: ({ event }) => event } },
          },
          after: { answerTimeout: { target: 'failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
        },
        resting: {},
        failed: { tags: 'failed', on: { 'palette.retry': { target: 'finding' } } },
      },
    },
    doors: {
      initial: 'deciding',
      states: {
        deciding: { always: [{ guard: 'mayOpenDoors', target: 'reading' }, { target: 'none' }] },
        reading: {
          invoke: {
            id: 'readPaletteDoors',
            src: 'readPaletteDoors',
            onDone: { target: 'known', actions: { type: 'takeDoors', params: ({ event }) => ({ doors: event.output }) } },
            onError: { target: 'none' },
          },
          after: { answerTimeout: 'none' },
        },
        known: {},
        none: {},
      },
    },
    dialog: {
      initial: 'choosing',
      states: {
        choosing: {
          tags: 'choosing',
          on: {
            'palette.move': { actions: { type: 'move', params: ({ event }) => event } },
            'palette.pick': [
              {
                guard: { type: 'isDoor', params: ({ event }) => event },
                target: 'asking',
                actions: { type: 'chooseDoor', params: ({ event }) => event },
              },
              {
                guard: { type: 'isOffered', params: ({ event }) => event },
                actions: [
                  { type: 'notifyPicked', params: ({ event }) => event },
                  { type: 'noteUse', params: ({ event }) => event },
                  { type: 'saveRecent', params: ({ context }) => ({ recent: context.recent }) },
                ],
              },
            ],
          },
        },
        asking: { tags: 'asking', on: { 'palette.confirm': { target: 'opening' }, 'palette.back': { target: 'choosing' } } },
        opening: {
          tags: 'opening',
          entry: [
            { type: 'noteUse', params: ({ context }) => ({ key: `door:${context.door?.id ?? ''}` }) },
            { type: 'saveRecent', params: ({ context }) => ({ recent: context.recent }) },
          ],
          invoke: {
            id: 'openPaletteDoor',
            src: 'openPaletteDoor',
            input: ({ context }) => ({ token: context.door?.token ?? '' }),
            onDone: [
              { guard: { type: 'wasConfirmed', params: ({ event }) => ({ outcome: event.output }) }, target: 'confirmed' },
              { target: 'unconfirmed' },
            ],
            onError: { target: 'refused', actions: { type: 'rememberDoorProblem', params: ({ event }) => event } },
          },
          after: { openTimeout: 'unconfirmed' },
        },
        confirmed: { tags: 'confirmed', on: { 'palette.back': { target: 'choosing' } } },
        unconfirmed: { tags: 'unconfirmed', on: { 'palette.back': { target: 'choosing' } } },
        refused: { tags: 'refused', on: { 'palette.back': { target: 'choosing' }, 'palette.confirm': { target: 'opening' } } },
      },
    },
  },
});
export type PaletteActor = ActorRefFrom<typeof paletteMachine>;
