import type { Locale } from '#models/constants.ts';
import type { MailTypeId, PlaceholderOf } from '#models/mail-templates.ts';
import { deviceName } from '#models/device-name.ts';
import { clockAt } from '#models/zone.ts';
import type { Origin } from '../access/principal.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { users } from '../db/schema/index.ts';
import { defineLetter, type Letter, writeLetter } from '../mail/letters.ts';
import { linkBase } from '../settings/general.ts';

/** What a mail about an account asks of its row. */
export const recipientColumns = {
  id: users.id,
  projectId: users.projectId,
  login: users.login,
  name: users.name,
  email: users.email,
  locale: users.locale,
  timeZone: users.timeZone,
  timeZoneName: users.timeZoneName,
  timeFormat: users.timeFormat,
};
/** Whom a mail about an account is written to. */
export type Recipient = Pick<typeof users.$inferSelect, keyof typeof recipientColumns>;

interface Happened {
  name: string;
  login: string;
  when: string;
  place: string;
  device: string;
  console: string;
}

const recovery = defineLetter('recovery', {
  en: ({ name, login, link }) => ({
    subject: 'Reset your Doorward password',
    body: `Hello ${name},\n\nA new password was requested for your account (login: ${login}). Choose it here:\n${link}\n\nThe link works once and is valid for one hour. When the password is changed, you are signed out on all devices.\n\nIf you did not request this, ignore this e-mail: your password stays as it is.\n`,
  }),
  ru: ({ name, login, link }) => ({
    subject: 'Восстановление пароля Doorward',
    body: `Здравствуйте, ${name}!\n\nДля вашей учётной записи (логин: ${login}) запрошен новый пароль. Задайте его по ссылке:\n${link}\n\nСсылка действует один час, воспользоваться ею можно один раз. После смены пароля вы выйдете из системы на всех устройствах.\n\nЕсли вы ничего не запрашивали, просто проигнорируйте это письмо: пароль останется прежним.\n`,
  }),
});

const passwordChanged = defineLetter('password_changed', {
  en: ({ name, login, when, place, device, console }) => ({
    subject: 'Your Doorward password was changed',
    body: `Hello ${name},\n\nThe password of your account (login: ${login}) was changed.\n\nWhen: ${when}\nIP address: ${place}\nDevice: ${device}\n\nIf this was not you, request a new password at once:\n${console}/password/recovery\n`,
  }),
  ru: ({ name, login, when, place, device, console }) => ({
    subject: 'Ваш пароль Doorward изменён',
    body: `Здравствуйте, ${name}!\n\nПароль вашей учётной записи (логин: ${login}) изменён.\n\nКогда: ${when}\nIP-адрес: ${place}\nУстройство: ${device}\n\nЕсли это были не вы, сразу запросите новый пароль:\n${console}/password/recovery\n`,
  }),
});

const secondFactorOff = defineLetter('second_factor_off', {
  en: ({ name, login, when, place, device, console }) => ({
    subject: 'The second factor of your Doorward account was turned off',
    body: `Hello ${name},\n\nYour account (login: ${login}) no longer asks for a code when you sign in.\n\nWhen: ${when}\nIP address: ${place}\nDevice: ${device}\n\nIf neither you nor your administrator did this, request a new password at once:\n${console}/password/recovery\n`,
  }),
  ru: ({ name, login, when, place, device, console }) => ({
    subject: 'Второй фактор вашей учётной записи Doorward отключён',
    body: `Здравствуйте, ${name}!\n\nПри входе в вашу учётную запись (логин: ${login}) код больше не запрашивается.\n\nКогда: ${when}\nIP-адрес: ${place}\nУстройство: ${device}\n\nЕсли это сделали не вы и не ваш администратор, сразу запросите новый пароль:\n${console}/password/recovery\n`,
  }),
});

const passkeyAdded = defineLetter('passkey_added', {
  en: ({ name, login, passkey, when, place, device, console }) => ({
    subject: 'A passkey was added to your Doorward account',
    body: `Hello ${name},\n\nThe passkey “${passkey}” was added to your account (login: ${login}). It signs in without a password.\n\nWhen: ${when}\nIP address: ${place}\nDevice: ${device}\n\nIf this was not you, remove it in your profile, under “Passkeys”:\n${console}/profile\nand choose a new password, which signs out all devices:\n${console}/password/recovery\n`,
  }),
  ru: ({ name, login, passkey, when, place, device, console }) => ({
    subject: 'К вашей учётной записи Doorward добавлен ключ доступа',
    body: `Здравствуйте, ${name}!\n\nК вашей учётной записи (логин: ${login}) добавлен ключ доступа «${passkey}». С ним можно войти без пароля.\n\nКогда: ${when}\nIP-адрес: ${place}\nУстройство: ${device}\n\nЕсли это были не вы, удалите его в профиле, в разделе «Ключи доступа»:\n${console}/profile\nи задайте новый пароль — это завершит сеансы на всех устройствах:\n${console}/password/recovery\n`,
  }),
});

