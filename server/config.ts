import { z } from 'zod';
import { constants } from '#models/constants.ts';
import { isPublicKey } from './licences/keys.ts';

/** A setting that cannot be used, said in one sentence that names its variable. */
export class ConfigError extends Error {}

const port = z.coerce.number('is not a number').int('is not a whole number').min(1, 'is below 1').max(65_535, 'is above 65535');
const whole = z.coerce.number('is not a number').int('is not a whole number').min(1, 'is below 1').max(1_000_000, 'is above 1000000');
const address = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)),
      `is not an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    );
const words = <const W extends readonly [string, ...string[]]>(all: W) => z.enum(all, `is not one of ${all.join(', ')}`);

/** `stun:host:port`, or `turn:name:secret@host:port` (also `turns`); the port may be left out. */
const iceServer = /^(stuns?|turns?):(?:([^:@,\s]+):([^@,\s]+)@)?([^@,\s]+)$/;

function mediaPortsOf(text: string | undefined): Config['media']['ports'] {
  const [, from, to] = /^(\d{4,5})-(\d{4,5})$/.exec(text ?? '') ?? [];
  const [first, last] = [Number(from), Number(to)];
  return first >= 1_024 && last >= first && last <= 65_535 ? [first, last] : null;
}

/** Every setting: how it is read and what `--help` says about it. */
const settings = {
  DOORWARD_PORT: { read: port.default(8080), says: 'port of console and API' },
  DOORWARD_HOST: {
    read: z.string().default('127.0.0.1'),
    says: 'address to listen on; other than loopback only with TLS or behind an https proxy',
  },
  DOORWARD_SIP_PORT: {
    read: port.or(z.literal('0').transform(Number)).default(constants.sipPort),
    says: 'port of SIP over WebSocket; 0 for any free port',
  },
  DOORWARD_SIP_UDP: {
    read: z
      .string()
      .refine(
        (value) => /^[^:/?#@]+:\d{1,5}$|^\[[\d:a-f]+\]:\d{1,5}$/.test(value) && URL.canParse(`udp://${value}`),
        'is not an address and a port, like 0.0.0.0:5060',
      )
      .optional(),
    says: 'address and port of SIP over UDP for desk phones and trunks (not encrypted); none when absent',
  },
  DOORWARD_ICE_SERVERS: {
    read: z
      .string()
      .refine(
        (value) => value.split(',').every((one) => iceServer.test(one.trim())),
        'is not a list of stun:host:port and turn:name:secret@host:port',
      )
      .optional(),
    says: 'STUN and TURN servers for browsers, separated by commas: stun:host:port, turn:name:secret@host:port; none when absent',
  },
  DOORWARD_MEDIA_PORTS: {
    read: z
      .string()
      .refine((value) => mediaPortsOf(value) !== null, 'is not two ports above 1023 with a dash between')
      .optional(),
    says: 'UDP ports for audio and video, such as 40000-40499; any when absent (a call takes up to two per side)',
  },
  DOORWARD_MEDIA_ADDRESS: {
    read: z.union([z.ipv4(), z.ipv6()], 'is not an IP address').optional(),
    says: 'public IP address for audio and video, when the machine does not have it itself',
  },
  DOORWARD_MQTT_PORT: { read: port.or(z.literal('0').transform(Number)).default(1883), says: 'port of the broker for devices; 0 for any free port' },
  DOORWARD_MQTTS_PORT: {
    read: port.or(z.literal('0').transform(Number)).default(8883),
    says: 'port of the broker over TLS, once a certificate has been uploaded in the settings; 0 for any free port',
  },
  DOORWARD_DATA: { read: z.string().default('./data'), says: 'folder of database, files and secret' },
  DOORWARD_DEMO: { read: words(['on', 'off']).default('on'), says: 'on | off: a demo building to try everything with' },
  DOORWARD_DEMO_LIFE: { read: words(['on', 'off']).default('on'), says: 'on | off: residents of the demo come and go on their own' },
  DATABASE_URL: { read: address('postgres', 'postgresql').optional(), says: 'PostgreSQL instead of the embedded database' },
  MQTT_URL: { read: address('mqtt', 'mqtts').optional(), says: 'an external broker instead of the embedded one' },
  DOORWARD_TLS_CERT: { read: z.string().optional(), says: 'certificate file (PEM)' },
  DOORWARD_TLS_KEY: { read: z.string().optional(), says: 'private key file (PEM)' },
  DOORWARD_PUBLIC_URL: { read: address('http', 'https').optional(), says: 'public address of the console; https means behind a proxy' },
  DOORWARD_APP_URL: {
    read: address('http', 'https').max(300, 'is longer than 300 characters').optional(),
    says: 'where phones get the mobile app, shown as a QR code after sign-in; no app is promoted when absent',
  },
  DOORWARD_TRUSTED_PROXIES: {
    read: z.string().default('loopback,linklocal,uniquelocal'),
    says: 'proxies trusted to name the client; used with an https public address',
  },
  DOORWARD_SECRET: {
    read: z.string().min(32, 'is shorter than 32 characters').optional(),
    says: 'secret of this installation; generated and kept in the data folder when absent',
  },
  DOORWARD_MAIL_URL: { read: address('smtp', 'smtps').optional(), says: 'mail server; without one, e-mails are kept and shown in the demo' },
  DOORWARD_MAIL_FROM: { read: z.string().default('Doorward <doorward@localhost>'), says: 'sender of e-mails' },
  DOORWARD_MAIL_CA: { read: z.string().optional(), says: 'CA certificates (PEM file) trusted for mail servers, besides the usual ones' },
  DOORWARD_METRICS_TOKEN: {
    read: z.string().min(16, 'is shorter than 16 characters').optional(),
    says: 'bearer token for /metrics from elsewhere than this machine',
  },
  DOORWARD_LICENCE_KEY: {
    read: z.string().refine(isPublicKey, 'is not an Ed25519 public key (PEM, or its base64)').optional(),
    says: 'public key of the licence vendor; without one no licences are needed',
  },
  DOORWARD_LICENCE_URL: { read: address('http', 'https').optional(), says: "the vendor's cloud, asked for the licences of a project" },
  DOORWARD_RATE_PER_IP: { read: whole.default(12_000), says: 'requests per minute from one address' },
  DOORWARD_RATE_PER_USER: { read: whole.default(6_000), says: 'requests per minute by one user' },
  DOORWARD_SOCKETS_PER_IP: { read: whole.default(1_000), says: 'realtime connections from one address' },
  DOORWARD_SOCKETS_PER_USER: { read: whole.default(100), says: 'realtime connections of one user' },
  DOORWARD_SIGN_IN_TRIES: { read: whole.default(10), says: 'failed sign-ins with one login from one address before a pause of a minute, then more' },
  DOORWARD_SIGN_IN_TRIES_PER_IP: { read: whole.default(60), says: 'failed sign-ins from one address before each of its logins may fail only once' },
  DOORWARD_INTEGRATION_LOOPBACK: {
    read: words(['on', 'off']).default('off'),
    says: 'on | off: integrations, mail servers and SIP trunks of projects may reach this machine itself; for development',
  },
  DOORWARD_LOCK_WAIT: {
    read: z.coerce.number().int().min(0).max(60_000).default(0),
    says: 'ms to wait for another process to leave the data folder',
  },
  DOORWARD_LOG: { read: words(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'), says: 'log level' },
} as const satisfies Record<string, { read: z.ZodType; says: string }>;
type SettingName = keyof typeof settings;

/** Every setting of the server, read and validated once at start. */
export interface Config {
  port: number;
  host: string;
  sipPort: number;
  /** The environment names the port, so that the settings do not. */
  sipPortFixed: boolean;
  /** Where plain phones and trunks are spoken to, by UDP; null: nowhere. */
  sipUdp: { host: string; port: number } | null;
  /** How others reach voice and picture: an address the machine does not have itself, ports that a firewall lets through. */
  media: { address: string | null; ports: readonly [from: number, to: number] | null };
  mqttPort: number;
  /** Of the broker over TLS, where the certificate was uploaded. */
  mqttsPort: number;
  /** Told to browsers, which need them where the server is not reached straight. */
  iceServers: { urls: string; username?: string; credential?: string }[];
  data: string;
  demo: boolean;
  /** People of the demo come and go by themselves. */
  demoLife: boolean;
  databaseUrl: string | null;
  mqttUrl: string | null;
  tls: { cert: string; key: string } | null;
  publicUrl: string;
  /** Where phones get the mobile app; none is promoted without. */
  appUrl: string | null;
  /** Proxies whose word about the client's address is taken; none without an https proxy in front. */
  trustedProxies: string | false;
  secret: string | null;
  mailUrl: string | null;
  mailFrom: string;
  mailCa: string | null;
  metricsToken: string | null;
  /** PEM, or the base64 of the key's DER. */
  licenceKey: string | null;
  licenceUrl: string | null;
  ratePerIp: number;
  ratePerUser: number;
  socketsPerIp: number;
  socketsPerUser: number;
  signInTries: number;
  signInTriesPerIp: number;
  /** Integrations may reach this machine itself; for development. */
  integrationLoopback: boolean;
  lockWait: number;
  logLevel: string;
  /** Answers are checked against the contract before they leave; for tests. */
  checkAnswers: boolean;
}

const shape = z.object(
  Object.fromEntries(Object.entries(settings).map(([name, { read }]) => [name, read])) as { [N in SettingName]: (typeof settings)[N]['read'] },
);
const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);

