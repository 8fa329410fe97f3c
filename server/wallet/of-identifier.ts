import { eq, sql } from 'drizzle-orm';
import { passTypes, plainWalletLook, type WalletLook, walletLook } from '#models/wallet.ts';
import type { Services } from '#server/context.ts';
import { identifiers, projects } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { stateOf } from '../modules/identifiers/columns.ts';
import { makePass } from './pass.ts';
import { readWallet, signerOf } from './settings.ts';

/** The look that the nearest group with one of its own gives; null where the project's holds. */
async function groupLook({ db }: Services, id: string): Promise<Partial<WalletLook> | null> {
  const { rows } = await db.execute<{ look: Partial<WalletLook> }>(sql`
    select above.apple_wallet as look from identifiers own
      join groups held on held.id = own.domain_id or held.id in (select group_id from user_domains where user_id = own.user_id)
      join groups above on above.id = any(held.path)
    where own.id = ${id} and (above.apple_wallet ->> 'is_enabled')::boolean
    order by held.id = own.domain_id desc nulls last, cardinality(above.path) desc, above.id limit 1`);
  return rows[0]?.look ?? null;
}

async function lookOf(services: Services, projectId: string, id: string): Promise<WalletLook> {
  const own = await groupLook(services, id);
  if (!own) return (await readWallet(services, projectId)).look;
  const { success, data } = walletLook.safeParse({
    ...plainWalletLook,
    ...Object.fromEntries(Object.entries(own).filter(([key]) => key !== 'is_enabled')),
  });
  return success ? data : plainWalletLook;
}

/**
 * The signed pass of an identifier; whoever asks may see it.
 * @throws HttpError `not_found`, `wallet_not_possible`, and as `signerOf`
 */
export async function passOf(services: Services, id: string): Promise<{ name: string; bytes: Buffer }> {
  const [found] = await services.db
    .select({ own: identifiers, project: projects.name, state: stateOf })
    .from(identifiers)
    .innerJoin(projects, eq(projects.id, identifiers.projectId))
    .where(eq(identifiers.id, id));
  if (!found) throw new HttpError('not_found');
  const { own, project, state } = found;
  if (!passTypes.has(own.type)) throw new HttpError('wallet_not_possible');
  const signer = await signerOf(services, own.projectId);
  const page = own.keyToken ? new URL(`/guest-access/${own.keyToken}`, services.config.publicUrl).href : null;
  const { passesRestrictActive: isCounted, passesMaxCount: most, periodRestrictActive: isPeriod } = own;
  const content = {
    id,
    name: own.name,
    project,
    message: own.keyMessage,
    barcode: own.type === 'qr' ? own.value : own.type === 'url' ? page : null,
    code: own.type === 'access_code' ? own.value : null,
    from: isPeriod ? own.periodRestrictFrom : null,
    to: isPeriod ? own.periodRestrictTo : null,
    passesLeft: isCounted && most !== null ? Math.max(0, most - own.passesCount) : null,
    isVoid: state !== 'active' && state !== 'not_yet_valid',
  };
  return { name: `${own.name}.pkpass`, bytes: await makePass(content, await lookOf(services, own.projectId, id), signer, services.now()) };
}
