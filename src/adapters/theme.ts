import { type Remembered, remembered } from './followed.ts';
import type { KeyValueStore } from './storage.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';

/** The chosen theme, remembered and shown at once by the attribute that the tokens read (src/public/theme.js does it before the first paint). */
export function openTheme(storage: KeyValueStore, page: HTMLElement): Remembered<ThemeChoice> {
  const choice = remembered<ThemeChoice>(storage, 'theme', (stored) => (stored === 'light' || stored === 'dark' ? stored : 'system'));
  const show = (): void => {
    if (choice.get() === 'system') delete page.dataset['theme'];
    else page.dataset['theme'] = choice.get();
  };
  choice.follow(show);
  show();
  return choice;
}
