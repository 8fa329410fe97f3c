import { createInstance, type i18n } from 'i18next';
import enAreas from '#locales/en/areas/identifiers.json' with { type: 'json' };
import enList from '#locales/en/list.json' with { type: 'json' };
import enValidation from '#locales/en/validation.json' with { type: 'json' };
import ruAreas from '#locales/ru/areas/identifiers.json' with { type: 'json' };
import ruList from '#locales/ru/list.json' with { type: 'json' };
import ruValidation from '#locales/ru/validation.json' with { type: 'json' };
import { type Locale, locales } from '#models/constants.ts';

const resources: Record<Locale, Record<string, unknown>> = {
  en: { validation: enValidation, list: enList, areas: { identifiers: enAreas } },
  ru: { validation: ruValidation, list: ruList, areas: { identifiers: ruAreas } },
};
let words: i18n | undefined;

/** The words of the console that files made by the server need, too. */
function instance(): i18n {
  if (words) return words;
  words = createInstance();
  void words.init({
    initAsync: false,
    lng: locales[0],
    fallbackLng: locales[0],
    resources: Object.fromEntries(locales.map((locale) => [locale, { translation: resources[locale] }])),
    interpolation: { escapeValue: false },
  });
  return words;
}

/** The words of a key in somebody's language; null where there are none. */
export function wordsOf(locale: Locale, key: string, params: Record<string, unknown> = {}): string | null {
  const { t, exists } = instance();
  const count = ['count', 'length', 'max_days', 'max_count'].map((name) => params[name]).find((value) => typeof value === 'number');
  const given = { ...params, ...(count !== undefined && { count }), lng: locale };
  return exists(key, given) ? String(t(key, given)) : null;
}
