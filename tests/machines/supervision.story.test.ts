import { describe, expect } from 'vitest';
import { type Supervised, supervised } from '#machines/console/supervision.ts';
import { singleton } from '#machines/system.ts';
import { composedApp } from '#tests/support/composed-app.ts';
import { withNumber } from '#tests/support/people.ts';
import { supervisionStory } from '#tests/support/stories/supervision.ts';
import { type Driver, runStory } from '#tests/support/story.ts';

async function driver(child: Supervised): Promise<Driver> {
  const desk = composedApp();
  const { app, clock, ports, broken, the } = desk;
  await ports.restoreSession.answer(withNumber);
  await ports.loadPhone.answer();
  const isThere = (): boolean => singleton(app, child)?.getSnapshot().status === 'active';
  const topic = (): string | undefined =>
    the('alerts')
      .getSnapshot()
      .context.shown.map(({ says }) => String((JSON.parse(says) as unknown[])[1]))
      .find((key) => key.startsWith('interface.faults') && key.endsWith(`.${child}`))
      ?.split('.')
      .at(-2);
  /** Lets the pause pass to its last millisecond, and then ends it. The code of a phone is there by then. */
  const pausePasses = async (seconds: number): Promise<void> => {
    clock.increment(seconds * 1_000 - 1);
    expect(isThere()).toBe(false);
    clock.increment(1);
    if (child === 'phone') await ports.loadPhone.answer();
  };
  let faults = 0;
  let phase: 'works' | 'rests' | 'tried' | 'recovered' = 'works';
  const pause = (): number => Math.min(60, 2 ** (faults - 1));
  const failed = (): void => {
    faults += 1;
    phase = 'rests';
  };
  const notices = { works: undefined, rests: 'restarting', tried: 'restarting', recovered: 'works_again' };
  const observed = (): string => {
    const down = faults >= 5 ? 'stays_down' : 'restarting';
    expect(isThere()).toBe(phase !== 'rests');
    expect(topic()).toBe(notices[phase] === 'restarting' ? down : notices[phase]);
    return phase;
  };
  return {
    where: (expected) => {
      const seen = observed();
      const rests = `rests ${pause()} s`;
      const isSo =
        seen === 'rests'
          ? expected.startsWith(rests) && expected.includes('down') === faults >= 5
          : expected.startsWith(seen === 'tried' ? 'tried' : seen);
      return isSo ? expected : `${seen} after ${faults} faults`;
    },
    words: {
      fails: () => {
        desk.fail(child);
        failed();
      },
      pausePasses: async () => {
        await pausePasses(pause());
        phase = 'tried';
      },
      worksAgainButFailsAtOnce: async () => {
        broken.add(child);
        await pausePasses(pause());
        broken.delete(child);
        failed();
      },
      worksForAMoment: () => {
        clock.increment(4_999);
        observed();
        clock.increment(1);
        phase = 'recovered';
      },
      worksForLong: () => {
        clock.increment(60_000);
        faults = 0;
        phase = 'works';
      },
    },
    buttons: [],
  };
}

for (const child of supervised)
  describe(`${child} that fails`, () => {
    runStory(supervisionStory, () => driver(child));
  });
