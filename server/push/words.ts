import type { Locale } from '#models/constants.ts';

/** What reaches a person whose page is closed. */
export type PushKind = 'sos' | 'call' | 'alarm';

/** A locked screen is read by anybody: it says that something waits, and not who or where. */
export const pushWords: Record<Locale, Record<PushKind, { title: string; body: string }>> = {
  en: {
    sos: { title: 'SOS call', body: 'Open the console to answer it.' },
    call: { title: 'Call waiting', body: 'Open the console to answer it.' },
    alarm: { title: 'Alarm raised', body: 'Open the console to see where.' },
  },
  ru: {
    sos: { title: 'Вызов SOS', body: 'Откройте консоль, чтобы ответить.' },
    call: { title: 'Ожидает вызов', body: 'Откройте консоль, чтобы ответить.' },
    alarm: { title: 'Тревога', body: 'Откройте консоль, чтобы узнать где.' },
  },
};
/** Where a press on it leads. */
export const pushPaths: Record<PushKind, string> = { sos: '/home', call: '/home', alarm: '/notifications?type=alarm' };
