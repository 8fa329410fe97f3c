import { z } from 'zod';
import { call } from './define-call.ts';
import { phoneServer } from './phone-server.ts';
import { choice, flag, ip, ipWithPrefix, rule, urlOrIp, wholeNumber } from './rules.ts';

/** Which monitors an automatic forward rule rings, by how they speak with the console. */
export const forwardProtocols = ['all', 'mqtt', 'http'] as const;

const differ = (lines: readonly string[]): boolean => new Set(lines.map((line) => line.toLowerCase())).size === lines.length;
/** No URL; and no IPv6 address, which the policy of a page cannot name. */
const isPlace = (value: string): boolean => !value.includes('/') && !/:.*:/.test(value);
/** A SIP server by name or address; without a port, that of this one. */
const node = () => urlOrIp().refine(isPlace, rule('url_or_ip'));

const ownFields = {
  /** Callers hear the ringing tone, and somebody at a door is seen, before anybody answers. */
  early_media: flag(),
  /** Further addresses at which web phones try to register while the first cannot be reached. */
  nodes: z.array(node()).max(8).refine(differ, rule('unique')),
  /** Groups without forwarding of their own ring their monitors before their people. */
  auto_forward: z.strictObject({ enabled: flag(), device_protocol: choice(forwardProtocols) }),
};
/** How calls of a project go (FIELD-66). */
export const sipSettings = z.strictObject(ownFields);
export type SipSettings = z.infer<typeof sipSettings>;
export const sipInitial: SipSettings = { early_media: true, nodes: [], auto_forward: { enabled: false, device_protocol: 'all' } };

const port = () => wholeNumber(1, 65_535);
/** Fewer would end calls that ring several phones at once. */
const fewestPorts = 10;
const rtp = z
  .strictObject({ min: wholeNumber(1_024, 65_535), max: wholeNumber(1_024, 65_535) })
  .refine(({ min, max }) => max - min + 1 >= fewestPorts, { ...rule('at_least_ports', { count: fewestPorts }), path: ['max'] });
const networkFields = {
  /** Of SIP over WebSocket; null: as the server was started. */
  port: port().nullable(),
  /** What phones of the local networks are told to send voice and picture to; null: the machine's own address. */
  internal_ip: ip().nullable(),
  /** What all others are told; null: the machine's own address. */
  external_ip: ip().nullable(),
  /** Ports of voice and picture; null means free ones. */
  rtp: rtp.nullable(),
  local_networks: z.array(ipWithPrefix()).max(50).refine(differ, rule('unique')),
};
const hasNetworks = ({ internal_ip: internal, local_networks: local }: { internal_ip: string | null; local_networks: readonly string[] }): boolean =>
  internal === null || local.length > 0;
/** How the server is reached by SIP (FIELD-66): of the installation, whatever the project. */
export const sipNetwork = z.strictObject(networkFields).refine(hasNetworks, { ...rule('required'), path: ['local_networks'] });
export type SipNetwork = z.infer<typeof sipNetwork>;
export const networkInitial: SipNetwork = { port: null, internal_ip: null, external_ip: null, rtp: null, local_networks: [] };

/** Settings of the network that the environment decides, so that nobody else does. */
export const fixedSettings = ['port', 'external_ip', 'rtp'] as const;

/** With which SIP server web phones register, how calls go, and how this server is reached: as it is set, and as it runs. */
const shownSip = z.strictObject({
  server: phoneServer.nullable(),
  ...ownFields,
  network: z.strictObject(networkFields),
  fixed: z.array(z.enum(fixedSettings)),
  /** May change the network: it is the installation's, so that people of other projects only see it. */
  is_operator: z.boolean(),
  /** What is in use now; the network as it is set comes into use when SIP is restarted. */
  port: z.int(),
  udp: z.string().nullable(),
  internal_ip: z.string().nullable(),
  external_ip: z.string().nullable(),
  rtp: z.strictObject({ min: z.int(), max: z.int() }).nullable(),
  needs_restart: z.boolean(),
  /** The port that was set and could not be opened when SIP was started; null where there is none. */
  refused_port: z.int().nullable(),
});
export type ShownSip = z.infer<typeof shownSip>;

const about = 'project-settings';

export const sipSettingsCalls = {
  sipSettings: call({
    method: 'GET',
    path: '/project-settings/sip',
    access: { codes: ['can_view_project_settings', 'can_change_project_settings'], about },
    feature: 'sip',
    summary: 'With which SIP server web phones register, how calls go, and ports and addresses as they are set and as they are in use',
    answer: shownSip,
  }),
  setSipSettings: call({
    method: 'PATCH',
    path: '/project-settings/sip',
    access: { codes: ['can_change_project_settings'], about },
    feature: 'sip',
    summary: 'Change how calls go; the network only in the project that runs the installation, in use once SIP is restarted',
    body: z.strictObject({ server: phoneServer.nullable(), ...ownFields, network: z.strictObject(networkFields).partial() }).partial(),
    answer: shownSip,
  }),
} as const;