const ownUrl = (host: string, at: number, secure: boolean): string => `${secure ? 'https' : 'http'}://${isLoopback(host) ? 'localhost' : host}:${at}`;

function placeOf(text: string | undefined): Config['sipUdp'] {
  if (text === undefined) return null;
  const { hostname, port: at } = new URL(`udp://${text}`);
  return { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(at) };
}

/**
 * Reads the settings from an environment; an empty variable counts as absent.
 * @throws ConfigError naming the first variable that is wrong, and why.
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.keys(settings).flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const result = shape.safeParse(given);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new ConfigError(`The setting ${String(issue?.path[0])} ${issue?.message ?? 'is wrong'}.`);
  }
  return { ...configOf(result.data), sipPortFixed: 'DOORWARD_SIP_PORT' in given };
}

/** What encrypts: a certificate of its own, or an https proxy in front. @throws ConfigError where others can reach what nothing encrypts */
function encryptionOf(read: z.infer<typeof shape>): { tls: Config['tls']; behindProxy: boolean } {
  const tls = tlsOf(read.DOORWARD_TLS_CERT, read.DOORWARD_TLS_KEY);
  const behindProxy = !tls && read.DOORWARD_PUBLIC_URL?.startsWith('https://') === true;
  if (!isLoopback(read.DOORWARD_HOST) && !tls && !behindProxy)
    throw new ConfigError(
      `The setting DOORWARD_HOST is ${read.DOORWARD_HOST}, which others can reach, but nothing encrypts what they send: set DOORWARD_TLS_CERT and DOORWARD_TLS_KEY, or DOORWARD_PUBLIC_URL to the https address of the proxy in front.`,
    );
  return { tls, behindProxy };
}

