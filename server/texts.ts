import { createInstance, type i18n } from 'i18next';
import enAmenityReservations from '#locales/en/areas/amenity-reservations.json' with { type: 'json' };
import enAnnounces from '#locales/en/areas/announces.json' with { type: 'json' };
import enDevices from '#locales/en/areas/devices.json' with { type: 'json' };
import enIdentifiers from '#locales/en/areas/identifiers.json' with { type: 'json' };
import enUsers from '#locales/en/areas/users.json' with { type: 'json' };
import enErrors from '#locales/en/errors.json' with { type: 'json' };
import enList from '#locales/en/list.json' with { type: 'json' };
import enValidation from '#locales/en/validation.json' with { type: 'json' };
import ruAmenityReservations from '#locales/ru/areas/amenity-reservations.json' with { type: 'json' };
import ruAnnounces from '#locales/ru/areas/announces.json' with { type: 'json' };
import ruDevices from '#locales/ru/areas/devices.json' with { type: 'json' };
import ruIdentifiers from '#locales/ru/areas/identifiers.json' with { type: 'json' };
import ruUsers from '#locales/ru/areas/users.json' with { type: 'json' };
import ruErrors from '#locales/ru/errors.json' with { type: 'json' };
import ruList from '#locales/ru/list.json' with { type: 'json' };
import ruValidation from '#locales/ru/validation.json' with { type: 'json' };
import type { AreaName } from '#models/areas.ts';
import { isWireCode, messageKey } from '#models/problem.ts';
import { type Locale, locales } from '#models/constants.ts';

const resources: Record<Locale, Record<string, unknown>> = {
  en: {
    validation: enValidation,
    list: enList,
    areas: { 'amenity-reservations': enAmenityReservations, announces: enAnnounces, devices: enDevices, identifiers: enIdentifiers, users: enUsers },
  },
  ru: {
    validation: ruValidation,
    list: ruList,
    areas: { 'amenity-reservations': ruAmenityReservations, announces: ruAnnounces, devices: ruDevices, identifiers: ruIdentifiers, users: ruUsers },
  },
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

/** Why something was refused, in somebody's language: by the rule of the field where there is one, else by the wire message. */
export function errorText(locale: Locale, { code, message, rule }: { code: string; message: string; rule?: string | undefined }): string {
  const byRule = rule === undefined ? null : wordsOf(locale, `validation.${rule}`);
  const known: Readonly<Record<string, string>> = { en: enErrors.http, ru: ruErrors.http }[locale];
  const text = isWireCode(code) ? known[messageKey(message)] : undefined;
  return byRule ?? (text === undefined || text.includes('{{') ? message : text);
}

/** Reads the texts of an area, or of the reports, in all languages: `wordsOf` knows them from then on. */
export async function loadAreaTexts(area: AreaName | 'reports'): Promise<void> {
  const read = async (locale: Locale) => {
    const { default: texts } = (await import(`../locales/${locale}/areas/${area}.json`)) as { default: object };
    instance().addResourceBundle(locale, 'translation', { areas: { [area]: texts } }, true, true);
  };
  await Promise.all(locales.map(read));
}

/** The words of a key in somebody's language; null where there are none. */
export function wordsOf(locale: Locale, key: string, params: Record<string, unknown> = {}): string | null {
  const { t, exists } = instance();
  const count = ['count', 'length', 'max_days', 'max_count'].map((name) => params[name]).find((value) => typeof value === 'number');
  const given = { ...params, ...(count !== undefined && { count }), lng: locale };
  return exists(key, given) ? String(t(key, given)) : null;
}

/** The keys right below one whose words contain a text in any language, whatever the case. */
export function keysSaying(below: string, text: string): string[] {
  const said = (locale: Locale) => Object.entries(instance().getResource(locale, 'translation', below) as Readonly<Record<string, string>>);
  const keys = locales.flatMap((locale) => said(locale).flatMap(([key, words]) => (words.toLowerCase().includes(text.toLowerCase()) ? [key] : [])));
  return [...new Set(keys)];
}
