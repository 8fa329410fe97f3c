import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { createTestModel } from 'xstate/graph';
import { expect, it } from 'vitest';

/** How the words of a story are done and seen, by the machine alone or by a browser. */
export interface Teller {
  /** Does what each word of the story says. */
  words: Readonly<Record<string, () => void | Promise<void>>>;
  /** The state of the story that one is in, judged by what is there; a page that is still changing is given time to reach the expected one. */
  where: (expected: string) => string | Promise<string>;
  /** What a person may do now: each button with the words of the story that press it. */
  buttons: readonly { name: string; words: readonly string[]; isThere: () => boolean | Promise<boolean> }[];
  /** States that are left as soon as they are reached, so that nobody ever sees them. */
  passing?: readonly string[];
}

/** The shortest paths that take every step of a story. */
const storyPaths = (story: AnyStateMachine) => createTestModel(story).getShortestPaths();

/**
 * One test a path: in every state the teller must be where the story is, and offer just the moves the story has. `tellable`
 * leaves out paths with words that this teller has no way to say.
 */
export function tellStory(story: AnyStateMachine, tell: () => Teller | Promise<Teller>, tellable: (words: string[]) => boolean = () => true): void {
  const paths = storyPaths(story).filter(({ steps }) => tellable(steps.map(({ event }) => event.type)));
  for (const path of paths)
    it(`${path.description}`, async () => {
      const teller = await tell();
      await path.test({
        states: {
          '*': async (told: AnyMachineSnapshot) => {
            if (teller.passing?.includes(String(told.value))) return;
            expect(await teller.where(String(told.value))).toBe(told.value);
            const offered = await Promise.all(teller.buttons.map(async ({ name, isThere }) => ((await isThere()) ? [name] : [])));
            const allowed = teller.buttons.filter(({ words }) => words.some((type) => told.can({ type } as never)));
            expect(offered.flat(), `offered in ${String(told.value)}`).toEqual(allowed.map(({ name }) => name));
          },
        },
        events: Object.fromEntries(Object.entries(teller.words).map(([word, act]) => [word, () => act()])),
      });
    });
}
