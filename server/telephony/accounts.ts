import { createHmac } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { licensed } from '#models/licence-info.ts';
import { isTooWeak, mustEnrol } from '../access/principal.ts';
import type { Services } from '../context.ts';
import { priorityOf } from '../db/database.ts';
import { devices, sessions, sipNumberForwards, sipNumbers, userDomains, users } from '../db/schema/index.ts';
import { derivedKey } from '../derived-key.ts';
import { unseal } from '../devices/secrets.ts';
import { featuresFor } from '../licences/features.ts';
import type { Guessed } from '../notify-limited.ts';
import { singleFlight } from './single-flight.ts';
import type { SipAccount } from './sip/leg.ts';

/** The SIP password of a browser: 256 bits that nobody chose, right as long as its session is. */
export const sessionPassword = (services: Pick<Services, 'config'>, sessionId: string, number: string): string =>
  createHmac('sha256', derivedKey(services, 'sip sessions')).update(`${sessionId} ${number}`).digest('base64url');

/** The id of nobody: looked up in the place of what a number has not, so that none can be told from another by the time it takes. */
const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * A number with its owner and the owner's sessions, as far as it decides who may register with it: in one statement, for each waits its
 * turn in the embedded database.
 */
async function readNumber({ db, now }: Services, number: string) {
  const [row] = await db
    .select({
      id: sipNumbers.id,
      number: sipNumbers.number,
      name: sipNumbers.name,
      projectId: sipNumbers.projectId,
      passwordCipher: sipNumbers.passwordCipher,
      own: users.licenseInfo,
      domains: sql<string[]>`to_json(array(select ${userDomains.groupId} from ${userDomains} where ${userDomains.userId} = ${sipNumbers.userId}
        union select ${devices.domainId} from ${devices} where ${devices.id} = ${sipNumbers.deviceId}
        union select ${sipNumbers.domainId} where ${sipNumbers.domainId} is not null))`,
      sessions: sql<string[]>`to_json(array(select ${sessions.id} from ${sessions} where ${sessions.userId} = ${sipNumbers.userId}
        and ${sessions.refreshExpiresAt} > ${now().toISOString()}::timestamptz
        and not exists (select from users u join roles r on r.id = u.role_id where u.id = ${sipNumbers.userId} and (${mustEnrol('u', 'r')} or ${isTooWeak('sessions', 'u', 'r')}))))`,
      picked: sql<boolean>`exists (select 1 from ${sipNumberForwards} where ${sipNumberForwards.pickedId} = ${sipNumbers.id})`,
    })
    .from(sipNumbers)
    .leftJoin(users, eq(users.id, sipNumbers.userId))
    .where(and(eq(sipNumbers.number, number), eq(sipNumbers.isActive, true)));
  return row ?? null;
}

/**
 * Who may register with a number, read anew each time; once for all who ask at the same moment.
 * @returns null for a number that is unknown, switched off, without an owner (and picked by no other number), or whose owner is not licensed for telephony
 */
export const accountOf = (services: Services, number: string): Promise<SipAccount | null> =>
  singleFlight(services.db, ['account', number], () => readAccount({ ...services, db: priorityOf(services.db) }, number));

async function readAccount(services: Services, number: string): Promise<SipAccount | null> {
  const row = await readNumber(services, number);
  const { projectId, domains } = row ?? { projectId: nobody, domains: [] };
  const features = await featuresFor(services, { projectId, domains: domains.length > 0 ? domains : [nobody] }, services.now());
  if (!row) return null;
  if (domains.length === 0 && !row.picked) return null;
  if (domains.length > 0 && !(row.own ? licensed('sip', features, row.own) : features.sip.is_enabled)) return null;
  const passwords = [
    ...(row.passwordCipher ? [unseal(services, row.passwordCipher)] : []),
    ...row.sessions.map((id) => sessionPassword(services, id, number)),
  ];
  return { number: row.number, name: row.name, projectId: row.projectId, passwords };
}

/** The number whose password is guessed. */
export const guessedNumber = ({ db }: Services, number: string): Promise<Guessed[]> =>
  db.select({ id: sipNumbers.id, name: sipNumbers.number, projectId: sipNumbers.projectId }).from(sipNumbers).where(eq(sipNumbers.number, number));
