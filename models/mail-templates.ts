import { z } from 'zod';
import { locales } from './constants.ts';
import { defineModel, placedGroup } from './define-model.ts';
import type { Issue } from './issues.ts';
import { choice, ref, requiredText } from './rules.ts';

interface MailType {
  /** What a template of it may name as `{{word}}`. */
  placeholders: readonly string[];
  /** What its body has to name: without it the mail is of no use (VALID-30). */
  required: readonly string[];
}
const happened = ['name', 'login', 'when', 'place', 'device', 'console', 'product'] as const;
/** Every mail whose words a project may choose. */
export const mailTypes = {
  registration: { placeholders: ['name', 'link', 'product'], required: ['link'] },
  confirmation: { placeholders: ['name', 'code', 'link', 'product'], required: ['code', 'link'] },
  already_registered: { placeholders: ['name', 'login', 'console', 'product'], required: [] },
  registered: { placeholders: ['name', 'email', 'object', 'console', 'product'], required: ['email'] },
  recovery: { placeholders: ['name', 'login', 'link', 'product'], required: ['link'] },
  password_changed: { placeholders: happened, required: [] },
  second_factor_off: { placeholders: happened, required: [] },
  passkey_added: { placeholders: [...happened, 'passkey'], required: [] },
  passkey_removed: { placeholders: [...happened, 'passkey'], required: [] },
  new_device: { placeholders: happened, required: [] },
  announce: { placeholders: ['name', 'sender', 'title', 'text', 'link', 'product'], required: ['link'] },
  guest: { placeholders: ['host', 'project', 'link', 'until', 'message', 'product'], required: ['link'] },
  reservation_canceled: { placeholders: ['name', 'who', 'amenity', 'when', 'link', 'product'], required: ['when'] },
  reservation_changed: { placeholders: ['name', 'who', 'was', 'amenity', 'when', 'persons', 'link', 'product'], required: ['when'] },
  reservation_reminder: { placeholders: ['name', 'amenity', 'when', 'persons', 'link', 'product'], required: ['when'] },
  device_offline: { placeholders: ['device', 'group', 'product'], required: ['device'] },
  device_task_failed: { placeholders: ['device', 'group', 'error', 'product'], required: ['device'] },
} as const satisfies Record<string, MailType>;
export type MailTypeId = keyof typeof mailTypes;
export const mailTypeIds = Object.keys(mailTypes) as [MailTypeId, ...MailTypeId[]];
/** The words that a mail of a type can be given. */
export type PlaceholderOf<T extends MailTypeId> = (typeof mailTypes)[T]['placeholders'][number];

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;
/** The placeholders that a text names. */
const namedIn = (text: string): string[] => [...text.matchAll(PLACEHOLDER)].map(([, word = '']) => word);
/** A text with its placeholders filled in, each once: what is filled in is text, whatever it holds. A word without a value leaves nothing. */
export const fillText = (text: string, values: Readonly<Record<string, string | null>>): string =>
  text.replaceAll(PLACEHOLDER, (whole, word: string) => (Object.hasOwn(values, word) ? (values[word] ?? '') : whole));

/** What is wrong with a template: words it cannot name, and those it has to. */
export function templateIssues({ mail_type_id: id, subject, body }: Record<string, unknown>): Issue[] {
  const type: MailType | undefined = Object.hasOwn(mailTypes, String(id)) ? mailTypes[id as MailTypeId] : undefined;
  if (!type || typeof subject !== 'string' || typeof body !== 'string') return [];
  const unknown = ([field, text]: readonly [string, string]): Issue[] =>
    namedIn(text)
      .filter((word) => !type.placeholders.includes(word))
      .slice(0, 1)
      .map((word) => ({ path: [field], rule: 'unknown_placeholder', params: { placeholder: word.slice(0, 40) } }));
  const named = namedIn(body);
  const missing = type.required.filter((word) => !named.includes(word));
  const asked = missing.map((word) => `{{${word}}}`).join(', ');
  return [
    ...unknown(['subject', subject]),
    ...unknown(['body', body]),
    ...(missing.length > 0 ? [{ path: ['body'], rule: 'required_placeholders', params: { placeholders: asked } }] : []),
  ];
}

/** What is written, as every template and every preview has it. */
export const mailText = { subject: requiredText(200), body: requiredText(10_000) };

/** Mail templates: the words of a mail, for the project or a group; the nearest one above a person counts (FIELD-43, DATA-62). */
export const mailTemplates = defineModel({
  name: 'mail-templates',
  fields: {
    mail_type_id: choice(mailTypeIds),
    locale: choice(locales),
    /** The group it belongs to; null for the project. */
    domain_id: ref('groups').nullable(),
    ...mailText,
  },
  shown: { domain_id: placedGroup.nullable(), created_by: z.uuid().nullable() },
  label: 'subject',
  initial: { mail_type_id: 'registration', locale: 'en', domain_id: null, subject: '', body: '' },
  filters: { mail_type_id: 'choice', locale: 'choice', domain_id: 'ref', subject: 'text', created_at: 'time' },
  sorts: ['mail_type_id', 'subject', 'created_at', 'updated_at'],
  defaultSort: ['mail_type_id'],
  search: ['subject'],
  refine: templateIssues,
});
