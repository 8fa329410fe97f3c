import { createContext, useContext } from 'react';
import { getI18n } from 'react-i18next';
import { locales } from '#models/constants.ts';
import type { Text } from './text.ts';

/** The words as they stand; whoever draws with them is not drawn again when the language changes. */
const present: Text = {
  t: (key, params) => String(getI18n().t(key, params ?? {})),
  has: (key, params) => getI18n().exists(key, params ?? {}),
  get locale() {
    return getI18n().language === 'ru' ? 'ru' : locales[0];
  },
};

export const SharedTextContext = createContext<Text>(present);

/**
 * The words for small pieces of which there are hundreds, such as cells: listened for once above them. A listener in each
 * would cost a third of the time a page of a list takes.
 */
export const useSharedText = (): Text => useContext(SharedTextContext);
