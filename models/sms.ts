import { z } from 'zod';
import { call } from './define-call.ts';
import { choice, optionalText, phone, requiredText, rule, secret, wholeNumber } from './rules.ts';

export const smsTypes = ['none', 'http'] as const;
export const smsMethods = ['POST', 'GET'] as const;
/** What the body of the request is: it says how a text is written into it, and which content type goes out with it. */
export const smsBodyKinds = ['json', 'form', 'text'] as const;
/** When the gateway has taken a message: by its status alone, or where its answer contains some words too. */
export const smsSuccesses = ['status', 'contains'] as const;
/** What is filled into the request; the secret goes into headers and body alone: addresses are written into logs on the way. */
export const smsPlaceholders = ['phone', 'text', 'secret'] as const;

/** For texts that speak of them. */
export const smsWords = Object.fromEntries(smsPlaceholders.map((name) => [name, `{{${name}}}`]));

const PLACEHOLDER = /\{\{\s*([a-z]+)\s*\}\}/g;
const ADDRESS = /^https?:\/\/(?:\[[\da-f:.]{2,45}\]|[^\s:/?#@[\]\\{}]{1,253})(?::\d{1,5})?(?:[/?][^\s#\\]*)?$/i;
const HEADER = /^([!#$%&'*+.^_`|~\da-z-]{1,64}):[ \t]*([\x20-\x7e]{1,1000})$/i;
/** They belong to the exchange itself. */
const ownHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect', 'upgrade', 'te', 'trailer']);
const secretly = /authorization|api-?key|token|secret|password/i;

const named = (text: string): string[] => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
const onlyOf = (text: string, names: readonly string[]): boolean => named(text).every((name) => names.includes(name));

/** A template with its placeholders filled, each as the place it stands in asks for. */
export const fillSms = (template: string, values: Readonly<Record<string, string>>, written: (value: string) => string): string =>
  template.replaceAll(PLACEHOLDER, (whole, name: string) => (name in values ? written(values[name] ?? '') : whole));

/** Headers are typed one a line. */
export const headerLines = (headers: string | null): string[] => (headers ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
export function headersOf(headers: string | null): [name: string, value: string][] {
  return headerLines(headers).flatMap((line) => {
    const [, name, value] = HEADER.exec(line.trim()) ?? [];
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value.trim()] as [string, string]];
  });
}
const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
/** How a text is written into a body. */
export const smsWritten: Readonly<Record<(typeof smsBodyKinds)[number], (value: string) => string>> = {
  json: inJson,
  form: encodeURIComponent,
  text: (value) => value,
};
function isJson(template: string): boolean {
  try {
    JSON.parse(fillSms(template, { phone: '+1', text: 'a', secret: 'b' }, inJson));
    return true;
  } catch {
    return false;
  }
}

const smsFields = {
  type: choice(smsTypes),
  method: choice(smsMethods),
  url: requiredText(1_000).nullable(),
  headers: optionalText(4_000),
  body_kind: choice(smsBodyKinds),
  body: optionalText(4_000),
  success: choice(smsSuccesses),
  success_text: optionalText(200),
  /** So many go out in a second at most. */
  per_second: wholeNumber(1, 50),
};
type Fields = z.output<z.ZodObject<typeof smsFields>>;

/** What is wrong between the settings of a gateway that is in use. */
function* smsFaults({ url, headers, body, body_kind, method, success, success_text }: Fields): Generator<[keyof Fields, string]> {
  if (url === null) yield ['url', 'required'];
  else if (!ADDRESS.test(url)) yield ['url', 'sms_address'];
  else if (!onlyOf(url, ['phone', 'text'])) yield ['url', 'sms_placeholder_url'];
  const read = headersOf(headers);
  if (read.length !== headerLines(headers).length || read.some(([name]) => ownHeaders.has(name))) yield ['headers', 'sms_header'];
  else if (!onlyOf(headers ?? '', ['phone', 'secret'])) yield ['headers', 'sms_placeholder_header'];
  else if (read.some(([name, value]) => secretly.test(name) && !named(value).includes('secret'))) yield ['headers', 'sms_secret_header'];
  const sent = method === 'GET' ? '' : (body ?? '');
  if (!onlyOf(sent, smsPlaceholders)) yield ['body', 'sms_placeholder'];
  else if (sent !== '' && body_kind === 'json' && !isJson(sent)) yield ['body', 'sms_json'];
  const all = [...named(url ?? ''), ...named(sent), ...named(headers ?? '')];
  if (url !== null && !(all.includes('phone') && all.includes('text'))) yield [method === 'GET' ? 'url' : 'body', 'sms_needs_placeholders'];
  if (success === 'contains' && success_text === null) yield ['success_text', 'required'];
}

/** Where and how text messages of the project leave, by whichever gateway takes a message with one HTTP request. The secret is kept apart and never read back. */
export const smsSettings = z.strictObject(smsFields).superRefine((fields, context) => {
  if (fields.type === 'none') return;
  for (const [field, name] of smsFaults(fields)) context.addIssue({ ...rule(name, smsWords), code: 'custom', path: [field] });
});
export type SmsSettings = z.infer<typeof smsSettings>;
export const smsInitial: SmsSettings = {
  type: 'none',
  method: 'POST',
  url: null,
  headers: null,
  body_kind: 'json',
  body: null,
  success: 'status',
  success_text: null,
  per_second: 5,
};

/** Where a secret was typed for: with another address, it is typed again. */
export const smsPlace = (url: string | null): string => /^[a-z]+:\/\/[^/?]*/i.exec(url ?? '')?.[0].toLowerCase() ?? '';

const shownSms = z.strictObject({ ...smsFields, has_secret: z.boolean() });
export type ShownSms = z.infer<typeof shownSms>;
export const smsBody = z.strictObject({ ...smsFields, secret: secret(1_000).nullable().optional() }).partial();
export type SmsBody = z.input<typeof smsBody>;

/** Why a text message was not taken. `sms_unknown`: it was handed over and no answer came, so that it may have arrived. */
export const smsReasons = ['sms_refused', 'sms_later', 'sms_unreachable', 'sms_unknown', 'address_not_allowed'] as const;
export type SmsReason = (typeof smsReasons)[number];
const smsOutcome = z.strictObject({ delivered: z.boolean(), reason: z.enum(smsReasons).nullable(), words: z.string().nullable() });
export type SmsOutcome = z.infer<typeof smsOutcome>;

const about = 'project-settings';
const changes = { codes: ['can_change_project_settings'], about } as const;

export const smsCalls = {
  smsSettings: call({
    method: 'GET',
    path: '/project-settings/sms',
    access: { codes: ['can_view_project_settings', 'can_change_project_settings'], about },
    summary: 'The SMS gateway of the project, without its secret',
    answer: shownSms,
  }),
  setSmsSettings: call({
    method: 'PATCH',
    path: '/project-settings/sms',
    access: changes,
    summary: 'Change the SMS gateway; another server asks for the secret again, null removes it',
    body: smsBody,
    answer: shownSms,
  }),
  testSms: call({
    method: 'POST',
    path: '/project-settings/sms/test',
    access: changes,
    summary: 'Send a test SMS through these settings, saved or not; answers what the gateway said',
    body: z.strictObject({ phone: phone(), sms_settings: smsBody }),
    answer: smsOutcome,
    timeout: 30_000,
  }),
} as const;
