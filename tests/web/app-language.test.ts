import { describe, expect, it, vi } from 'vitest';
import type { Locale } from '#models/constants.ts';
import type { Profile } from '#models/profile.ts';
import { openLanguage } from '#src/app/language.ts';

/** A console in English, whose words of another language come when the test says so. */
function open({ isSignedIn = false } = {}) {
  let shown: Locale = 'en';
  let signedIn = isSignedIn;
  const waiting: (() => void)[] = [];
  const saveLocale = vi.fn<(locale: Locale) => Promise<void>>(() => Promise.resolve());
  const stored = vi.fn<(locale: Locale) => void>();
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
    settings: { userLocale: { set: stored } as unknown as Parameters<typeof openLanguage>[0]['settings']['userLocale'] },
    isSignedIn: () => signedIn,
    saveLocale,
  });
  return {
    ...language,
    signIn: (locale: Locale) => {
      signedIn = true;
      language.welcome({ locale } as Profile);
    },
    /** All words that were asked for are there. */
    arrive: async () => {
      for (const next of waiting.splice(0)) next();
      await Promise.resolve();
      await Promise.resolve();
    },
    shown: () => shown,
    saveLocale,
    stored,
  };
}

describe('the language of a person who signs in', () => {
  it('is that of the profile', async () => {
    const { signIn, arrive, shown, saveLocale, stored } = open();
    signIn('ru');
    await arrive();
    expect(shown()).toBe('ru');
    expect(stored.mock.lastCall).toEqual(['ru']);
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
    expect(stored.mock.lastCall).toEqual(['ru']);
    expect(saveLocale.mock.calls).toEqual([['ru']]);
  });

  it('is that of the next person’s profile: a choice is for the first who signs in after it', async () => {
    const { change, signIn, arrive, shown, saveLocale } = open();
    void change('ru');
    await arrive();
    signIn('ru');
    signIn('en');
    await arrive();
    expect(shown()).toBe('en');
    expect(saveLocale).not.toHaveBeenCalled();
  });

  it('changed while signed in goes to the profile', async () => {
    const { change, arrive, shown, saveLocale } = open({ isSignedIn: true });
    void change('ru');
    await arrive();
    expect(shown()).toBe('ru');
    expect(saveLocale.mock.calls).toEqual([['ru']]);
  });
});