/** The settings as the server knows them. @throws ConfigError where two of them do not go together */
function configOf(read: z.infer<typeof shape>): Config {
  const { tls, behindProxy } = encryptionOf(read);
  return {
    port: read.DOORWARD_PORT,
    host: read.DOORWARD_HOST,
    sipPort: read.DOORWARD_SIP_PORT,
    sipPortFixed: false,
    sipUdp: placeOf(read.DOORWARD_SIP_UDP),
    media: { address: read.DOORWARD_MEDIA_ADDRESS ?? null, ports: mediaPortsOf(read.DOORWARD_MEDIA_PORTS) },
    mqttPort: read.DOORWARD_MQTT_PORT,
    mqttsPort: read.DOORWARD_MQTTS_PORT,
    iceServers: (read.DOORWARD_ICE_SERVERS ?? '').split(',').flatMap(iceServerOf),
    data: read.DOORWARD_DATA,
    demo: read.DOORWARD_DEMO === 'on',
    demoLife: read.DOORWARD_DEMO_LIFE === 'on',
    databaseUrl: read.DATABASE_URL ?? null,
    mqttUrl: read.MQTT_URL ?? null,
    tls,
    publicUrl: (read.DOORWARD_PUBLIC_URL ?? ownUrl(read.DOORWARD_HOST, read.DOORWARD_PORT, tls !== null)).replace(/\/+$/, ''),
    appUrl: read.DOORWARD_APP_URL ?? null,
    trustedProxies: behindProxy && read.DOORWARD_TRUSTED_PROXIES,
    secret: read.DOORWARD_SECRET ?? null,
    mailUrl: read.DOORWARD_MAIL_URL ?? null,
    mailFrom: read.DOORWARD_MAIL_FROM,
    mailCa: read.DOORWARD_MAIL_CA ?? null,
    metricsToken: read.DOORWARD_METRICS_TOKEN ?? null,
    licenceKey: read.DOORWARD_LICENCE_KEY ?? null,
    licenceUrl: read.DOORWARD_LICENCE_URL ?? null,
    ratePerIp: read.DOORWARD_RATE_PER_IP,
    ratePerUser: read.DOORWARD_RATE_PER_USER,
    socketsPerIp: read.DOORWARD_SOCKETS_PER_IP,
    socketsPerUser: read.DOORWARD_SOCKETS_PER_USER,
    signInTries: read.DOORWARD_SIGN_IN_TRIES,
    signInTriesPerIp: read.DOORWARD_SIGN_IN_TRIES_PER_IP,
    integrationLoopback: read.DOORWARD_INTEGRATION_LOOPBACK === 'on',
    lockWait: read.DOORWARD_LOCK_WAIT,
    logLevel: read.DOORWARD_LOG,
    checkAnswers: false,
  };
}

