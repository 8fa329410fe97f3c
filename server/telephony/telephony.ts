import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { InspectionEvent } from 'xstate';
import type { Services } from '../context.ts';
import { sipTrunks } from '../db/schema/index.ts';
import { channel } from '../realtime/publish.ts';
import { reasonOf, StartError } from '../start-error.ts';
import { accountOf } from './accounts.ts';
import { Exchange } from './calls/exchange.ts';
import { logMoves } from './calls/moves.ts';
import type { Clock } from './calls/quiet.ts';
import { openMedia } from './media/open.ts';
import type { MediaPort } from './media/port.ts';
import { openSip, type OpenSip, type SipOptions } from './sip/server.ts';
import { trunkPlace } from './sip/trunk.ts';

/** Telephony, open: what the rest of the server needs of it. */
export interface Telephony {
  sip: OpenSip;
  exchange: Exchange;
  close: () => Promise<void>;
}
/** What tests put in the place of the real thing. */
export interface TelephonyOptions {
  media?: MediaPort;
  clock?: Clock;
  /** Hears everything the charts of calls do; without one the log is told of their moves. */
  inspect?: (event: InspectionEvent) => void;
  times?: NonNullable<SipOptions['times']>;
}

const recheckPause = 300;
const cannotBegin = (error: unknown): never => {
  throw new StartError(`The process for voice and picture cannot begin: ${reasonOf(error)}.`);
};

/** The address of a host; itself where it is one. */
const addressOf = async (host: string): Promise<string | null> => {
  if (isIP(host)) return host;
  return lookup(host).then(
    ({ address }) => address,
    () => null,
  );
};

/** Whose trunk calls from an address: the project of the first whose server it is. */
async function trunkAt({ db }: Services, address: string): Promise<{ projectId: string } | null> {
  const rows = await db.select({ projectId: sipTrunks.projectId, uri: sipTrunks.terminationUri }).from(sipTrunks).orderBy(sipTrunks.createdAt);
  for (const { projectId, uri } of rows) {
    const host = trunkPlace(/^sips?:/i.test(uri) ? uri : `sip:${uri}`)?.host;
    if (host && (await addressOf(host)) === address) return { projectId };
  }
  return null;
}

/** Does an announcement say that somebody's sessions, numbers or licences may have changed? */
function concernsNumbers(line: string): boolean {
  const message = JSON.parse(line) as { users?: unknown; topic?: string; name?: string };
  return message.users !== undefined || message.topic === 'areas.sip-numbers' || message.name === 'LicenceChanged';
}

/** Registrations end with the session, number or licence they rest on. @returns how to stop watching */
async function watchNumbers(services: Services, sip: OpenSip): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    timer = undefined;
    sip.recheck().catch((error: unknown) => services.log.warn({ err: error }, 'registrations could not be looked at again'));
  };
  const soon = (): void => void (timer ??= setTimeout(look, recheckPause));
  const unlisten = await services.listen(channel, (line) => (concernsNumbers(line) ? soon() : undefined), soon);
  return async () => {
    clearTimeout(timer);
    await unlisten();
  };
}

/**
 * Opens signalling, media and calls, and gives them to the services as `telephony`.
 * @throws the error of listening, when a port cannot be had; StartError, when the media process cannot begin
 */
export async function openTelephony(
  services: Services,
  { media: given, clock, inspect = logMoves(services.log), times }: TelephonyOptions = {},
): Promise<Telephony> {
  const { config, log, now } = services;
  const media = given ?? (await openMedia({ log, network: config.media }).catch(cannotBegin));
  const options: SipOptions = {
    config,
    log,
    now,
    accountOf: (number) => accountOf(services, number),
    trunkOf: (address) => trunkAt(services, address),
    ...(times && { times }),
  };
  const sip = await openSip(options).catch(async (error: unknown) => {
    await media.shut();
    throw error;
  });
  const exchange = new Exchange(services, { sip, media, inspect, ...(clock && { clock }) });
  await exchange.open();
  const unwatch = await watchNumbers(services, sip);
  const telephony: Telephony = {
    sip,
    exchange,
    close: async () => {
      delete services.telephony;
      delete services.reachable;
      await unwatch();
      await exchange.close();
      await sip.close();
      await media.shut();
    },
  };
  services.telephony = telephony;
  services.reachable = (number) => sip.bindings(number).length > 0;
  return telephony;
}
