import { addLocale, locale as setLocale, PrimeReactProvider } from 'primereact/api';
import type { ReactNode } from 'react';
import type { Locale } from '#models/constants.ts';
import { calendarNames } from '#models/time.ts';
import { type Text, useText } from '../text.ts';

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Tells PrimeReact's controls the names of days and months and what their own buttons are called; they read it while they are drawn. */
function speak(locale: Locale, t: Text['t']): void {
  const names = calendarNames(locale);
  addLocale(locale, {
    monthNames: names.months.map(capital),
    monthNamesShort: names.monthsShort.map(capital),
    dayNames: names.days,
    dayNamesShort: names.daysShort,
    dayNamesMin: names.daysMin.map(capital),
    firstDayOfWeek: names.weekStart,
    chooseDate: t('list.calendar.choose_date'),
    chooseMonth: t('list.calendar.choose_month'),
    chooseYear: t('list.calendar.choose_year'),
    nextMonth: t('list.calendar.next_month'),
    prevMonth: t('list.calendar.previous_month'),
    nextYear: t('list.calendar.next_year'),
    prevYear: t('list.calendar.previous_year'),
    nextDecade: t('list.calendar.next_decade'),
    prevDecade: t('list.calendar.previous_decade'),
    emptyMessage: t('list.picker.nothing'),
    emptyFilterMessage: t('list.picker.nothing'),
  });
  setLocale(locale);
}

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;

/**
 * What PrimeReact's controls stand in: it speaks the page's language, and marks the styles that they bring with the page's
 * nonce, without which the content security policy would keep them out. Comes with the first of them, never before.
 */
export function Prime({ children }: { children: ReactNode }) {
  const { t, locale } = useText();
  speak(locale, t);
  return (
    <PrimeReactProvider key={locale} value={{ locale, cssTransition: false, ...(nonce && { nonce }) }}>
      {children}
    </PrimeReactProvider>
  );
}
