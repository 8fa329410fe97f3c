import { z } from 'zod';
import { defineModel, placedGroup, type RowOf } from './define-model.ts';
import { storedPassword, unlessStored } from './stored-password.ts';
import { choice, flag, name, optionalText, ref, refs, requiredText, rule, secret } from './rules.ts';
import { isHost, isPort } from './sip-address.ts';

/** `webhook`: another system is told of events · `camera`: a camera or recorder shows what it sees. */
export const integrationTypes = ['webhook', 'camera'] as const;
export type IntegrationType = (typeof integrationTypes)[number];
/** What a webhook may be told of. */
export const deliveryKinds = ['device_events', 'alarms', 'calls', 'access'] as const;
/** What a message to a webhook is about; `test` is sent by hand. */
export type DeliveryKind = (typeof deliveryKinds)[number] | 'test';
/** How a webhook stands: everything is sent; events wait; nothing is taken for some time; given up until somebody says so. */
export const integrationStates = ['working', 'failing', 'stopped', 'off'] as const;

const longestUrl = 250;
const ADDRESS = /^(?<scheme>[a-z]+):\/\/(?<host>\[[\da-f:.]{2,45}\]|[^\s:/?#@[\]]{1,253})(?::(?<port>\d{1,5}))?(?:[/?][^\s#]*)?$/i;
/** An address of these schemes, without a login in it: that would be told to everybody who may see the address. */
const isAddress = (value: string, schemes: readonly string[]): boolean => {
  const { scheme = '', host = '', port } = ADDRESS.exec(value)?.groups ?? {};
  return schemes.includes(scheme.toLowerCase()) && isHost(host) && (port === undefined || isPort(Number(port)));
};

const camera = z.strictObject({
  display_name: requiredText(64),
  /** Where the still picture of the camera is, below the address of its server. */
  access_point: requiredText(64).refine((value) => value === '' || /^\/(?!\/)[\u0021-\u005b\u005d-\u007e]*$/.test(value), rule('access_point')),
});
export type IntegrationCamera = z.infer<typeof camera>;
const cameras = z
  .array(camera)
  .max(64)
  .refine((all) => new Set(all.map((one) => one.access_point)).size === all.length, rule('unique'))
  .meta({ kind: 'cameras' });

/** What is told of an uploaded certificate. */
export const certificateInfo = z.strictObject({
  subject: z.string(),
  issuer: z.string(),
  valid_to: z.iso.datetime(),
  fingerprint: z.string(),
  /** It comes with a key: the server shows it when it is asked for one. */
  has_key: z.boolean(),
});
export type CertificateInfo = z.infer<typeof certificateInfo>;

/** The certificate file is sent as it is; in a form this stands for the one that is stored. */
const certificate = z
  .string()
  .max(65_536)
  .refine((value) => value.includes('-----BEGIN '), rule('certificate'))
  .nullable()
  .optional()
  .meta({ kind: 'certificate', secret: true });

/** Integrations: other systems that hear of events, or whose cameras are looked through. They have no list of their own (INTG-04). */
export const integrations = defineModel({
  name: 'integrations',
  fields: {
    name: name(),
    type: choice(integrationTypes),
    is_active: flag(),
    /** The group it belongs to; null for the project. */
    domain_id: ref('groups').nullable(),
    /** The groups it serves, with all below; without any, all it belongs to. */
    domains: refs('groups'),
    url: requiredText(longestUrl).refine((value) => value === '' || isAddress(value, ['http', 'https']), rule('web_address')),
    /** Signs what a webhook is told; write-only, null keeps the one that is stored. */
    secret: secret(128)
      .refine((value) => value.length >= 16, rule('min_length', { length: 16 }))
      .nullable(),
    events: z.strictObject({ device_events: flag(), alarms: flag(), calls: flag(), access: flag() }),
    login: optionalText(64),
    /** Write-only; null keeps the one that is stored (DATA-06). */
    password: secret(128).nullable(),
    /** Where the moving picture is; kept for other players. */
    rtsp_url: optionalText(longestUrl).refine((value) => !value || isAddress(value, ['rtsp', 'rtsps']), rule('rtsp_address')),
    cameras,
    certificate,
  },
  shown: {
    domain_id: placedGroup.nullable(),
    domains: z.array(placedGroup),
    cameras: z.array(z.strictObject({ display_name: z.string(), access_point: z.string() })),
    has_secret: z.boolean(),
    has_password: z.boolean(),
    certificate_info: certificateInfo.nullable(),
    state: z.enum(integrationStates),
    /** So many events wait to be sent. */
    waiting_count: z.int(),
    failing_since: z.iso.datetime().nullable(),
    stopped_at: z.iso.datetime().nullable(),
    last_error: z.string().nullable(),
    created_by: z.uuid().nullable(),
  },
  initial: {
    name: '',
    type: 'webhook',
    is_active: true,
    domain_id: null,
    domains: [],
    url: '',
    secret: '',
    events: { device_events: false, alarms: true, calls: false, access: true },
    login: '',
    password: '',
    rtsp_url: '',
    cameras: [],
    certificate: null,
  },
  filters: { name: 'text', type: 'choice', domain_id: 'ref', url: 'text', is_active: 'flag', created_at: 'time' },
  sorts: ['name', 'type', 'created_at', 'updated_at'],
  formFile: 'certificate',
  secretFields: ['secret', 'password', 'certificate'],
  encode: (wire) => {
    const { certificate: file, ...rest } = wire;
    return {
      ...rest,
      ...('secret' in wire && { secret: unlessStored(wire['secret']) }),
      ...('password' in wire && { password: unlessStored(wire['password']) }),
      // The stored file stays unless another is sent, or none.
      ...('certificate' in wire && file !== storedPassword && { certificate: file }),
    };
  },
  decode: (draft, row) => ({
    ...draft,
    secret: row['has_secret'] ? storedPassword : '',
    password: row['has_password'] ? storedPassword : '',
    certificate: row['certificate_info'] ? storedPassword : null,
  }),
});
export type Integration = RowOf<typeof integrations>;
