import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { createTestModel, type TestModel } from 'xstate/graph';
import { expect, it } from 'vitest';
import { isFull } from './extent.ts';
import { inTime } from './in-time.ts';

/** How the words of a story are done and seen, by the machine alone or by a browser. */
export interface Driver {
  /** Does what each word of the story says. */
  words: Readonly<Record<string, () => void | Promise<void>>>;
  /** The state of the story that one is in, judged by what is there; a page that is still changing is given time to reach the expected one. */
  where: (expected: string) => string | Promise<string>;
  /** What a person may do now: each button with the words of the story that press it. */
  buttons: readonly { name: string; words: readonly string[]; isThere: () => boolean | Promise<boolean> }[];
  /** States that are left as soon as they are reached, so that nobody ever sees them. */
  passing?: readonly string[];
}
interface Options {
  /** Leaves out paths with words that this teller has no way to say. */
  drivable?: (words: string[]) => boolean;
  /** Goes on from where a path ends as long as something is left to tell: for tellers to whom each new beginning is dear. */
  onward?: boolean;
  /** Tells only so many paths that every state and every word occurs; all of them where races are run in full. */
  brief?: boolean;
}
type Model = TestModel<AnyMachineSnapshot, { type: string }, unknown>;
type Path = ReturnType<Model['getShortestPaths']>[number];
interface Step {
  from: string;
  word: string;
  to: string;
}

const wordsOf = ({ steps }: Path): string[] => steps.map(({ event }) => event.type);
const stepsOf = ({ steps }: Path): Step[] =>
  steps.slice(1).map(({ event, state }, at) => ({ from: String(steps[at]?.state.value), word: event.type, to: String(state.value) }));
const longest = 24;

/** All states one comes to from one, with the shortest way to each. */
function waysFrom(from: string, steps: readonly Step[], mayFollow: (way: Step[]) => boolean = () => true): Map<string, Step[]> {
  const ways = new Map<string, Step[]>([[from, []]]);
  for (const [here, way] of ways)
    for (const step of steps) if (step.from === here && !ways.has(step.to) && mayFollow([...way, step])) ways.set(step.to, [...way, step]);
  return ways;
}

/** The way to a step that is not taken yet, that step included, after which most is left to take; null where there is none. */
function wayOn(from: string, steps: readonly Step[], left: ReadonlySet<Step>, mayFollow: (way: Step[]) => boolean): Step[] | null {
  const ways = waysFrom(from, steps, mayFollow);
  const found = [...left].map((step) => [...(ways.get(step.from) ?? []), step]).filter((way) => way[0]?.from === from && mayFollow(way));
  const gain = (way: Step[]): number => {
    const beyond = waysFrom(way.at(-1)?.to ?? from, steps);
    return [...left].filter((step) => beyond.has(step.from)).length - way.length;
  };
  return found.toSorted((one, other) => gain(other) - gain(one))[0] ?? null;
}

/** Few long walks that together take every step of these paths. */
function walksOver(paths: readonly Path[], drivable: (words: string[]) => boolean): string[][] {
  const steps = [...new Map(paths.flatMap(stepsOf).map((step) => [`${step.from} ${step.word}`, step])).values()];
  const [left, walks] = [new Set(steps), [] as string[][]];
  const start = String(paths[0]?.steps[0]?.state.value);
  while (left.size > 0) {
    const walk: Step[] = [];
    const mayFollow = (way: Step[]): boolean =>
      walk.length + way.length <= longest && drivable(['xstate.init', ...[...walk, ...way].map(({ word }) => word)]);
    const go = () => wayOn(walk.at(-1)?.to ?? start, steps, left, mayFollow);
    for (let way = go(); way; way = go()) {
      walk.push(...way);
      for (const step of way) left.delete(step);
    }
    if (walk.length === 0) throw new Error(`no walk takes ${[...left].map(({ from, word }) => `${from} ${word}`).join(', ')}`);
    walks.push(walk.map(({ word }) => word));
  }
  return walks;
}

/** Few of these paths, in which every state and every word of all of them occurs. */
function briefly(paths: readonly Path[]): Path[] {
  const marksOf = (path: Path): string[] => stepsOf(path).flatMap(({ from, word, to }) => [from, `${word}()`, to]);
  const left = new Set(paths.flatMap(marksOf));
  const gain = (path: Path): number => new Set(marksOf(path).filter((mark) => left.has(mark))).size;
  const chosen: Path[] = [];
  while (left.size > 0) {
    const best = paths.reduce((one, other) => (gain(other) > gain(one) ? other : one));
    for (const mark of marksOf(best)) left.delete(mark);
    chosen.push(best);
  }
  return chosen;
}

/** What is offered may come a moment after the state; in ms. */
const timeout = inTime(2_000);

/** The shortest paths that take every step of a story, or fewer walks that do. */
function pathsOf(story: AnyStateMachine, { drivable = () => true, onward = false, brief = false }: Options): Path[] {
  const model = createTestModel(story) as unknown as Model;
  const paths = model.getShortestPaths().filter((path) => drivable(wordsOf(path)));
  if (brief && !isFull) return briefly(paths);
  return onward ? walksOver(paths, drivable).flatMap((words) => model.getPathsFromEvents(words.map((type) => ({ type })))) : paths;
}

/**
 * One test a path: in every state the teller must be where the story is, and offer just the moves the story has. Who tells is
 * told beforehand which words will come.
 */
export function runStory(story: AnyStateMachine, drive: (words: string[]) => Driver | Promise<Driver>, options: Options = {}): void {
  for (const path of pathsOf(story, options))
    it(`${path.description}`, async () => {
      const driver = await drive(wordsOf(path));
      await path.test({
        states: {
          '*': async (snapshot: AnyMachineSnapshot) => {
            if (driver.passing?.includes(String(snapshot.value))) return;
            expect(await driver.where(String(snapshot.value))).toBe(snapshot.value);
            const allowed = driver.buttons.filter(({ words }) => words.some((type) => snapshot.can({ type } as never)));
            const offered = async (): Promise<string[]> =>
              (await Promise.all(driver.buttons.map(async ({ name, isThere }) => ((await isThere()) ? [name] : [])))).flat();
            await expect
              .poll(offered, { timeout, interval: 30, message: `offered in ${String(snapshot.value)}` })
              .toEqual(allowed.map(({ name }) => name));
          },
        },
        events: Object.fromEntries(Object.entries(driver.words).map(([word, act]) => [word, () => act()])),
      });
    });
}
