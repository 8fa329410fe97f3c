import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Services } from '../context.ts';
import { sipTrunkGroups, sipTrunks } from '../db/schema/index.ts';
import { unseal } from '../devices/secrets.ts';
import { type Trunk, type TrunkAccount, trunkPlace, withScheme } from './sip/trunk.ts';

/** Trunks as calls see them; where several fit, the one that allows least comes first. */
const readTrunks = ({ db }: Services, condition: ReturnType<typeof and>) =>
  db
    .select({
      trunk: {
        id: sipTrunks.id,
        name: sipTrunks.name,
        projectId: sipTrunks.projectId,
        groups: sql<
          string[]
        >`to_json(array(select ${sipTrunkGroups.groupId} from ${sipTrunkGroups} where ${sipTrunkGroups.trunkId} = ${sipTrunks.id}))`,
        panelCalls: sipTrunks.allowPanelCalls,
        panelKeys: sipTrunks.allowPanelKeys,
      },
      uri: sipTrunks.terminationUri,
      passwordCipher: sipTrunks.passwordCipher,
    })
    .from(sipTrunks)
    .where(condition)
    .orderBy(sipTrunks.allowPanelKeys, sipTrunks.allowPanelCalls, sipTrunks.createdAt);

/** The addresses of a host; itself where it is one. */
const addressesOf = async (host: string): Promise<string[]> =>
  isIP(host)
    ? [host]
    : lookup(host, { all: true }).then(
        (all) => all.map(({ address }) => address),
        () => [],
      );

/** The trunk whose server calls from an address and port without a password, as its administrator chose. */
export async function trunkAt(services: Services, address: string, port: number): Promise<Trunk | null> {
  for (const { trunk, uri } of await readTrunks(services, eq(sipTrunks.incomingAuthentication, 'address'))) {
    const place = trunkPlace(withScheme(uri));
    if (place?.port === port && (await addressesOf(place.host)).includes(address)) return trunk;
  }
  return null;
}

/** The trunks that call in with a login and have a password to prove it with. */
export async function trunksOf(services: Services, login: string): Promise<TrunkAccount[]> {
  const found = await readTrunks(
    services,
    and(eq(sipTrunks.incomingAuthentication, 'digest'), eq(sipTrunks.login, login), isNotNull(sipTrunks.passwordCipher)),
  );
  return found.flatMap(({ trunk, passwordCipher }) => (passwordCipher === null ? [] : [{ trunk, password: unseal(services, passwordCipher) }]));
}
