import { createActor, type EventObject, fromCallback, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { enrolmentMachine, type ReaderReport } from '#machines/enrolment.machine.ts';
import type { PresentedCard } from '#models/enrolment.ts';
import { uuid } from '#tests/support/people.ts';
import { enrolmentStory } from '#tests/support/stories/enrolment.ts';
import { type Driver, runStory } from '#tests/support/story.ts';

const card: PresentedCard = { type: 'card', value: '00AACBDE', known: null };
const aMinute = 60_000;

/** The machine over a reader in the hands of the test; `open` counts the ways to it that were not let go. */
function stage() {
  const clock = new SimulatedClock();
  const reader = { open: 0, asked: [] as string[], report: (_report: ReaderReport): void => undefined };
  const logic = enrolmentMachine.provide({
    actors: {
      reader: fromCallback<EventObject, { device: string }>(({ input, sendBack }) => {
        reader.open += 1;
        reader.asked.push(input.device);
        reader.report = sendBack;
        return () => {
          reader.open -= 1;
        };
      }),
    },
  });
  return { clock, reader, actor: createActor(logic, { clock }).start() };
}

function driver(): Driver {
  const { clock, reader, actor } = stage();
  const seen = (): string => {
    const at = actor.getSnapshot();
    const is = {
      asking: at.hasTag('arming'),
      waiting: at.hasTag('waiting'),
      read: at.hasTag('read'),
      toldNobodyCame: at.hasTag('silent'),
      refused: at.hasTag('failed'),
    };
    return Object.entries(is).find(([, holds]) => holds)?.[0] ?? 'choosing';
  };
  const may = (type: 'enrolment.begin' | 'enrolment.cancel') => () =>
    actor.getSnapshot().can(type === 'enrolment.begin' ? { type, device: uuid(1) } : { type });
  return {
    where: () => {
      // Whoever does not wait holds no reader: others may have it, and its door opens.
      expect(reader.open).toBe(['asking', 'waiting'].includes(seen()) ? 1 : 0);
      return seen();
    },
    words: {
      chooses: () => actor.send({ type: 'enrolment.begin', device: uuid(1) }),
      readerWaits: () => reader.report({ type: 'reader.armed', seconds: 30 }),
      readerIsBusy: () => reader.report({ type: 'reader.refused', problem: { code: 'reader_busy' } }),
      readerSaysNothing: () => clock.increment(aMinute),
      cardIsHeld: () => reader.report({ type: 'reader.presented', card }),
      nobodyComes: () => reader.report({ type: 'reader.silent' }),
      connectionIsLost: () => reader.report({ type: 'reader.refused', problem: { code: 'offline' } }),
      serverForgets: () => clock.increment(2 * aMinute),
      givesUp: () => actor.send({ type: 'enrolment.cancel' }),
    },
    buttons: [
      { name: 'wait for card', words: ['chooses'], isThere: may('enrolment.begin') },
      { name: 'cancel', words: ['givesUp'], isThere: may('enrolment.cancel') },
    ],
  };
}

describe('enrolling a card, as told', () => {
  runStory(enrolmentStory, () => Promise.resolve(driver()));
});

describe('enrolling a card', () => {
  it('keeps the card, and forgets it when another is waited for', () => {
    const { reader, actor } = stage();
    actor.send({ type: 'enrolment.begin', device: uuid(1) });
    reader.report({ type: 'reader.armed', seconds: 30 });
    reader.report({ type: 'reader.presented', card });
    expect(actor.getSnapshot().context).toMatchObject({ device: uuid(1), seconds: 30, card, problem: null });
    actor.send({ type: 'enrolment.begin', device: uuid(2) });
    expect(actor.getSnapshot().context).toMatchObject({ device: uuid(2), card: null });
    expect(reader.asked).toEqual([uuid(1), uuid(2)]);
  });

  it('lets go of the reader when its view goes', () => {
    const { reader, actor } = stage();
    actor.send({ type: 'enrolment.begin', device: uuid(1) });
    actor.stop();
    expect(reader.open).toBe(0);
  });
});
