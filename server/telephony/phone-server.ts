import { eq, sql } from 'drizzle-orm';
import type { PhoneServer } from '#models/phone-server.ts';
import { topics } from '#models/realtime.ts';
import { audit } from '../audit.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { phoneServers, projects } from '../db/schema/index.ts';
import { channel, publish } from '../realtime/publish.ts';

/** The SIP server of somebody else with which a project's web phones register; null: they do so with this one. */
export async function readPhoneServer(db: Db, projectId: string): Promise<PhoneServer | null> {
  const { host, port, secure, realm } = phoneServers;
  const [stored] = await db.select({ host, port, secure, realm }).from(phoneServers).where(eq(phoneServers.projectId, projectId));
  return stored ?? null;
}

const originOf = ({ secure, host, port }: Pick<PhoneServer, 'secure' | 'host' | 'port'>): string => `${secure ? 'wss' : 'ws'}://${host}:${port}`;
const words = (server: PhoneServer | null): string | null => server && `${originOf(server)}${server.realm === null ? '' : ` (${server.realm})`}`;

/**
 * Keeps `services.sipServers`, the origins that pages may talk to because web phones register there, as the projects have set them.
 * A page that is open learns of a new one when it is loaded again. @returns how to stop
 */
export async function followPhoneServers(services: Services): Promise<() => Promise<void>> {
  let origins: readonly string[] = [];
  const read = async (): Promise<void> => {
    const all = await services.db
      .selectDistinct({ host: phoneServers.host, port: phoneServers.port, secure: phoneServers.secure })
      .from(phoneServers);
    origins = all.map(originOf);
  };
  const readAgain = (): void =>
    void read().catch((error: unknown) => services.log.warn({ err: error }, 'the SIP servers of web phones could not be read'));
  const unlisten = await services.listen(channel, (line) => (line.includes('"areas.sip-numbers"') ? readAgain() : undefined), readAgain);
  await read();
  services.sipServers = () => origins;
  return async () => {
    delete services.sipServers;
    await unlisten();
  };
}

/** Sets it; profiles of the project are another from then on, for they carry the password that goes with the server. */
export async function changePhoneServer(services: Services, principal: Principal, server: PhoneServer | null): Promise<void> {
  const { projectId } = principal;
  await services.db.transaction(async (tx) => {
    await tx.execute(sql`select ${projects.id} from ${projects} where ${projects.id} = ${projectId} for update`);
    const before = await readPhoneServer(tx, projectId);
    if (words(before) === words(server)) return;
    if (server)
      await tx
        .insert(phoneServers)
        .values({ projectId, ...server })
        .onConflictDoUpdate({ target: phoneServers.projectId, set: server });
    else await tx.delete(phoneServers).where(eq(phoneServers.projectId, projectId));
    await tx
      .update(projects)
      .set({ version: sql`${projects.version} + 1` })
      .where(eq(projects.id, projectId));
    const changes = { phone_server: { before: words(before), after: words(server) } };
    await audit(tx, principal, { area: 'sip-numbers', action: 'update', changes }, services.now());
    await publish(tx, projectId, topics.area('sip-numbers'), 'RowsChanged', { area: 'sip-numbers', ids: [] });
  });
}
