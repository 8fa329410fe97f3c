import { eq } from 'drizzle-orm';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { readBlock } from '#server/settings/store.ts';
import { refusedField } from '../roles/rules.ts';
import { sendRegistrationLink } from '../mail.ts';

/** A person who may be sent a registration link, if they have an address. */
interface Candidate {
  id: string;
  projectId: string;
  name: string;
  email: string | null;
  locale: string;
}

/** Mails a registration link. @throws HttpError `user_needs_email`; `forbidden` where the project has closed registration by link */
export async function invite(services: Services, tx: Db, { email, ...person }: Candidate): Promise<void> {
  if (!email) throw new HttpError('user_needs_email', { issues: [{ path: ['email'], rule: 'user_needs_email', params: {} }] });
  const { value } = await readBlock(tx, person.projectId, 'general');
  if (!value.registration.by_token) throw refusedField('send_registration_link', 'registration_by_link_closed');
  await sendRegistrationLink(tx, services, { ...person, email });
}

/** Sends somebody their registration link (again); earlier ones stop working. @throws HttpError `user_registered` */
export async function inviteAgain(services: Services, principal: Principal, tx: Db, id: string): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.id, id));
  if (!user) throw new HttpError('not_found');
  if (user.activatedAt > 0) throw new HttpError('user_registered');
  await invite(services, tx, user);
  await tx.update(users).set({ isInvited: true }).where(eq(users.id, id));
  await audit(tx, principal, { area: 'users', action: 'registration_link', entityId: id, entityName: user.name }, services.now());
}