function iceServerOf(text: string): Config['iceServers'] {
  const [, scheme, username, credential, place] = iceServer.exec(text.trim()) ?? [];
  return place ? [{ urls: `${scheme}:${place}`, ...(username && credential && { username, credential }) }] : [];
}

function tlsOf(cert: string | undefined, key: string | undefined): Config['tls'] {
  if (cert && key) return { cert, key };
  if (cert || key)
    throw new ConfigError(`The setting ${cert ? 'DOORWARD_TLS_KEY' : 'DOORWARD_TLS_CERT'} is missing: certificate and key go together.`);
  return null;
}

/** The settings as `--help` lists them: name, what it is for, default. */
export function helpText(): string {
  const lines = Object.entries(settings).map(([name, { read, says }]) => {
    const fallback = z.safeParse(read as z.ZodType<string | number | undefined>, undefined).data;
    return `  ${name.padEnd(31)}${says}${fallback === undefined ? '' : ` (${fallback})`}`;
  });
  return ['Doorward is set up by environment variables:', '', ...lines, ''].join('\n');
}

const withoutPassword = (url: string | null): string | null => url?.replace(/:\/\/[^@/]*@/, '://***@') ?? null;

/** The settings as they may be printed: secrets masked. */
export const printable = (config: Config): Record<string, unknown> => ({
  ...config,
  databaseUrl: withoutPassword(config.databaseUrl),
  mqttUrl: withoutPassword(config.mqttUrl),
  mailUrl: withoutPassword(config.mailUrl),
  licenceUrl: withoutPassword(config.licenceUrl),
  iceServers: config.iceServers.map(({ urls }) => urls),
  secret: config.secret && '***',
  metricsToken: config.metricsToken && '***',
});
