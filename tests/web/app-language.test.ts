import { describe, expect, it, vi } from 'vitest';
import type { Locale } from '#models/constants.ts';
import type { Profile } from '#models/profile.ts';
import { openLocalSettings } from '#src/adapters/local-settings.ts';
import { openLanguage } from '#src/app/language.ts';
import { memoryStore } from './support/stores.ts';

/** A console in English, whose words of another language come when the test says so. */
function open({ signedIn = null as string | null, store = memoryStore() } = {}) {
  const settings = openLocalSettings(store);
  let shown: Locale = settings.userLocale.get() ?? 'en';
  let person = signedIn;
  const waiting: (() => void)[] = [];
  const saveLocale = vi.fn<(locale: Locale) => Promise<void>>(() => Promise.resolve());
  const language = openLanguage({
    texts: {
      locale: () => shown,
      change: (next) =>
        new Promise((done) => {
          waiting.push(() => {
            shown = next;
            done();
          });
        }),
    },
    settings,
    signedIn: () => person,
    saveLocale,
  });
  return {
    ...language,
    signIn: (locale: Locale, id = 'anna') => {
      person = id;
      language.welcome({ id, locale } as Profile);
    },
    /** All words that were asked for are there. */
    arrive: async () => {
      for (const next of waiting.splice(0)) next();
      await Promise.resolve();
      await Promise.resolve();
    },
    shown: () => shown,
    saveLocale,
    /** The language this device begins in next time. */
    stored: () => openLocalSettings(store).userLocale.get(),
    /** The page is loaded anew. */
    reload: () => open({ store }),
  };
}

describe('the language of a person who signs in', () => {
  it('is that of the profile', async () => {
    const { signIn, arrive, shown, saveLocale, stored } = open();
    signIn('ru');
    await arrive();
    expect(shown()).toBe('ru');
    expect(stored()).toBe('ru');
    expect(saveLocale).not.toHaveBeenCalled();
  });

  it.each([
    ['before', true],
    ['while its words are on their way', false],
  ])('is the one chosen %s, which the profile gets', async (_when, isThere) => {
    const { change, signIn, arrive, shown, saveLocale, stored } = open();
    void change('ru');
    if (isThere) await arrive();
    signIn('en');
    await arrive();
    expect(shown()).toBe('ru');
    expect(stored()).toBe('ru');
    expect(saveLocale.mock.calls).toEqual([['ru']]);
  });

  it('is that of the next person’s profile: a choice is for the first who signs in after it', async () => {
    const { change, signIn, arrive, shown, saveLocale } = open();
    void change('ru');
    await arrive();
    signIn('ru');
    signIn('en', 'boris');
    await arrive();
    expect(shown()).toBe('en');
    expect(saveLocale).not.toHaveBeenCalled();
  });

  it('changed while signed in goes to the profile, before its words have come', async () => {
    const { change, arrive, shown, saveLocale, reload } = open({ signedIn: 'anna' });
    void change('ru');
    expect(saveLocale.mock.calls).toEqual([['ru']]);
    await arrive();
    expect(shown()).toBe('ru');
    // Another choice, on another device.
    const again = reload();
    again.signIn('en');
    await again.arrive();
    expect(again.shown()).toBe('en');
  });

  it.each([
    ['was still on its way to the profile', () => new Promise<void>(() => {})],
    ['could not be saved', () => Promise.reject(new Error('no connection'))],
  ])('stays over a reload where it %s, and is saved then', async (_how, answer) => {
    const before = open({ signedIn: 'anna' });
    before.saveLocale.mockImplementation(answer);
    void before.change('ru');
    await before.arrive();

    const after = before.reload();
    after.signIn('en');
    await after.arrive();
    expect([after.shown(), after.stored()]).toEqual(['ru', 'ru']);
    expect(after.saveLocale.mock.calls).toEqual([['ru']]);
  });

  it('that was saved while the page went is not saved again: what another device chooses later counts', async () => {
    const before = open({ signedIn: 'anna' });
    before.saveLocale.mockImplementation(() => new Promise<void>(() => {}));
    void before.change('ru');
    await before.arrive();
    const after = before.reload();
    after.signIn('ru');
    const last = after.reload();
    last.signIn('en');
    await last.arrive();
    expect(last.shown()).toBe('en');
    expect([after.saveLocale.mock.calls, last.saveLocale.mock.calls]).toEqual([[], []]);
  });

  it('is not taken from what somebody else could not save', async () => {
    const before = open({ signedIn: 'anna' });
    before.saveLocale.mockRejectedValue(new Error('no connection'));
    void before.change('ru');
    await before.arrive();
    const after = before.reload();
    after.signIn('en', 'boris');
    await after.arrive();
    expect(after.shown()).toBe('en');
    expect(after.saveLocale).not.toHaveBeenCalled();
  });
});