const passkeyRemoved = defineLetter('passkey_removed', {
  en: ({ name, login, passkey, when, place, device, console }) => ({
    subject: 'A passkey of your Doorward account was removed',
    body: `Hello ${name},\n\nThe passkey “${passkey}” can no longer be used to sign in to your account (login: ${login}).\n\nWhen: ${when}\nIP address: ${place}\nDevice: ${device}\n\nIf neither you nor your administrator did this, request a new password at once:\n${console}/password/recovery\n`,
  }),
  ru: ({ name, login, passkey, when, place, device, console }) => ({
    subject: 'Ключ доступа вашей учётной записи Doorward удалён',
    body: `Здравствуйте, ${name}!\n\nС ключом доступа «${passkey}» больше нельзя войти в вашу учётную запись (логин: ${login}).\n\nКогда: ${when}\nIP-адрес: ${place}\nУстройство: ${device}\n\nЕсли это сделали не вы и не ваш администратор, сразу запросите новый пароль:\n${console}/password/recovery\n`,
  }),
});
const passkeyLetters = { passkey_added: passkeyAdded, passkey_removed: passkeyRemoved };

const newDevice = defineLetter('new_device', {
  en: ({ name, login, when, place, device, console }) => ({
    subject: 'New sign-in to your Doorward account',
    body: `Hello ${name},\n\nYour account (login: ${login}) was used to sign in from a device that has not been used before.\n\nWhen: ${when}\nIP address: ${place}\nDevice: ${device}\n\nIf this was you, no action is needed.\n\nIf not, end the session in your profile, under “Active sessions”:\n${console}/profile\nand choose a new password, which signs out all devices:\n${console}/password/recovery\n`,
  }),
  ru: ({ name, login, when, place, device, console }) => ({
    subject: 'Новый вход в вашу учётную запись Doorward',
    body: `Здравствуйте, ${name}!\n\nВ вашу учётную запись (логин: ${login}) вошли с устройства, которое раньше не использовалось.\n\nКогда: ${when}\nIP-адрес: ${place}\nУстройство: ${device}\n\nЕсли это были вы, ничего делать не нужно.\n\nЕсли нет, завершите этот сеанс в профиле, в разделе «Активные сеансы»:\n${console}/profile\nи задайте новый пароль — это завершит сеансы на всех устройствах:\n${console}/password/recovery\n`,
  }),
});

const confirmation = defineLetter('confirmation', {
  en: ({ name, code, link }) => ({
    subject: `Your Doorward confirmation code: ${code}`,
    body: `Hello ${name},\n\nTo complete your registration, enter this code:\n${code}\n\nor open this link:\n${link}\n\nBoth are valid for one day. If you did not register, ignore this e-mail.\n`,
  }),
  ru: ({ name, code, link }) => ({
    subject: `Код подтверждения Doorward: ${code}`,
    body: `Здравствуйте, ${name}!\n\nЧтобы завершить регистрацию, введите код:\n${code}\n\nили откройте ссылку:\n${link}\n\nКод и ссылка действуют сутки. Если вы не регистрировались, просто проигнорируйте это письмо.\n`,
  }),
});

const alreadyRegistered = defineLetter('already_registered', {
  en: ({ name, login, console }) => ({
    subject: 'You already have a Doorward account',
    body: `Hello ${name},\n\nSomeone tried to register with this address, but you already have an account (login: ${login}).\n\nSign in:\n${console}/login\nForgot your password?\n${console}/password/recovery\n\nIf it was not you, ignore this e-mail.\n`,
  }),
  ru: ({ name, login, console }) => ({
    subject: 'У вас уже есть учётная запись Doorward',
    body: `Здравствуйте, ${name}!\n\nКто-то пытался зарегистрироваться с этим адресом, но у вас уже есть учётная запись (логин: ${login}).\n\nВход:\n${console}/login\nЗабыли пароль?\n${console}/password/recovery\n\nЕсли это были не вы, просто проигнорируйте это письмо.\n`,
  }),
});

