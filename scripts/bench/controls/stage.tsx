import { type ComponentType, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

/** A control, and what is timed of it. */
export interface Scene {
  /** What stands before the clock starts (`false`), and what is drawn then. */
  draw: (isOn: boolean) => ReactNode;
  /** What is pressed instead, where a press is what is timed. */
  press?: string;
  /** Done, once so many of these are there. */
  item: string;
  count: number;
}
export type Scenes = Readonly<Record<string, Scene>>;

/** The element there. @throws Error where there is none */
function elementOf(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector);
  if (!element) throw new Error(`the page has no ${selector}`);
  return element;
}

const nextFrame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done));
const pause = (ms: number): Promise<unknown> => new Promise((done) => setTimeout(done, ms));

/** Draws scenes of one side. @returns what draws one and answers after how many ms it was painted */
export function openStage(scenes: Scenes, Frame: ComponentType<{ children: ReactNode }>): (name: string) => Promise<number> {
  const root = createRoot(elementOf('main'));
  const show = (content: ReactNode): void => flushSync(() => root.render(<Frame>{content}</Frame>));
  return async (name) => {
    const scene = scenes[name];
    if (!scene) throw new Error(`there is no ${name}`);
    const { draw, press, item, count } = scene;
    show(draw(false));
    await pause(200);
    const started = performance.now();
    if (press) elementOf(press).click();
    else show(draw(true));
    while (document.querySelectorAll(item).length < count) await nextFrame();
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - started;
  };
}
