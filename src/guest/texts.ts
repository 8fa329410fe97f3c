import type { Locale } from '#models/constants.ts';
import en from '#locales/en/guest.json';
import ru from '#locales/ru/guest.json';

const texts: Readonly<Record<Locale, object>> = { en, ru };
type Params = Readonly<Record<string, string | number>>;

/** The words of the page in one language. */
export interface Words {
  locale: Locale;
  /** A key below `guest`; `count` chooses the plural form. */
  t: (key: string, params?: Params) => string;
  has: (key: string) => boolean;
}

/** The language of the visitor's browser, as far as we speak it. */
export const visitorLocale = (languages: readonly string[]): Locale => {
  const known = languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag === 'ru' || tag === 'en');
  return known === 'ru' ? 'ru' : 'en';
};

export function wordsIn(locale: Locale): Words {
  const plural = new Intl.PluralRules(locale);
  const find = (key: string): string | undefined => {
    const [, ...path] = key.split('.');
    const found = path.reduce<unknown>(
      (at, part) => (at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[part] : undefined),
      texts[locale],
    );
    return typeof found === 'string' ? found : undefined;
  };
  return {
    locale,
    has: (key) => find(key) !== undefined,
    t: (key, params = {}) => {
      const { count } = params;
      const text = (typeof count === 'number' ? find(`${key}_${plural.select(count)}`) : undefined) ?? find(key) ?? key;
      return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''));
    },
  };
}
