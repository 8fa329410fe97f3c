import { z } from 'zod';
import { call } from './define-call.ts';

/** How a certificate stands: `ending` for its last thirty days. */
export const certificateStates = ['valid', 'ending', 'expired'] as const;

/** What is told of the certificate that the broker shows to devices; it and its key are never read back. */
export const brokerCertificate = z.strictObject({
  subject: z.string(),
  /** The names and addresses it is good for. */
  names: z.array(z.string()),
  issuer: z.string(),
  valid_from: z.iso.datetime(),
  valid_to: z.iso.datetime(),
  fingerprint: z.string(),
  /** So many certificates of issuers go with it. */
  chain: z.int(),
});
export type BrokerCertificate = z.infer<typeof brokerCertificate>;

/** The broker's block of the settings: its certificate, and how many days before its end people were last told of that. */
export const brokerSettings = z.strictObject({ certificate: brokerCertificate.nullable(), told_days: z.int().nullable() });
export type BrokerSettings = z.infer<typeof brokerSettings>;

const shownBroker = z.strictObject({
  /** `external`: devices connect to a broker of somebody else, which has a certificate of its own. */
  kind: z.enum(['embedded', 'external']),
  /** Where devices connect without encryption, or with that of the server's own certificate files; null where nothing listens. */
  port: z.int().nullable(),
  /** Where they connect over TLS; null where nothing listens. */
  secure_port: z.int().nullable(),
  /** The port for TLS, listening or not. */
  secure_port_setting: z.int(),
  certificate: brokerCertificate.extend({ state: z.enum(certificateStates) }).nullable(),
  /** May change it: the broker is the installation's, so that people of other projects only see it. */
  is_operator: z.boolean(),
});
export type ShownBroker = z.infer<typeof shownBroker>;

const about = 'project-settings';

/** The broker that devices connect to, and the certificate it shows them (SETT-01, FIELD-67). */
export const brokerCalls = {
  brokerSettings: call({
    method: 'GET',
    path: '/project-settings/broker',
    access: { codes: ['can_view_project_settings', 'can_change_project_settings'], about },
    summary: 'Where devices connect to the broker, and its certificate without its key',
    answer: shownBroker,
  }),
  setBrokerCertificate: call({
    method: 'POST',
    path: '/project-settings/broker',
    access: { codes: ['can_change_project_settings'], about },
    summary: 'Upload the broker’s certificate, its key and the certificates of its issuers (PEM); connections from then on use it',
    body: z.strictObject({ passphrase: z.string().max(255).optional() }),
    files: ['certificate'],
    optionalFiles: ['key', 'chain'],
    answer: shownBroker,
  }),
  removeBrokerCertificate: call({
    method: 'DELETE',
    path: '/project-settings/broker',
    access: { codes: ['can_change_project_settings'], about },
    summary: 'Remove the broker’s certificate; devices connected over TLS are disconnected',
    answer: shownBroker,
  }),
} as const;
