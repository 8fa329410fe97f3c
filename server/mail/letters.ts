import { randomUUID } from 'node:crypto';
import { and, desc, eq, sql } from 'drizzle-orm';
import type { Locale } from '#models/constants.ts';
import { fillText, type MailTypeId, mailTypes, type PlaceholderOf } from '#models/mail-templates.ts';
import { idArray } from '../access/measures.ts';
import type { Db } from '../db/database.ts';
import { groups, mails, mailTemplates, userDomains } from '../db/schema/index.ts';
import { lookAt, type MailLook } from './look.ts';
import { asHtml, withFormatted } from './html.ts';

/** The words of a mail. */
export interface MailText {
  subject: string;
  body: string;
}
type Values = Readonly<Record<string, string | null>>;
/** HTML that takes the place of a value in the formatted part of a mail; the plain part has the value. */
type Formatted = Readonly<Record<string, string>>;
type TextOf<T extends MailTypeId> = (given: Record<Exclude<PlaceholderOf<T>, 'product'>, string>) => MailText;
/** A mail as it is built in: in each language, from what it names. */
export interface Letter<T extends MailTypeId> {
  type: T;
  texts: Record<Locale, TextOf<T>>;
}
const known = new Map<MailTypeId, Letter<MailTypeId>>();

/** Makes a built-in mail known by its type. What it calls Doorward is called by the name of the white label, where there is one. */
export function defineLetter<T extends MailTypeId>(type: T, texts: Letter<T>['texts']): Letter<T> {
  const letter = { type, texts };
  known.set(type, letter as unknown as Letter<MailTypeId>);
  return letter;
}

/** The built-in text of a type as a template; what has no value may be left out of it. */
export function builtIn(type: MailTypeId, locale: Locale, values?: Values): MailText {
  const letter = known.get(type);
  if (!letter) throw new Error(`no mail is called ${type}`);
  const words = mailTypes[type].placeholders.map((word) => [word, values && values[word] === null ? '' : `{{${word}}}`] as const);
  const { subject, body } = letter.texts[locale](Object.fromEntries(words) as never);
  const named = (text: string): string => text.replaceAll('Doorward', '{{product}}');
  return { subject: named(subject), body: named(body) };
}

/** For whom a mail looks and reads as it does: the project, and the groups to which it is nearest. */
export interface MailPlace {
  projectId: string;
  groupIds: readonly string[];
}

/** The template of the nearest group, else of the project; null where nobody wrote one. */
async function templateAt(db: Db, { projectId, groupIds }: MailPlace, type: MailTypeId, locale: Locale): Promise<MailText | null> {
  const { subject, body, domainId } = mailTemplates;
  const [found] = await db
    .select({ subject, body })
    .from(mailTemplates)
    .leftJoin(groups, eq(groups.id, domainId))
    .where(
      and(
        eq(mailTemplates.projectId, projectId),
        eq(mailTemplates.mailTypeId, type),
        eq(mailTemplates.locale, locale),
        sql`(${domainId} is null or ${domainId} in (select unnest(${groups.path}) from ${groups} where ${groups.id} = any(${idArray(groupIds)})))`,
      ),
    )
    .orderBy(desc(sql`coalesce(cardinality(${groups.path}), 0)`), groups.id)
    .limit(1);
  return found ?? null;
}

/** A mail as it is written: its words filled in, plain and in the look of its place. */
export interface WrittenMail {
  subject: string;
  text: string;
  html: string;
  look: MailLook;
}

const oneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ');

/** Writes a mail at a place; `template` is a text that is not stored (a preview), `formatted` are values that have HTML of their own, sanitised. */
export async function compose(
  db: Db,
  place: MailPlace,
  {
    type,
    locale,
    values,
    template,
    formatted = {},
  }: { type: MailTypeId; locale: Locale; values: Values; template?: MailText; formatted?: Formatted },
): Promise<WrittenMail> {
  const look = await lookAt(db, place);
  const { subject, body } = template ?? (await templateAt(db, place, type, locale)) ?? builtIn(type, locale, values);
  const filled = { ...values, product: look.name };
  const text = fillText(body, filled);
  return {
    subject: oneLine(fillText(subject, filled)),
    text: look.footer === '' ? text : `${text.trimEnd()}\n\n-- \n${look.footer}\n`,
    html: withFormatted(formatted, (marks) => asHtml(fillText(body, { ...filled, ...marks }), look)),
    look,
  };
}

/** The groups somebody belongs to: where their mails look for words and look. */
export async function groupsOfUser(db: Db, userId: string): Promise<string[]> {
  const rows = await db.select({ id: userDomains.groupId }).from(userDomains).where(eq(userDomains.userId, userId));
  return rows.map(({ id }) => id);
}

interface Envelope {
  projectId: string;
  /** Whose sign-in the mail may open; null: nobody's. */
  userId: string | null;
  recipient: string;
  locale: Locale;
  /** Where it looks for words and look, if not where the user is. */
  groupIds?: readonly string[];
  /** It never goes out twice, even where that leaves it unsent. */
  once?: boolean;
  formatted?: Formatted;
}

/** Writes a mail of a type into the outbox, within the change that causes it; answers its id. */
export async function writeLetter<T extends MailTypeId>(
  db: Db,
  letter: Letter<T>,
  { projectId, userId, recipient, locale, groupIds, once = false, formatted = {} }: Envelope,
  values: Record<Exclude<PlaceholderOf<T>, 'product'>, string | null>,
  at: Date,
): Promise<string> {
  const place = { projectId, groupIds: groupIds ?? (userId === null ? [] : await groupsOfUser(db, userId)) };
  const { subject, text, html, look } = await compose(db, place, { type: letter.type, locale, values, formatted });
  const id = randomUUID();
  await db.insert(mails).values({ id, projectId, userId, recipient, subject, body: text, html, logoFile: look.logoFile, once, createdAt: at });
  return id;
}
