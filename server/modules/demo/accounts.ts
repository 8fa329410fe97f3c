import { and, inArray, isNotNull } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { demoLogins, demoPassword } from '#models/demo-accounts.ts';
import type { Services } from '#server/context.ts';
import { users } from '#server/db/schema/index.ts';
import { serveToAnyone } from '#server/serve.ts';
import { fitsPassword } from '../session/passwords.ts';

/** Lets anybody sign in to the demo at one press, as those who have its password. */
export function serveDemoAccounts(app: FastifyInstance, services: Services): void {
  // Anybody may ask, and trying a password takes long: each hash is tried once.
  const tried = new Map<string, Promise<boolean>>();
  const hasDemoPassword = (hash: string): Promise<boolean> => {
    const fits = tried.get(hash) ?? fitsPassword(hash, demoPassword);
    if (tried.size >= demoLogins.length * 2) tried.clear();
    tried.set(hash, fits);
    return fits;
  };
  serveToAnyone(app, services, calls.demoAccounts, async () => {
    if (!services.config.demo) return [];
    const { demoId } = await import('#server/db/demo/chance.ts');
    const ids = demoLogins.map((login) => demoId(`riverside user ${login}`));
    const rows = await services.db
      .select({ id: users.id, name: users.name, hash: users.passwordHash })
      .from(users)
      .where(and(inArray(users.id, ids), isNotNull(users.activatedAt)));
    const fitting = await Promise.all(rows.map(async (row) => ((await hasDemoPassword(row.hash ?? '')) ? row : null)));
    return demoLogins.flatMap((login, at) => {
      const found = fitting.find((row) => row?.id === ids[at]);
      return found ? [{ login, name: found.name }] : [];
    });
  });
}
