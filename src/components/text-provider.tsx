import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { locales } from '#models/constants.ts';
import { type Text, TextContext } from './text.ts';

/**
 * Gives everything below the words of the interface. They are listened for once, here: a listener in each of the hundreds of small pieces of a
 * page took a third of the time that a list or a form needs.
 */
export function TextProvider({ children }: { children: ReactNode }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const text = useMemo<Text>(() => {
    /** Words without parameters, looked up once. */
    const plain = new Map<string, string>();
    const say = (key: string, params?: Record<string, unknown>): string => String(t(key, params ?? {}));
    return {
      t: (key, params) => {
        if (params) return say(key, params);
        const known = plain.get(key) ?? say(key);
        plain.set(key, known);
        return known;
      },
      has: (key, params) => i18n.exists(key, params ?? {}),
      locale: language === 'ru' ? 'ru' : locales[0],
    };
  }, [t, i18n, language]);
  return <TextContext value={text}>{children}</TextContext>;
}
