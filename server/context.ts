import type { SipNetwork, SipSettings } from '#models/sip-settings.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Locale } from '#models/constants.ts';
import type { Actor } from '#models/permissions.ts';
import type { ServiceName } from '#models/system-info.ts';
import type { Config } from './config.ts';
import type { Db, Listen } from './db/database.ts';
import type { Reserve } from './db/reserve.ts';
import type { LogRing } from './http/log-ring.ts';
import type { PageLoads } from './http/page-loads.ts';
import type { Part } from './parts.ts';
import type { BrokerPort, SimulatorPort, TelephonyPort } from './ports.ts';
import type { Random } from './random.ts';
import type { Timers } from './timers.ts';

/** What every part of the server is given; nothing is reached for at import. */
export interface Services {
  config: Config;
  db: Db;
  /** How this process hears what any process announced. */
  listen: Listen;
  /** Space put aside for a full disk; not there with PostgreSQL or a database in memory. */
  reserve?: Reserve;
  /** Within a larger transaction: puts off what may only happen once that one stands. */
  putOff?: (task: () => Promise<void>) => void;
  log: FastifyBaseLogger;
  /** The present moment; tests set it. */
  now: () => Date;
  /** Waiting; tests turn it on with the moment. */
  timers: Timers;
  /** Chance; tests seed it. */
  random: Random;
  /** Pages of the console that were asked for lately, by address; not there before the console is served. */
  pageLoads?: PageLoads;
  /** The last lines of the log; not there in tests that keep none. */
  logRing?: LogRing;
  /** What of the server can be begun anew while it runs; not there where nothing listens. */
  parts?: Readonly<Record<ServiceName, Pick<Part<never>, 'restart' | 'status'>>>;
  /** Plays the devices of the demo; not there without one. */
  simulator?: SimulatorPort;
  /** The embedded broker; not there before it is open, nor with an external one. */
  deviceBroker?: BrokerPort;
  /** Takes announcements to their recipients; not there before it begins. */
  announcer?: { wake: () => void };
  /** Calls; not there until they are open. */
  telephony?: TelephonyPort;
  /** Where web phones register: the setting's port, or the one found where that is 0. It stays while telephony is restarted; not there before its first start. */
  sipPort?: number;
  /** Origins (`wss://host:port`) of other SIP servers that web phones are sent to; not there while all register with us. */
  sipServers?: () => readonly string[];
  /** How SIP is reached, as telephony was opened with; not there until then. */
  sipNetwork?: SipNetwork;
  /** The port that people have set and that could not be opened, so that SIP listens on that of the configuration. */
  sipPortRefused?: number | null;
  /** How calls of a project go, and of all that have set it; not there while there is no telephony. */
  sipSettings?: { of: (projectId: string) => SipSettings; all: () => readonly SipSettings[] };
  /** Whether a number can be reached now; not there while there is no telephony. */
  reachable?: (number: string) => boolean;
}

/** Who asks, read anew from the database with every request. */
export interface Principal extends Actor {
  projectId: string;
  sessionId: string;
  name: string;
  /** The language that words of the server are put in for them. */
  locale: Locale;
  roleId: string;
  availableRoles: readonly string[];
  /** Changes whenever the person, their role or their groups change; answered as `Doorward-Profile`. */
  profileVersion: string;
  /** Their role requires a second factor that they have yet to set up: they may do nothing else. */
  mustEnrol?: boolean;
  ip: string;
  userAgent: string | null;
}
