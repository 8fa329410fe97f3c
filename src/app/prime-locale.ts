import { addLocale, locale as showLocale, localeOptions } from 'primereact/api';
import type { Texts } from './i18n.ts';

type Words = Record<string, string | Record<string, string>>;
const names = (locale: string, count: number, options: Intl.DateTimeFormatOptions, day: (at: number) => Date): string[] => {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return Array.from({ length: count }, (_, at) => format.format(day(at)));
};
// 2023 began on a Sunday, with which PrimeReact's week begins.
const weekday = (at: number): Date => new Date(Date.UTC(2023, 0, 1 + at));
const month = (at: number): Date => new Date(Date.UTC(2023, at, 1));

/** Gives PrimeReact's own words (calendars, closing buttons, empty lists) the language of the interface, now and whenever it changes; until the returned function is called. */
export function keepPrimeLocale({ i18n, locale }: Texts): () => void {
  const follow = (): void => {
    const language = locale();
    const { aria = {}, ...words } = i18n.t('interface.prime', { returnObjects: true }) as Words;
    const basis = localeOptions('en') as Record<string, unknown> & { aria: Record<string, string> };
    addLocale(language === 'en' ? 'en-own' : language, {
      ...basis,
      ...words,
      aria: { ...basis.aria, ...(aria as Record<string, string>) },
      firstDayOfWeek: 1,
      dateFormat: 'dd.mm.yy',
      dayNames: names(language, 7, { weekday: 'long' }, weekday),
      dayNamesShort: names(language, 7, { weekday: 'short' }, weekday),
      dayNamesMin: names(language, 7, { weekday: 'short' }, weekday),
      monthNames: names(language, 12, { month: 'long' }, month),
      monthNamesShort: names(language, 12, { month: 'short' }, month),
    });
    showLocale(language === 'en' ? 'en-own' : language);
  };
  i18n.on('languageChanged', follow);
  follow();
  return () => i18n.off('languageChanged', follow);
}
