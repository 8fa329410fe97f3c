import { z } from 'zod';
import type { Issue } from './issues.ts';

/** Areas whose rows are read from files. */
export const importAreas = ['identifiers', 'users', 'devices'] as const;
export type ImportArea = (typeof importAreas)[number];
/** What becomes of rows that exist already and differ: they stay as they are, or take over what the file says. */
export const importActions = ['leave', 'overwrite'] as const;
export type ImportAction = (typeof importActions)[number];
/** What may be in a file; more is refused. */
export const importLimits = { rows: 50_000, columns: 60, samples: 3, issues: 500 } as const;

/** One field that a file may give; a field of a block by its dotted path. */
export interface ImportColumn {
  field: string;
  /** Headings it goes by besides its name and its labels in every language. */
  headings?: readonly string[];
  /** Of a choice, the options that a file may name, where not all. */
  options?: readonly string[];
  /** May be said once for all rows instead of in a column. */
  constant?: true;
  /** A file cannot do without it. */
  required?: true;
}

/** The fields of each area that is imported, in the order in which they are offered. */
export const importColumns: Readonly<Record<ImportArea, readonly ImportColumn[]>> = {
  identifiers: [
    { field: 'type', constant: true, required: true, options: ['card', 'ukey', 'access_code', 'license_plate'], headings: ['Kind', 'Вид'] },
    {
      field: 'value',
      required: true,
      headings: ['Number', 'Card number', 'Code', 'Card', 'UID', 'Номер', 'Номер карты', 'Код', 'Карта'],
    },
    { field: 'name', headings: ['Title', 'Имя', 'Наименование'] },
    { field: 'description', headings: ['Comment', 'Note', 'Комментарий', 'Примечание'] },
    { field: 'owner', headings: ['Login', 'User', 'Owner login', 'Логин', 'Пользователь', 'Логин владельца'] },
    { field: 'domain', headings: ['Group path', 'Путь группы', 'Путь'] },
    { field: 'access_rules', headings: ['Rules', 'Access rule', 'Правила', 'Правило доступа'] },
    { field: 'is_active', headings: ['Enabled', 'Активен'] },
    { field: 'owner_type' },
    { field: 'guest_type' },
    { field: 'period_restrict_from', headings: ['From', 'С', 'Начало'] },
    { field: 'period_restrict_to', headings: ['Until', 'To', 'До', 'Окончание'] },
    { field: 'passes_max_count', headings: ['Passes', 'Проходы', 'Число проходов'] },
    { field: 'lock_numbers', headings: ['Lock', 'Замок'] },
  ],
  users: [
    { field: 'login', required: true, headings: ['Username', 'User name', 'Account', 'Учётная запись'] },
    { field: 'name', required: true, headings: ['Full name', 'Person', 'Resident', 'ФИО', 'Имя', 'Жилец'] },
    { field: 'email', headings: ['Mail', 'Email', 'Почта', 'Электронная почта'] },
    { field: 'profile.phone', headings: ['Phone number', 'Mobile', 'Номер телефона', 'Мобильный'] },
    { field: 'profile.address', headings: ['Postal address', 'Почтовый адрес'] },
    { field: 'role', required: true, headings: ['Роль'] },
    { field: 'domains', required: true, headings: ['Group', 'Apartment', 'Flat', 'Unit', 'Группа', 'Квартира', 'Помещение'] },
    { field: 'markers', headings: ['Tags', 'Marker', 'Метки', 'Маркер'] },
    { field: 'access_rules', headings: ['Rules', 'Access rule', 'Правила', 'Правило доступа'] },
    { field: 'description', headings: ['Comment', 'Note', 'Комментарий', 'Примечание'] },
  ],
  devices: [
    { field: 'login', required: true, headings: ['Serial', 'S/N', 'Login', 'Серийный номер', 'Логин'] },
    { field: 'name', required: true, headings: ['Title', 'Device', 'Имя', 'Наименование', 'Устройство'] },
    { field: 'type', constant: true, required: true, headings: ['Kind', 'Вид'] },
    { field: 'model', required: true, headings: ['Модель'] },
    { field: 'domain', required: true, headings: ['Group path', 'Object', 'Путь группы', 'Объект'] },
    { field: 'protocol', constant: true },
    { field: 'ip_address', headings: ['IP', 'Address', 'Адрес'] },
    { field: 'port' },
    { field: 'device_login' },
    { field: 'access_rules', headings: ['Rules', 'Access rule', 'Правила', 'Правило доступа'] },
    { field: 'description', headings: ['Comment', 'Note', 'Комментарий', 'Примечание'] },
  ],
};
/** Which column of the file (from 0) gives a field. */
const mapping = z.record(
  z.string().max(64),
  z
    .int()
    .min(0)
    .max(importLimits.columns - 1),
);
/** What a field is in all rows for which no column gives it. */
const constants = z.record(z.string().max(64), z.string().max(64));

/** How a file is to be read. The file path is what the attempt answered; without a mapping its columns are those the attempt guessed (IDENT-11). */
const plan = z.strictObject({ filepath: z.uuid(), mapping: mapping.optional(), constants: constants.default({}) });
export type SentImportPlan = z.output<typeof plan>;
export interface ImportPlan extends SentImportPlan {
  mapping: z.output<typeof mapping>;
}
export const importCheck = plan;
export const importContinue = plan.extend({ action: z.enum(importActions) });

/** What a file holds, before it is said what it means. */
export const importAttempt = z.strictObject({
  filepath: z.uuid(),
  file_name: z.string(),
  rows: z.int(),
  columns: z.array(z.strictObject({ heading: z.string(), samples: z.array(z.string()) })),
  /** The columns guessed by their headings. */
  mapping,
});
export type ImportAttempt = z.infer<typeof importAttempt>;

/** What is wrong with one row: its number as a spreadsheet counts, the heading of the column, and the rule it breaks or the code of the refusal. */
const importIssue = z.strictObject({
  row: z.int(),
  column: z.string().nullable(),
  field: z.string().nullable(),
  rule: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type ImportIssue = z.infer<typeof importIssue> & Pick<Issue, 'rule' | 'params'>;

const counts = z.strictObject({ new: z.int(), same: z.int(), changed: z.int(), bad: z.int() });
export type ImportCounts = z.infer<typeof counts>;

/** How far an import has come: what became of the rows up to the last one that is settled, and what is wrong with the first of the bad ones. */
export const importResult = z.strictObject({
  /** Null for a check, which changes nothing. */
  action: z.enum(importActions).nullable(),
  counts,
  /** The number of the last row that is settled; 0 before the first. */
  last_row: z.int(),
  issues: z.array(importIssue),
});
export type ImportResult = z.infer<typeof importResult>;
