import { eq } from 'drizzle-orm';
import { utc } from '#models/time.ts';
import { hashToken, makeToken } from '../access/principal.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { defineLetter, writeLetter } from '../mail/letters.ts';
import { linkBase } from '../settings/general.ts';
import { mails, oneTimeLinks } from '../db/schema/index.ts';

/** A mail to be written: to whom, in which project. */
interface Letter {
  projectId: string;
  /** Whose sign-in the mail may open; null: nobody's. */
  userId: string | null;
  recipient: string;
  subject: string;
  body: string;
}

/** Writes a mail into the outbox, within the change that causes it; the post takes it from there. */
export async function writeMail(db: Db, letter: Letter, at: Date): Promise<void> {
  await db.insert(mails).values({ ...letter, subject: letter.subject.replaceAll(/[\r\n]+/g, ' '), createdAt: at });
}

/** The person who is to register. */
export interface Invited {
  id: string;
  projectId: string;
  name: string;
  email: string;
  locale: string;
}

const linkLifeDays = 7;

const invitation = defineLetter('registration', {
  en: ({ name, link }) => ({
    subject: 'Your Doorward account',
    body: `Hello ${name},\n\nAn account has been created for you. Choose your password here:\n${link}\n\nThe link works once and is valid for ${linkLifeDays} days.\n`,
  }),
  ru: ({ name, link }) => ({
    subject: 'Ваша учётная запись Doorward',
    body: `Здравствуйте, ${name}!\n\nДля вас создана учётная запись. Задайте пароль по ссылке:\n${link}\n\nСсылка действует ${linkLifeDays} дней, воспользоваться ею можно один раз.\n`,
  }),
});

/** Makes a link by which a person completes their registration and answers its address; earlier ones stop working. */
export async function makeRegistrationLink(
  db: Db,
  services: Pick<Services, 'config' | 'now'>,
  user: { id: string; projectId: string },
): Promise<string> {
  const at = services.now();
  const userId = user.id;
  const token = makeToken();
  await db.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId));
  await db.insert(oneTimeLinks).values({
    hash: hashToken(token),
    kind: 'registration',
    userId,
    expiresAt: utc(at).add(linkLifeDays, 'day').toDate(),
    createdAt: at,
  });
  return `${await linkBase(db, services, user.projectId)}/registration/${token}`;
}

/** Makes a person's registration link and mails it. */
export async function sendRegistrationLink(db: Db, services: Pick<Services, 'config' | 'now'>, user: Invited): Promise<void> {
  const link = await makeRegistrationLink(db, services, user);
  const { projectId, id: userId, email: recipient, name } = user;
  const locale = user.locale === 'ru' ? 'ru' : 'en';
  await writeLetter(db, invitation, { projectId, userId, recipient, locale }, { name, link }, services.now());
}
