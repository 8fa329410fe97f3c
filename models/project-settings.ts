import { z } from 'zod';
import { brokerSettings, type BrokerSettings } from './broker.ts';
import { identifierFormats, locales, profileDefaults, timeFormats } from './constants.ts';
import { call } from './define-call.ts';
import { named, portrait } from './define-model.ts';
import { allLicensed, type LicenceInfo, nothingLicensed } from './licence-info.ts';
import { licenceSettings } from './licences.ts';
import { mobileSdkSettings, type MobileSdkSettings, pushServerSettings, type PushServerSettings } from './mobile.ts';
import { choice, color, email, flag, limit, optionalText, phone, ref, requiredText, rule, timeZoneName, wholeNumber } from './rules.ts';
import { contrast, leastContrast } from './contrast.ts';
import { mailBody, mailInitial, mailSettings, shownMail } from './mail-settings.ts';
import { networkInitial, sipInitial, sipNetwork, sipSettings } from './sip-settings.ts';
import { webAddress } from './web-address.ts';
import { smsInitial, smsSettings } from './sms.ts';

/** The units in which log retention is given (SETT-07). */
export const logUnits = ['days', 'weeks', 'months', 'years'] as const;

/** How the project is called, what new users start with, who may register, and for how long logs are kept (FIELD-61, FIELD-65). */
export const generalSettings = z.strictObject({
  name: requiredText(64),
  description: optionalText(),
  /** The address in links of mails; null: the server's own. */
  server_url: webAddress().nullable(),
  locale: choice(locales),
  /** Zone of new users, and of devices whose groups name none; null: none is set. */
  time_zone_name: timeZoneName().nullable(),
  time_format: choice(timeFormats),
  identifier_format: choice(identifierFormats),
  admin_email: email().nullable(),
  registration: z.strictObject({ simple: flag(), by_token: flag(), self: flag() }),
  password_recovery: flag(),
  /** What is mailed to `admin_email`. */
  notify: z.strictObject({ device_offline: flag(), device_task_failed: flag() }),
  /** How long logs are kept; null: for ever, but for notifications, which go after 90 days. */
  logs_life: z.strictObject({ value: wholeNumber(1, 10_000), unit: choice(logUnits) }).nullable(),
  /** Whether the picture of who rings at a panel is kept with the call; for 30 days, as one that somebody keeps. */
  visitor_pictures: flag(),
  /** For groups that set no limits, and have none above them that does. */
  guest_identifier_limits: z.strictObject({ max_passes_count: limit(1, 100_000), max_period_days: limit(1, 3_650) }),
});
export type GeneralSettings = z.infer<typeof generalSettings>;

/** The parts of a licence that people who register by themselves may be given. */
export const clientFeatures = ['sip', 'mobile_app', 'elevator', 'license_plate', 'face_id', 'amenity', 'ukey2', 'identifier'] as const;
export type ClientFeature = (typeof clientFeatures)[number];
/** What a person has who was given these features. */
export const licenceOf = (given: readonly ClientFeature[]): LicenceInfo => ({
  ...nothingLicensed,
  ...Object.fromEntries(given.map((feature) => [feature, allLicensed[feature]])),
});

/** One kind of client that may register by itself: what it becomes (FIELD-64). */
const client = z.strictObject({
  type: requiredText(31),
  role: ref('roles'),
  license_period_days: limit(1, 36_500),
  features: z.array(choice(clientFeatures)).max(clientFeatures.length),
});
const differ = (clients: readonly { type: string }[]): boolean => new Set(clients.map(({ type }) => type.toLowerCase())).size === clients.length;
const selfRegistrationFields = {
  clients: z.array(client).max(20).refine(differ, rule('unique')),
  /** The type that people become who register by name and login alone; null: the first. */
  simple_type: optionalText(31),
};
const isKnown = ({ clients, simple_type: chosen }: { clients: readonly { type: string }[]; simple_type: string | null }): boolean =>
  chosen === null || clients.some(({ type }) => type === chosen);
export const selfRegistrationSettings = z
  .strictObject(selfRegistrationFields)
  .refine(isKnown, { ...rule('unknown_client_type'), path: ['simple_type'] });
export type SelfRegistrationSettings = z.infer<typeof selfRegistrationSettings>;

const readable = ({ accent_color: ground, accent_text_color: text }: { accent_color: string; accent_text_color: string }): boolean =>
  contrast(ground, text) >= leastContrast;
/** Whose product it seems to be: on the sign-in page and in mails (SETT-01). */
export const whiteLabelFields = {
  is_enabled: flag(),
  name: optionalText(31),
  address: optionalText(),
  email: email().nullable(),
  phone: phone().nullable(),
  accent_color: color(),
  accent_text_color: color(),
};
export const whiteLabelSettings = z
  .strictObject(whiteLabelFields)
  .refine(readable, { ...rule('contrast', { ratio: leastContrast }), path: ['accent_text_color'] });
export type WhiteLabelSettings = z.infer<typeof whiteLabelSettings>;

