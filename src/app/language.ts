import type { Locale } from '#models/constants.ts';
import type { Profile } from '#models/profile.ts';
import type { LocalSettings } from '#src/adapters/local-settings.ts';
import type { SessionPorts } from '#src/adapters/session-ports.ts';
import type { Texts } from './i18n.ts';

interface Deps {
  texts: Pick<Texts, 'locale' | 'change'>;
  settings: Pick<LocalSettings, 'userLocale' | 'unsavedLocale'>;
  /** The id of whoever is signed in. */
  signedIn: () => string | null;
  saveLocale: SessionPorts['saveLocale'];
}

/** The language that is shown and the one of the profile, brought together. */
export function openLanguage({ texts, settings, signedIn, saveLocale }: Deps) {
  const { userLocale, unsavedLocale } = settings;
  /** Chosen on the way in, when there was no profile yet to save it in. */
  let chosen: Locale | null = null;
  /** Until the server has it, the choice is remembered here: a page that is reloaded now, or has no connection, would show the old language again. */
  const save = async (person: string, locale: Locale): Promise<void> => {
    const choice = { person, locale };
    unsavedLocale.set(choice);
    try {
      await saveLocale(locale);
    } catch {
      // The profile gets it when the person comes next.
      return;
    }
    if (unsavedLocale.get() === choice) unsavedLocale.set(null);
  };
  return {
    change: async (locale: Locale): Promise<void> => {
      userLocale.set(locale);
      const person = signedIn();
      // Noted before its words come: whoever signs in meanwhile keeps the choice.
      if (person === null) chosen = locale;
      await Promise.all([texts.change(locale), person !== null && save(person, locale)]);
    },
    /** The profile's language is shown, unless another was chosen on the way in or has not been saved yet: then the profile gets that one. */
    welcome: ({ id, locale }: Profile): void => {
      const unsaved = unsavedLocale.get();
      const mine = unsaved?.person === id ? unsaved.locale : null;
      // It was saved, and the answer met nobody.
      if (mine === locale) unsavedLocale.set(null);
      const wanted = chosen ?? mine ?? locale;
      chosen = null;
      if (wanted !== locale) void save(id, wanted);
      if (texts.locale() === wanted) return;
      userLocale.set(wanted);
      void texts.change(wanted);
    },
  };
}
