import { and, eq, sql } from 'drizzle-orm';
import type { Named } from '#models/define-model.ts';
import type { Profile } from '#models/profile.ts';
import { wholeHours } from '#models/zone.ts';
import { profileVersion } from '#server/access/principal.ts';
import type { Principal, Services } from '#server/context.ts';
import { inNameOrder } from '#server/crud/json.ts';
import type { Db } from '#server/db/database.ts';
import { projects, roles, sipNumbers, users } from '#server/db/schema/index.ts';
import { fileAddress } from '#server/files.ts';
import { featuresFor } from '#server/licences/features.ts';
import { HttpError } from '#server/http-error.ts';
import { unseal } from '#server/devices/secrets.ts';
import { sessionPassword } from '#server/telephony/accounts.ts';
import { readPhoneServer } from '#server/telephony/phone-server.ts';
import { firstNumber } from '../sip-numbers/give.ts';

/** The raw parts of a profile; one query. */
async function readParts(db: Db, userId: string) {
  const [parts] = await db
    .select({
      user: users,
      role: roles,
      project: projects,
      domains: sql<
        Named[]
      >`coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by ${inNameOrder(sql`g.name`)}, g.id) from user_domains d join groups g on g.id = d.group_id where d.user_id = users.id), '[]'::json)`,
      available: sql<string[]>`to_json(array(select a.available_id from available_roles a where a.role_id = roles.id order by 1))`,
      version: sql<string>`${profileVersion('users', 'roles', 'projects')}`,
    })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .innerJoin(projects, eq(projects.id, users.projectId))
    .where(eq(users.id, userId));
  return parts;
}

/** The number that rings for a person: of several the first they were given that is on. */
export async function ownNumber(db: Db, userId: string): Promise<Pick<typeof sipNumbers.$inferSelect, 'number' | 'name' | 'passwordCipher'> | null> {
  const [number] = await db
    .select({ number: sipNumbers.number, name: sipNumbers.name, passwordCipher: sipNumbers.passwordCipher })
    .from(sipNumbers)
    .where(and(eq(sipNumbers.userId, userId), eq(sipNumbers.isActive, true)))
    .orderBy(...firstNumber)
    .limit(1);
  return number ?? null;
}

/** What the web phone registers with: here a password of the session, with another server the number's own, which is all that one knows. */
async function sipAccount(
  services: Services,
  { id, projectId, sessionId }: Pick<Principal, 'id' | 'projectId' | 'sessionId'>,
): Promise<Profile['profile']['sip_number']> {
  const own = await ownNumber(services.db, id);
  if (!own) return null;
  const { number, name, passwordCipher } = own;
  if (!(await readPhoneServer(services.db, projectId))) return { number, name, password: sessionPassword(services, sessionId, number) };
  return { number, name, ...(passwordCipher !== null && { password: unseal(services, passwordCipher) }) };
}

/** The profile of a person as the wire has it. */
export async function readProfile(
  services: Services,
  person: Pick<Principal, 'id' | 'projectId' | 'domains' | 'sessionId' | 'mustEnrol'>,
): Promise<Profile> {
  const parts = await readParts(services.db, person.id);
  if (!parts) throw new HttpError('not_found');
  const { user, role, project } = parts;
  return {
    id: user.id,
    login: user.login,
    email: user.email,
    name: user.name,
    locale: user.locale as Profile['locale'],
    is_verified: user.isVerified,
    avatar_url: fileAddress(user.avatarFile),
    is_invited: user.isInvited,
    must_enrol: person.mustEnrol ?? false,
    role: { id: role.id, name: role.name, permissions: role.permissions, available_roles: parts.available },
    domains: parts.domains,
    project: { id: project.id, uid: project.uid, name: project.name, description: project.description },
    profile: {
      address: user.address,
      phone: user.phone,
      // Summer time comes and goes after the choice was stored.
      time_zone: user.timeZoneName === null ? user.timeZone : wholeHours(user.timeZoneName, services.now().getTime()),
      time_zone_name: user.timeZoneName,
      time_format: user.timeFormat as Profile['profile']['time_format'],
      identifier_format: user.identifierFormat as Profile['profile']['identifier_format'],
      sip_number: person.mustEnrol ? null : await sipAccount(services, person),
      is_app_popup_active: user.isAppPopupActive,
      notification_settings: user.notificationSettings,
    },
    license_info: user.licenseInfo,
    features: await featuresFor(services, person, services.now()),
    app_url: services.config.appUrl,
    version: parts.version,
  };
}
