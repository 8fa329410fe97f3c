import { and, eq, inArray } from 'drizzle-orm';
import { isWithinOwn, mayAssign } from '#models/roles.ts';
import { hasPermission } from '#models/permissions.ts';
import type { SelfRegistrationSettings, ShownClients } from '#models/project-settings.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { roles } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';
import { readAssignable } from '../modules/roles/rules.ts';
import { changeBlock, type Patch, readBlock } from './store.ts';

type Client = SelfRegistrationSettings['clients'][number];

/** The clients that may register by themselves; one whose role is gone is not among them. */
export async function shownClients(db: Db, projectId: string): Promise<ShownClients> {
  const { clients, simple_type } = (await readBlock(db, projectId, 'self_registration')).value;
  if (clients.length === 0) return { clients: [], simple_type: null };
  const known = await db
    .select({ id: roles.id, name: roles.name })
    .from(roles)
    .where(
      and(
        eq(roles.projectId, projectId),
        inArray(
          roles.id,
          clients.map(({ role }) => role),
        ),
      ),
    );
  const shown = clients.flatMap((client) => {
    const role = known.find(({ id }) => id === client.role);
    return role ? [{ ...client, role }] : [];
  });
  return { clients: shown, simple_type: shown.some(({ type }) => type === simple_type) ? simple_type : null };
}

/**
 * Nobody opens a way to a role that they could not give to somebody: whoever registers gets it without being looked at. It never holds more
 * than they do, unless they may grant more.
 */
async function requireGivable(tx: Db, principal: Principal, now: readonly Client[], before: readonly Client[]): Promise<void> {
  for (const [place, { role: id }] of now.entries()) {
    if (before.some(({ role }) => role === id)) continue;
    const role = await readAssignable(tx, principal.projectId, id);
    if (mayAssign(principal, role) && (isWithinOwn(principal, role) || hasPermission(principal, 'can_grant_more_than_own'))) continue;
    throw new HttpError('forbidden', { issues: [{ path: ['clients', place, 'role'], rule: 'role_not_available', params: {} }] });
  }
}

/** Changes who may register as what. @throws HttpError `forbidden` for a role that is not the principal's to give, `invalid_related` for an unknown one */
export async function setClients(services: Services, principal: Principal, settings: Patch<SelfRegistrationSettings>): Promise<ShownClients> {
  await changeBlock(services, principal, 'self_registration', settings, async ({ tx, before, after }) => {
    await requireGivable(tx, principal, after.clients, before.value.clients);
    return {};
  });
  return shownClients(services.db, principal.projectId);
}
