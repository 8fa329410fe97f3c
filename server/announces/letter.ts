import { defineLetter } from '../mail/letters.ts';

/** An announcement as a mail. */
export const announceLetter = defineLetter('announce', {
  en: ({ name, sender, title, text, link }) => ({
    subject: title,
    body: `Hello ${name},\n\n${sender} has sent you an announcement:\n\n${title}\n\n${text}\n\nRead it in Doorward:\n${link}\n`,
  }),
  ru: ({ name, sender, title, text, link }) => ({
    subject: title,
    body: `Здравствуйте, ${name}!\n\n${sender} отправляет вам объявление:\n\n${title}\n\n${text}\n\nОткрыть в Doorward:\n${link}\n`,
  }),
});
