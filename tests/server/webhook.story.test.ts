import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { type Next, webhookMachine } from '#server/integrations/webhook.machine.ts';
import { carelessInvokes, endlessWaits } from '#tests/support/actor-tree.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { held } from '#tests/support/ports.ts';
import { webhookStory } from '#tests/support/stories/webhook.ts';
import { type Driver, runStory } from '#tests/support/story.ts';

const pause = 5_000;
const seen: Record<string, string> = { idle: 'quiet', sending: 'sending', pausing: 'waiting', stopped: 'stopped', gone: 'over' };

async function driver(): Promise<Driver> {
  const clock = new SimulatedClock();
  const [findNext, deliver] = [held<Next>(), held<void, { delivery: string }>()];
  const actor = createActor(webhookMachine.provide({ actors: { findNext: findNext.actor, deliver: deliver.actor } }), { clock }).start();
  const look = (next: Next): Promise<void> => findNext.answer(next);
  const due: Next = { kind: 'due', delivery: 'one' };
  /** What is in the queue now: none while quiet, one that waits, one that was given up. */
  const state = (): string => String(actor.getSnapshot().value);
  const after = (next: Next) => async (): Promise<void> => {
    await deliver.answer(undefined);
    await look(next);
  };
  await look({ kind: 'none' });
  return {
    where: () => seen[state()] ?? state(),
    words: {
      eventComes: async () => {
        const was = state();
        actor.send({ type: 'queue.grew' });
        if (was === 'idle') await look(due);
      },
      triedByHand: async () => {
        const was = state();
        actor.send({ type: 'hook.retry' });
        if (was === 'idle') await look({ kind: 'none' });
        if (was === 'pausing') await look(due);
      },
      switchedOff: async () => {
        actor.send({ type: 'hook.retry' });
        await look({ kind: 'gone' });
      },
      isTaken: after({ kind: 'none' }),
      isTakenAndMoreWait: after(due),
      isRefused: after({ kind: 'later', wait: pause }),
      isRefusedForTooLong: after({ kind: 'stopped' }),
      pauseEnds: async () => {
        clock.increment(pause - 1);
        expect(state()).toBe('pausing');
        clock.increment(1);
        await look(due);
      },
      resumed: async () => {
        actor.send({ type: 'hook.retry' });
        await look(due);
      },
    },
    buttons: [],
  };
}

describe('a webhook, as told', () => {
  runStory(webhookStory, driver);
});

const samples = { 'queue.grew': { type: 'queue.grew' }, 'hook.retry': { type: 'hook.retry' } } satisfies Samples<
  { type: 'queue.grew' } | { type: 'hook.retry' }
>;

describe('the sending of a webhook', () => {
  mapTests(webhookMachine, {
    inputs: [undefined],
    samples,
    answers: {
      findNext: [
        { kind: 'due', delivery: 'one' },
        { kind: 'later', wait: pause },
        { kind: 'none' },
        { kind: 'stopped' },
        { kind: 'gone' },
      ] satisfies Next[],
      deliver: [undefined],
    },
  });

  it('can be brought down by nothing it invokes, and waits for nothing without end', () => {
    expect(carelessInvokes(webhookMachine)).toEqual([]);
    expect(endlessWaits(webhookMachine, [])).toEqual([]);
  });

  it('goes on after a database that could not be had', async () => {
    const clock = new SimulatedClock();
    const findNext = held<Next>();
    const actor = createActor(webhookMachine.provide({ actors: { findNext: findNext.actor } }), { clock }).start();
    await findNext.refuse({ code: 'unavailable' });
    expect(actor.getSnapshot().value).toBe('recovering');
    clock.increment(2_000);
    await findNext.answer({ kind: 'none' });
    expect(actor.getSnapshot().value).toBe('idle');
  });

  it('looks again where something came while it looked', async () => {
    const findNext = held<Next>();
    const actor = createActor(webhookMachine.provide({ actors: { findNext: findNext.actor } })).start();
    actor.send({ type: 'queue.grew' });
    await findNext.answer({ kind: 'none' });
    expect(actor.getSnapshot().value).toBe('idle');
  });
});
