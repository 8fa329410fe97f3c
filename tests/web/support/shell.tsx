import { act } from 'react';
import { openConsole, smallBuilding } from './console.tsx';

/** Opens the console signed in as Anna, at an address, and waits for the shell; the server answers by `handlers`, else as a small building does. */
export async function enterShell(path: string, handlers: Parameters<typeof smallBuilding>[0] = {}) {
  const server = smallBuilding(handlers);
  localStorage.setItem('doorward.session', JSON.stringify({ token: 'access-1', refresh: 'refresh-1' }));
  const page = await openConsole(path);
  await page.at(path);
  await page.until('the shell', () => page.host.querySelector('.shell') !== null);
  return { ...page, server };
}

/** The one element of a selector. @throws Error when there is none */
export const one = <E extends HTMLElement>(selector: string): E => {
  const element = document.querySelector<E>(selector);
  if (!element) throw new Error(`nothing is ${selector}`);
  return element;
};
/** Clicks the element of a selector. */
export const press = (selector: string): Promise<void> => act(async () => one(selector).click());
/** The button that says a text. @throws Error when none does */
export const button = (text: string): HTMLButtonElement => {
  const found = [...document.querySelectorAll('button')].find((element) => element.textContent?.includes(text));
  if (!found) throw new Error(`no button says ${text}`);
  return found;
};
/** Types a text into the field of a selector, in place of what it held. */
export const type = (selector: string, text: string): Promise<void> =>
  act(async () => {
    const input = one<HTMLInputElement>(selector);
    // Past React's own setter, so that it notices the change as it does a person's typing.
    Reflect.set(Object.getPrototypeOf(input) as object, 'value', text, input);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
