import type { Locale } from '#models/constants.ts';
import { utc } from '#models/time.ts';
import type { Principal, Services } from '#server/context.ts';
import { audit } from '#server/audit.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { holdRow, transact } from '#server/crud/write.ts';
import { HttpError } from '#server/http-error.ts';
import { defineLetter, writeLetter } from '#server/mail/letters.ts';
import { linkBase } from '#server/settings/general.ts';
import { guestIdentifiersRepository } from './repository.ts';

const letter = defineLetter('guest', {
  en: ({ host, project, link, until, message }) => ({
    subject: `Your guest access: ${project}`,
    body: `Hello,\n\n${host} has given you guest access to ${project}. Open this page at the door:\n${link}\n${until ? `\nValid until ${until} (UTC).\n` : ''}${message ? `\n${message}\n` : ''}\nDo not pass the link on: anyone who has it can open the doors.\n`,
  }),
  ru: ({ host, project, link, until, message }) => ({
    subject: `Гостевой доступ: ${project}`,
    body: `Здравствуйте!\n\n${host} открывает вам гостевой доступ: ${project}. Откройте эту страницу у двери:\n${link}\n${until ? `\nДействует до ${until} (UTC).\n` : ''}${message ? `\n${message}\n` : ''}\nНикому не пересылайте ссылку: двери откроет любой, у кого она есть.\n`,
  }),
});

const untilOf = (period: unknown): string | null => {
  const { to } = (period ?? {}) as { to?: string | null };
  return to ? utc(to).format('YYYY-MM-DD HH:mm') : null;
};

/** Sends a guest the link to their page. @throws HttpError `not_found`, `forbidden`; `guest_invalid` for a key that opens nothing any more */
export async function mailGuest(
  services: Services,
  principal: Principal,
  id: string,
  { email, locale, project }: { email: string; locale: Locale; project: string },
): Promise<void> {
  await auditRefused(services, principal, { area: 'guest-identifiers', verb: 'edit', id }, () =>
    transact(services, async (tx) => {
      const row = await holdRow(tx, guestIdentifiersRepository, principal, 'edit', id);
      if (typeof row['url'] !== 'string' || row['revoked_at'] !== null) throw new HttpError('guest_invalid');
      const at = services.now();
      const values = {
        host: principal.name,
        project,
        link: `${await linkBase(tx, services, principal.projectId)}${row['url']}`,
        until: untilOf(row['validatePeriod']),
        message: row['keyMessage'] as string | null,
      };
      const to = { projectId: principal.projectId, userId: principal.id, recipient: email, locale };
      await writeLetter(tx, letter, to, values, at);
      const changes = { email: { before: null, after: email } };
      await audit(tx, principal, { area: 'guest-identifiers', action: 'mail_sent', entityId: id, entityName: String(row['name']), changes }, at);
    }),
  );
}
