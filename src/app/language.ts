import type { Locale } from '#models/constants.ts';
import type { Profile } from '#models/profile.ts';
import type { LocalSettings } from '#src/adapters/local-settings.ts';
import type { SessionPorts } from '#src/adapters/session-ports.ts';
import type { Texts } from './i18n.ts';

interface Deps {
  texts: Pick<Texts, 'locale' | 'change'>;
  settings: Pick<LocalSettings, 'userLocale'>;
  isSignedIn: () => boolean;
  saveLocale: SessionPorts['saveLocale'];
}

/** The language that is shown and the one of the profile, brought together. */
export function openLanguage({ texts, settings, isSignedIn, saveLocale }: Deps) {
  /** Chosen on the way in, when there was no profile yet to save it in. */
  let chosen: Locale | null = null;
  const save = (locale: Locale): Promise<void> =>
    // The choice holds on this device in any case; the profile gets it with the next change.
    saveLocale(locale).catch(() => {});
  return {
    change: async (locale: Locale): Promise<void> => {
      settings.userLocale.set(locale);
      const hasProfile = isSignedIn();
      // Noted before its words come: whoever signs in meanwhile keeps the choice.
      if (!hasProfile) chosen = locale;
      await texts.change(locale);
      if (hasProfile) await save(locale);
    },
    /** The profile's language is shown, unless another was chosen on the way in: then the profile gets that one. */
    welcome: ({ locale }: Profile): void => {
      const wanted = chosen ?? locale;
      chosen = null;
      if (wanted !== locale) return void save(wanted);
      if (texts.locale() === locale) return;
      settings.userLocale.set(locale);
      void texts.change(locale);
    },
  };
}
