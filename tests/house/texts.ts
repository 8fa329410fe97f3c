import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import i18next, { type i18n } from 'i18next';
import { type Locale, locales } from '#models/constants.ts';

type Tree = { [key: string]: string | Tree };

const root = join(import.meta.dirname, '../../locales');
const nameOf = (language: Locale, file: string): string =>
  relative(join(root, language), file)
    .split(sep)
    .join('.')
    .replace(/\.json$/, '');

const keysIn = (tree: Tree): number => Object.values(tree).reduce((count, value) => count + 1 + (typeof value === 'string' ? 0 : keysIn(value)), 0);

/** Files in which a key stands twice; of the two the last is read, and the other is lost. */
export const filesWithTwins = (language: Locale): string[] =>
  readdirSync(join(root, language), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const text = readFileSync(file, 'utf8');
      return (text.match(/[{,]\s*"[^"]+":/g) ?? []).length !== keysIn(JSON.parse(text) as Tree);
    })
    .map((file) => nameOf(language, file));

/** Every file of words in a language: its name (`errors`, `areas.users`) and what it holds. */
function filesOf(language: Locale): Map<string, Tree> {
  const found = readdirSync(join(root, language), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    found.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return [nameOf(language, file), JSON.parse(readFileSync(file, 'utf8')) as Tree];
    }),
  );
}

const flat = (prefix: string, tree: Tree): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}.${key}`, value] as [string, string]] : flat(`${prefix}.${key}`, value),
  );

/** All texts of a language by their whole key. */
export const textsOf = (language: Locale): Map<string, string> => new Map([...filesOf(language)].flatMap(([name, tree]) => flat(name, tree)));

export const texts = Object.fromEntries(locales.map((language) => [language, textsOf(language)])) as Record<Locale, Map<string, string>>;
export const fileNames = Object.fromEntries(locales.map((language) => [language, [...filesOf(language).keys()].toSorted()])) as Record<
  Locale,
  string[]
>;

/** The plural forms a language counts in, as i18next asks for them. */
export const formsOf = (language: Locale): string[] => new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();

const suffix = /_(zero|one|two|few|many|other)$/;
/** A key without its plural form, where the language's texts count by it. */
export const baseOf = (key: string, all: Map<string, string>): string => {
  const base = key.replace(suffix, '');
  return base !== key && all.has(`${base}_other`) ? base : key;
};
export const formOf = (key: string): string | undefined => suffix.exec(key)?.[1];

/** Whether a key has words in a language, plain or counted. */
export const has = (language: Locale, key: string): boolean => texts[language].has(key) || texts[language].has(`${key}_other`);

/** The keys among `wanted` that some language has no words for, each with the language. */
export const wordless = (wanted: Iterable<string>): string[] =>
  locales.flatMap((language) => [...new Set(wanted)].filter((key) => !has(language, key)).map((key) => `${language} ${key}`));

/** The words as the interface opens them, but with nothing to fall back on. */
export async function openWords(language: Locale): Promise<i18n> {
  const words = i18next.createInstance();
  const nested: Tree = {};
  for (const [name, tree] of filesOf(language)) {
    if (!name.startsWith('areas.')) nested[name] = tree;
    else nested['areas'] = { ...(nested['areas'] as Tree | undefined), [name.slice('areas.'.length)]: tree };
  }
  await words.init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: nested } },
    nsSeparator: false,
    returnNull: false,
    interpolation: { escapeValue: false },
  });
  return words;
}
