import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { type Locale, locales } from '#models/constants.ts';

type Tree = Record<string, unknown>;
const files = import.meta.glob<Tree>('/locales/*/*.json', { import: 'default' });

/** A file of words: `interface`, `errors`, `validation`, `permissions`, `notifications`, `shell` (what only those signed in see around every page) or `areas/<area>`. */
export type Words =
  | 'interface'
  | 'errors'
  | 'validation'
  | 'permissions'
  | 'list'
  | 'notifications'
  | 'shell'
  | 'simulator'
  | 'home'
  | 'entry'
  | 'phone'
  | `areas/${string}`;

/** The words of the interface: which are loaded, and in which language they are shown. */
export interface Texts {
  i18n: i18n;
  locale: () => Locale;
  /** Loads files of words in the present language; those already there, and those that no area has, cost nothing. */
  load: (...wanted: Words[]) => Promise<void>;
  /** Loads all that is shown in another language, then changes to it, so that nobody ever sees a key. */
  change: (locale: Locale) => Promise<void>;
}

const isLocale = (value: unknown): value is Locale => (locales as readonly unknown[]).includes(value);

const asLocale = (value: unknown): Locale => (isLocale(value) ? value : locales[0]);

/** The first language a browser asks for that the interface has; else the default. */
export function browserLocale(languages: readonly string[]): Locale {
  return languages.map((language) => language.slice(0, 2).toLowerCase()).find(isLocale) ?? locales[0];
}

/** More files of words than these are read from one that has those of all areas: each request costs more than words that nobody reads. */
const many = 10;

/** Where a file's words stand: `areas/users` below `areas.users`, all others below their own name. */
const nest = (name: Words, tree: Tree): Tree => (name.startsWith('areas/') ? { areas: { [name.slice('areas/'.length)]: tree } } : { [name]: tree });

async function readArea(path: string, isOneOfMany: boolean): Promise<Tree | undefined> {
  const { areaFiles, allAreaFiles } = await import('./area-files.ts');
  if (!isOneOfMany) return areaFiles[path]?.();
  const text = await allAreaFiles[path]?.();
  return text === undefined ? text : (JSON.parse(text) as Tree);
}

/** A translator without words yet, which marks the page with the language it is read in. */
async function makeTranslator(locale: Locale, page: { lang: string }): Promise<i18n> {
  const made = i18next.createInstance();
  made.on('languageChanged', (language) => {
    page.lang = language;
  });
  await made.use(initReactI18next).init({
    lng: locale,
    fallbackLng: locales[0],
    resources: {},
    nsSeparator: false,
    returnNull: false,
    // React shows text as text; escaping twice would print entities.
    interpolation: { escapeValue: false },
    react: { useSuspense: false, bindI18nStore: 'added' },
  });
  return made;
}

/** Opens the words in a language, those of login first: interface and errors. The page is marked with the language it is read in. */
export async function openTexts(locale: Locale, page: { lang: string } = document.documentElement): Promise<Texts> {
  const i18n = await makeTranslator(locale, page);
  const known = new Set<Words>();
  const loaded = new Set<string>();
  let latest = locale;

  const readFile = async (language: Locale, name: Words, isOneOfMany: boolean): Promise<{ path: string; tree: Tree } | null> => {
    const path = `/locales/${language}/${name}.json`;
    if (loaded.has(path)) return null;
    const tree = await (name.startsWith('areas/') ? readArea(path, isOneOfMany) : files[path]?.());
    return tree ? { path, tree: nest(name, tree) } : null;
  };

  /** Adds files of words together: whoever shows words draws anew once for all of them. */
  const fetchWords = async (language: Locale, names: readonly Words[]): Promise<void> => {
    const read = (await Promise.all(names.map((name) => readFile(language, name, names.length > many)))).filter((file) => file !== null);
    for (const file of read) {
      loaded.add(file.path);
      i18n.addResourceBundle(language, 'translation', file.tree, true, true, { silent: file !== read.at(-1) });
    }
  };

  const texts: Texts = {
    i18n,
    locale: () => asLocale(i18n.language),
    async load(...wanted) {
      for (const name of wanted) known.add(name);
      await fetchWords(texts.locale(), wanted);
    },
    async change(next) {
      latest = next;
      // While these come, a screen may ask for more.
      for (let had = -1; had < known.size;) {
        had = known.size;
        await fetchWords(next, [...known]);
      }
      // Whoever chose meanwhile is followed, not who was answered last.
      if (latest === next) await i18n.changeLanguage(next);
    },
  };
  await texts.load('interface', 'errors');
  return texts;
}
