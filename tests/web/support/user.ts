import userEvent, { type UserEvent } from '@testing-library/user-event';
import { vi } from 'vitest';

/** A person at the keyboard and the mouse, whose time goes on where it is faked too. */
export const newUser = (): UserEvent =>
  userEvent.setup({
    advanceTimers: async (time) => {
      if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(time);
    },
  });

/** Puts a text in place of what a field holds, at once: each letter by itself draws a whole form anew, some 40 ms. */
export async function fill(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) throw new Error('only fields take text');
  await user.click(field);
  field.select();
  await (text === '' ? user.keyboard('{Delete}') : user.paste(text));
}

/** What is read out with a control besides its name: its hint and what is wrong with it. */
export const descriptionOf = (control: HTMLElement): string[] =>
  (control.getAttribute('aria-describedby') ?? '').split(' ').flatMap((id) => document.getElementById(id)?.textContent ?? []);