/** The blocks that are kept as they stand, each with what it is until somebody sets it. `name` and `description` stand with the project. */
export const settingBlocks = {
  general: {
    schema: generalSettings.omit({ name: true, description: true }),
    initial: {
      server_url: null,
      locale: profileDefaults.locale,
      time_zone_name: null,
      time_format: profileDefaults.time_format,
      identifier_format: profileDefaults.identifier_format,
      admin_email: null,
      registration: { simple: false, by_token: true, self: false },
      password_recovery: true,
      notify: { device_offline: false, device_task_failed: false },
      logs_life: null,
      visitor_pictures: false,
      guest_identifier_limits: { max_passes_count: null, max_period_days: null },
    } satisfies Omit<GeneralSettings, 'name' | 'description'>,
  },
  self_registration: { schema: selfRegistrationSettings, initial: { clients: [], simple_type: null } satisfies SelfRegistrationSettings },
  mail: { schema: mailSettings, initial: mailInitial },
  sms: { schema: smsSettings, initial: smsInitial },
  sip: { schema: sipSettings, initial: sipInitial },
  sip_network: { schema: sipNetwork, initial: networkInitial },
  mobile_sdk: { schema: mobileSdkSettings, initial: { enabled: false } satisfies MobileSdkSettings },
  push_server: { schema: pushServerSettings, initial: { enabled: false, url: null } satisfies PushServerSettings },
  broker: { schema: brokerSettings, initial: { certificate: null, told_days: null } satisfies BrokerSettings },
  white_label: {
    schema: whiteLabelSettings,
    initial: {
      is_enabled: false,
      name: null,
      address: null,
      email: null,
      phone: null,
      accent_color: '#2b5bd7',
      accent_text_color: '#ffffff',
    } satisfies WhiteLabelSettings,
  },
} as const;
export type SettingBlock = keyof typeof settingBlocks;

/** The basic licence that new top groups start with; kept with the licences. */
export const basicLicence = z.strictObject({ period_days: licenceSettings.shape.basic_period_days, quantity: licenceSettings.shape.basic_quantity });
const shownGeneral = generalSettings.extend({ basic_license: basicLicence });
export type ShownGeneral = z.infer<typeof shownGeneral>;
const shownClients = z.strictObject({ clients: z.array(client.extend({ role: named })), simple_type: z.string().nullable() });
export type ShownClients = z.infer<typeof shownClients>;
const shownWhiteLabel = z.strictObject({ ...whiteLabelFields, logo: portrait.nullable() });
export type ShownWhiteLabel = z.infer<typeof shownWhiteLabel>;
/** Which kinds of registration are open to somebody who is not signed in; of several projects, to any. */
const openKinds = z.strictObject({ simple: z.boolean(), self: z.boolean(), recovery: z.boolean() });
export type OpenKinds = z.infer<typeof openKinds>;

const about = 'project-settings';
const reads = { codes: ['can_view_project_settings', 'can_change_project_settings'], about } as const;
const changes = { codes: ['can_change_project_settings'], about } as const;
/** What is said of the company stands apart from how the project works (PERM-15). */
const companyCode = 'can_manage_company_information';
/** Any of these lets somebody change the white label. */
export const companyCodes = [...changes.codes, companyCode] as const;
const readsCompany = { codes: [...reads.codes, companyCode], about } as const;
const changesCompany = { codes: companyCodes, about } as const;

/** The settings of a project (SETT-01), block by block. What a PATCH leaves out stays as it is. */
export const projectSettingsCalls = {
  generalSettings: call({
    method: 'GET',
    path: '/project-settings/general',
    access: reads,
    summary: 'Name and defaults of the project, open kinds of registration, log retention and limits of guests',
    answer: shownGeneral,
  }),
  setGeneralSettings: call({
    method: 'PATCH',
    path: '/project-settings/general',
    access: changes,
    summary: 'Change general settings; the basic licence requires can_manage_licenses',
    body: shownGeneral.partial(),
    answer: shownGeneral,
  }),
  selfRegistrationSettings: call({
    method: 'GET',
    path: '/project-settings/self-registration',
    access: reads,
    summary: 'Role, licence period and features of users who register themselves, by type',
    answer: shownClients,
  }),
  setSelfRegistrationSettings: call({
    method: 'PATCH',
    path: '/project-settings/self-registration',
    access: changes,
    summary: 'Change role, licence period and features of users who register themselves; only roles that the user can assign',
    body: z.strictObject(selfRegistrationFields).partial(),
    answer: shownClients,
  }),
  mailSettings: call({
    method: 'GET',
    path: '/project-settings/mail',
    access: reads,
    summary: 'The mail server of the project, without its password',
    answer: shownMail,
  }),
  setMailSettings: call({
    method: 'PATCH',
    path: '/project-settings/mail',
    access: changes,
    summary: 'Change the mail server; another server asks for the password again, null removes it',
    body: mailBody,
    answer: shownMail,
  }),
  whiteLabelSettings: call({
    method: 'GET',
    path: '/project-settings/white-label',
    access: readsCompany,
    summary: 'Name, logo, contacts and colours that stand for the product',
    answer: shownWhiteLabel,
  }),
  setWhiteLabelSettings: call({
    method: 'PATCH',
    path: '/project-settings/white-label',
    access: changesCompany,
    feature: 'whiteLabel',
    summary: 'Change name, contacts and colours; the colours must contrast',
    body: z.strictObject(whiteLabelFields).partial(),
    answer: shownWhiteLabel,
  }),
  setWhiteLabelLogo: call({
    method: 'POST',
    path: '/project-settings/white-label/logo',
    access: changesCompany,
    feature: 'whiteLabel',
    summary: 'Upload the logo of the project',
    files: ['image'],
    answer: shownWhiteLabel,
  }),
  removeWhiteLabelLogo: call({
    method: 'DELETE',
    path: '/project-settings/white-label/logo',
    access: changesCompany,
    feature: 'whiteLabel',
    summary: 'Remove the logo of the project',
    answer: shownWhiteLabel,
  }),
  openRegistration: call({
    method: 'GET',
    path: '/registration/kinds',
    access: 'anyone',
    summary: 'Which kinds of registration the sign-in page may offer',
    answer: openKinds,
  }),
} as const;
