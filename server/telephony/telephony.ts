import type { InspectionEvent } from 'xstate';
import type { SipNetwork } from '#models/sip-settings.ts';
import { blocksOf } from '../blocks.ts';
import type { Services } from '../context.ts';
import type { TelephonyPort } from '../ports.ts';
import { channel } from '../realtime/publish.ts';
import { HttpError } from '../http-error.ts';
import { reasonOf, StartError } from '../start-error.ts';
import { notifyLimited } from '../notify-limited.ts';
import { accountOf, guessedNumber } from './accounts.ts';
import { Exchange } from './calls/exchange.ts';
import type { Clock, Timer } from '../timers.ts';
import { openMedia } from './media/open.ts';
import type { MediaNetwork } from './media/path.ts';
import type { MediaPort } from './media/port.ts';
import { inNetworks } from './media/networks.ts';
import { networkFor } from './network.ts';
import { followPhoneServers } from './phone-server.ts';
import { followSipSettings } from './settings.ts';
import { openSip, type OpenSip, type SipOptions } from './sip/server.ts';
import { trunkAt, trunksOf } from './trunk-callers.ts';

/** Telephony, open: for whoever opened it. */
export interface Telephony {
  sip: OpenSip;
  exchange: Exchange;
  close: () => Promise<void>;
}
/** What tests put in the place of the real thing, and the port, where it is not the setting's. */
export interface TelephonyOptions {
  port?: number;
  media?: MediaPort;
  clock?: Clock;
  inspect?: (event: InspectionEvent) => void;
  times?: NonNullable<SipOptions['times']>;
}

const recheckPause = 300;
const cannotBegin = (error: unknown): never => {
  throw new StartError(`The audio and video process cannot start: ${reasonOf(error)}.`);
};

/** Does an announcement say that somebody's sessions, numbers or licences may have changed? */
function concernsNumbers(line: string): boolean {
  const message = JSON.parse(line) as { users?: unknown; topic?: string; name?: string };
  return message.users !== undefined || message.topic === 'areas.sip-numbers' || message.name === 'LicenceChanged';
}

/** Registrations end with the session, number or licence they rest on. @returns how to stop watching */
async function watchNumbers(services: Services, sip: OpenSip): Promise<() => Promise<void>> {
  let timer: Timer | undefined;
  const look = (): void => {
    timer = undefined;
    sip.recheck().catch((error: unknown) => services.log.warn({ err: error }, 'registrations could not be looked at again'));
  };
  const soon = (): void => void (timer ??= services.timers.after(recheckPause, look));
  const unlisten = await services.listen(channel, (line) => (concernsNumbers(line) ? soon() : undefined), soon);
  return async () => {
    timer?.cancel();
    await unlisten();
  };
}

/** Calls as the rest of the server knows them. */
const portOf = ({ exchange }: Telephony): TelephonyPort => ({
  get live() {
    return exchange.live;
  },
  get lateVoice() {
    return exchange.lateVoice;
  },
  call: (id) => exchange.call(id),
  written: () => exchange.written(),
  async transfer(id, numbers, target) {
    const call = exchange.call(id);
    const own = numbers.find((number) => call?.farOf(number));
    if (!call || own === undefined) throw new HttpError('not_found');
    await exchange.transfer(call, own, target);
  },
});

/** How media are told to be reached. */
const mediaNetwork = ({ external_ip: address, internal_ip: internal, rtp, local_networks: networks }: SipNetwork): MediaNetwork => {
  return { address, ports: rtp && [rtp.min, rtp.max], internal, networks };
};

function sipOptions(services: Services, network: SipNetwork, { port, times }: TelephonyOptions): SipOptions {
  const { config, log, now } = services;
  const isLocal = inNetworks(network.local_networks);
  return {
    config: { ...config, sipPort: network.port ?? port ?? config.sipPort },
    log,
    now,
    accountOf: (number) => accountOf(services, number),
    trunkAt: (address, at) => trunkAt(services, address, at),
    trunksOf: (login) => trunksOf(services, login),
    limited: (name, ip) => void notifyLimited(services, { area: 'sip-numbers', name, ip, userAgent: 'sip' }, () => guessedNumber(services, name)),
    limiter: (limits, time) => blocksOf(services).limiter('sip_ws', limits, time),
    hostFor: (address) => (isLocal(address) ? network.internal_ip : null),
    isLoading: (address) => services.pageLoads?.isLoading(address) ?? false,
    ...(times && { times }),
  };
}

/**
 * Opens signalling, media and calls, and gives calls to the services as `telephony`.
 * @throws the error of listening, when a port cannot be had; StartError, when the media process cannot begin
 */
export async function openTelephony(services: Services, given: TelephonyOptions = {}): Promise<Telephony> {
  const { clock, inspect } = given;
  let network = await networkFor(services);
  const refused = network.port;
  const media = given.media ?? (await openMedia({ log: services.log, network: mediaNetwork(network) }).catch(cannotBegin));
  const open = (): Promise<OpenSip> => openSip(sipOptions(services, network, given));
  const sip = await open()
    .catch((error: unknown) => {
      if (refused === null) throw error;
      // Whoever has set a port that is not to be had must be able to sign in and set another.
      services.log.warn({ err: error, port: refused }, 'the port of SIP that was set cannot be opened; that of the configuration is used');
      network = { ...network, port: null };
      return open();
    })
    .catch(async (error: unknown) => {
      await media.shut();
      throw error;
    });
  const exchange = new Exchange(services, { sip, media, ...(clock && { clock }), ...(inspect && { inspect }) });
  await exchange.open();
  const stops = [await watchNumbers(services, sip), await followPhoneServers(services), await followSipSettings(services)];
  const telephony: Telephony = {
    sip,
    exchange,
    close: async () => {
      delete services.telephony;
      delete services.reachable;
      await Promise.all(stops.map((stop) => stop()));
      await exchange.close();
      await sip.close();
      await media.shut();
    },
  };
  services.sipPort = sip.ports.ws;
  services.sipNetwork = network;
  services.sipPortRefused = network.port === refused ? null : refused;
  services.telephony = portOf(telephony);
  services.reachable = (number) => sip.bindings(number).length > 0;
  return telephony;
}
