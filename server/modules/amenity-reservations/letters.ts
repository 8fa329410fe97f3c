import { defineLetter } from '#server/mail/letters.ts';

/** What is mailed to whoever has reserved something. */
export const reservationLetters = {
  canceled: defineLetter('reservation_canceled', {
    en: ({ name, who, amenity, when, link }) => ({
      subject: `Reservation cancelled: ${amenity}, ${when}`,
      body: `Hello ${name},\n\n${who} has cancelled your reservation:\n${amenity}, ${when}\n\nThe doors will not open for it. Your reservations:\n${link}\n`,
    }),
    ru: ({ name, who, amenity, when, link }) => ({
      subject: `Бронирование отменено: ${amenity}, ${when}`,
      body: `Здравствуйте, ${name}!\n\nПользователь ${who} отменил ваше бронирование:\n${amenity}, ${when}\n\nДвери по нему открываться не будут. Ваши бронирования:\n${link}\n`,
    }),
  }),
  changed: defineLetter('reservation_changed', {
    en: ({ name, who, was, amenity, when, persons, link }) => ({
      subject: `Reservation changed: ${amenity}, ${when}`,
      body: `Hello ${name},\n\n${who} has changed your reservation.\n\nBefore: ${was}\nNow: ${amenity}, ${when}\nNumber of people: ${persons}\n\n${link}\n`,
    }),
    ru: ({ name, who, was, amenity, when, persons, link }) => ({
      subject: `Бронирование изменено: ${amenity}, ${when}`,
      body: `Здравствуйте, ${name}!\n\nПользователь ${who} изменил ваше бронирование.\n\nБыло: ${was}\nСтало: ${amenity}, ${when}\nЧисло человек: ${persons}\n\n${link}\n`,
    }),
  }),
  reminder: defineLetter('reservation_reminder', {
    en: ({ name, amenity, when, persons, link }) => ({
      subject: `Reminder: ${amenity}, ${when}`,
      body: `Hello ${name},\n\nYour reservation begins soon:\n${amenity}, ${when}\nNumber of people: ${persons}\n\nIf you cannot come, cancel it so that others can use the time:\n${link}\n`,
    }),
    ru: ({ name, amenity, when, persons, link }) => ({
      subject: `Напоминание: ${amenity}, ${when}`,
      body: `Здравствуйте, ${name}!\n\nСкоро начнётся ваше бронирование:\n${amenity}, ${when}\nЧисло человек: ${persons}\n\nЕсли вы не придёте, отмените его, чтобы это время могли занять другие:\n${link}\n`,
    }),
  }),
};
