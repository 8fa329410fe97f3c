import { type Locale, locales } from '#models/constants.ts';
import { type Remembered, remembered } from './followed.ts';
import type { KeyValueStore } from './storage.ts';

/** The drawer's size and the categories a person has folded. */
export interface SideMenuState {
  mini: boolean;
  folded: string[];
}

/** The phone beside the page, and the keys a person has chosen for its acts. */
export interface PhoneDesk {
  isOpen: boolean;
  keys: Record<string, string | null>;
  /** The doors each person has marked, by the ids of their devices. */
  favourites?: Record<string, string[]>;
}

/** How wide each person has made the columns of each list, in percent of the table. */
type ColumnWidths = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A language that somebody has chosen and their profile does not have yet. */
interface UnsavedLocale {
  person: string;
  locale: Locale;
}

/** What is remembered on this device (spec B3): stay signed in, language, side menu, phone, widths of columns. */
export interface LocalSettings {
  rememberUser: Remembered<boolean>;
  userLocale: Remembered<Locale | null>;
  unsavedLocale: Remembered<UnsavedLocale | null>;
  sideMenuState: Remembered<SideMenuState>;
  phoneDesk: Remembered<PhoneDesk>;
  columnWidths: Remembered<ColumnWidths>;
}

const asLocale = (stored: unknown): Locale | null => locales.find((locale) => locale === stored) ?? null;
function asUnsavedLocale(stored: unknown): UnsavedLocale | null {
  const { person, locale } = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<Record<keyof UnsavedLocale, unknown>>;
  const known = asLocale(locale);
  return typeof person === 'string' && known ? { person, locale: known } : null;
}
function asSideMenu(stored: unknown): SideMenuState {
  const { mini, folded } = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<Record<keyof SideMenuState, unknown>>;
  return { mini: mini === true, folded: Array.isArray(folded) ? folded.filter((name): name is string => typeof name === 'string') : [] };
}

const isWidths = (value: unknown): value is Record<string, number> =>
  typeof value === 'object' && value !== null && Object.values(value).every((width) => typeof width === 'number' && width > 0 && width < 100);
const asColumnWidths = (stored: unknown): ColumnWidths =>
  Object.fromEntries(
    Object.entries(typeof stored === 'object' && stored !== null ? stored : {}).filter((entry): entry is [string, Record<string, number>] =>
      isWidths(entry[1]),
    ),
  );

function asPhoneDesk(stored: unknown): PhoneDesk {
  const { isOpen, keys, favourites } = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<Record<keyof PhoneDesk, unknown>>;
  const isKey = (entry: [string, unknown]): entry is [string, string | null] => entry[1] === null || typeof entry[1] === 'string';
  const isMarks = (entry: [string, unknown]): entry is [string, string[]] =>
    Array.isArray(entry[1]) && entry[1].every((id) => typeof id === 'string');
  return {
    isOpen: isOpen === true,
    keys: Object.fromEntries(typeof keys === 'object' && keys !== null ? Object.entries(keys).filter(isKey) : []),
    ...(typeof favourites === 'object' && favourites !== null && { favourites: Object.fromEntries(Object.entries(favourites).filter(isMarks)) }),
  };
}

/** Opens what a person has chosen on this device; in a narrow window the phone, which would lie over the whole page, begins closed. */
export const openLocalSettings = (storage: KeyValueStore, isNarrow = false): LocalSettings => ({
  rememberUser: remembered(storage, 'rememberUser', (stored) => stored === true),
  userLocale: remembered(storage, 'userLocale', asLocale),
  unsavedLocale: remembered(storage, 'unsavedLocale', asUnsavedLocale),
  sideMenuState: remembered(storage, 'sideMenuState', asSideMenu),
  columnWidths: remembered(storage, 'columnWidths', asColumnWidths),
  phoneDesk: remembered(storage, 'phoneDesk', (stored) => {
    const desk = asPhoneDesk(stored);
    return { ...desk, isOpen: desk.isOpen && !isNarrow };
  }),
});