const registered = defineLetter('registered', {
  en: ({ name, email, object, console }) => ({
    subject: `New registration: ${name}`,
    body: `${name} (${email}) has registered.\nAddress given: ${object}\n\nThe account is not in a group yet. Check who it is and add it to one:\n${console}/users\n`,
  }),
  ru: ({ name, email, object, console }) => ({
    subject: `Новая регистрация: ${name}`,
    body: `Зарегистрировался новый пользователь: ${name} (${email}).\nУказанный адрес: ${object}\n\nУчётная запись пока не входит ни в одну группу. Проверьте, кто это, и добавьте в группу:\n${console}/users\n`,
  }),
});

const languageOf = ({ locale }: Pick<Recipient, 'locale'>): Locale => (locale === 'ru' ? 'ru' : 'en');

async function write<T extends MailTypeId>(
  db: Db,
  user: Recipient,
  letter: Letter<T>,
  given: Record<Exclude<PlaceholderOf<T>, 'product'>, string | null>,
  at: Date,
): Promise<void> {
  const { projectId, id: userId, email: recipient } = user;
  if (recipient !== null) await writeLetter(db, letter, { projectId, userId, recipient, locale: languageOf(user) }, given, at);
}

type About = Pick<Services, 'config' | 'now'>;

const unknown: Record<Locale, string> = { en: 'unknown', ru: 'неизвестно' };

/** When and from where something happened, as its reader reads times. */
async function happened(db: Db, services: About, user: Recipient, origin: Origin): Promise<Happened> {
  const clock = clockAt({ zoneHours: user.timeZone, zoneName: user.timeZoneName }, services.now().getTime());
  return {
    name: user.name,
    login: user.login,
    when: clock.format(`${user.timeFormat} HH:mm`),
    place: origin.ip,
    device: deviceName(origin.userAgent) ?? unknown[languageOf(user)],
    console: await linkBase(db, services, user.projectId),
  };
}

/** Mails somebody the link by which they choose a new password. */
export async function mailRecoveryLink(db: Db, services: About, user: Recipient, token: string): Promise<void> {
  const link = `${await linkBase(db, services, user.projectId)}/password/reset/${token}`;
  await write(db, user, recovery, { name: user.name, login: user.login, link }, services.now());
}

/** Tells somebody that their password was changed, and from where. */
export async function mailPasswordChanged(db: Db, services: About, user: Recipient, origin: Origin): Promise<void> {
  await write(db, user, passwordChanged, await happened(db, services, user, origin), services.now());
}

/** Tells somebody of a sign-in from a device that was not seen before. */
export async function mailNewDevice(db: Db, services: About, user: Recipient, origin: Origin): Promise<void> {
  await write(db, user, newDevice, await happened(db, services, user, origin), services.now());
}

/** Who is registering, before there is an account. */
export type Newcomer = Pick<Recipient, 'projectId' | 'name' | 'locale'> & { email: string };

/** Mails somebody the code and the link by which they prove their address. */
export async function mailConfirmation(db: Db, services: About, person: Newcomer, { code, token }: { code: string; token: string }): Promise<void> {
  const link = `${await linkBase(db, services, person.projectId)}/registration/confirm/${token}`;
  const to = { projectId: person.projectId, userId: null, recipient: person.email, locale: languageOf(person) };
  await writeLetter(db, confirmation, to, { name: person.name, code, link }, services.now());
}

/** Tells the owner of an account that somebody tried to register with their address. */
export async function mailAlreadyRegistered(db: Db, services: About, user: Recipient): Promise<void> {
  const console = await linkBase(db, services, user.projectId);
  await write(db, user, alreadyRegistered, { name: user.name, login: user.login, console }, services.now());
}

/** Tells the administrator of a project, in its language, that somebody has registered. */
export async function mailRegistered(db: Db, services: About, to: Newcomer, about: { name: string; email: string; object: string }): Promise<void> {
  const console = await linkBase(db, services, to.projectId);
  const envelope = { projectId: to.projectId, userId: null, recipient: to.email, locale: languageOf(to) };
  await writeLetter(db, registered, envelope, { ...about, console }, services.now());
}

/** Tells somebody that their second factor was turned off, and from where. */
export async function mailSecondFactor(db: Db, services: About, user: Recipient, origin: Origin): Promise<void> {
  await write(db, user, secondFactorOff, await happened(db, services, user, origin), services.now());
}

/** Tells somebody that a passkey of theirs was added or removed, and from where. */
export async function mailPasskey(
  db: Db,
  services: About,
  user: Recipient,
  origin: Origin,
  what: keyof typeof passkeyLetters,
  passkey: string,
): Promise<void> {
  await write(db, user, passkeyLetters[what], { ...(await happened(db, services, user, origin)), passkey }, services.now());
}
