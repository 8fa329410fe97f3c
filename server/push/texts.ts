import type { Locale } from '#models/constants.ts';

/** What reaches a person whose page is closed. */
export type PushKind = 'sos' | 'call' | 'alarm' | 'emergency' | 'drill' | 'over';

/** A locked screen is read by anybody: it says that something waits, and not who or where. An emergency alert says itself, after the word for what it is. */
export const pushTexts: Record<Locale, Record<PushKind, { title: string; body: string }>> = {
  en: {
    sos: { title: 'SOS call', body: 'Open the console to answer it.' },
    call: { title: 'Call waiting', body: 'Open the console to answer it.' },
    alarm: { title: 'Alarm raised', body: 'Open the console to see where.' },
    emergency: { title: 'Emergency', body: 'Open the console to read it.' },
    drill: { title: 'Drill', body: 'Open the console to read it.' },
    over: { title: 'Ended', body: 'This alert has been stopped.' },
  },
  ru: {
    sos: { title: 'Вызов SOS', body: 'Откройте консоль, чтобы ответить.' },
    call: { title: 'Ожидает вызов', body: 'Откройте консоль, чтобы ответить.' },
    alarm: { title: 'Тревога', body: 'Откройте консоль, чтобы узнать где.' },
    emergency: { title: 'Экстренное оповещение', body: 'Откройте консоль, чтобы прочитать.' },
    drill: { title: 'Учебная тревога', body: 'Откройте консоль, чтобы прочитать.' },
    over: { title: 'Отбой', body: 'Оповещение остановлено.' },
  },
};
/** Where a press on it leads. */
export const pushPaths: Record<PushKind, string> = {
  sos: '/home',
  call: '/home',
  alarm: '/notifications?type=alarm',
  emergency: '/home',
  drill: '/home',
  over: '/home',
};

/** What a push says to somebody of a language. */
export function spokenPush(
  { kind, says }: { kind: PushKind; says?: { title: string; body: string } },
  locale: Locale,
): { title: string; body: string } {
  const words = pushTexts[locale][kind];
  return says ? { title: `${words.title}: ${says.title}`, body: says.body || words.body } : words;
}
