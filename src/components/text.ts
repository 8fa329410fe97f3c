import { createContext, useCallback, useContext } from 'react';
import { getI18n } from 'react-i18next';
import { type Locale, locales } from '#models/constants.ts';
import type { Issue } from '#models/issues.ts';
import { catalogueMessage, isId, isMessageOf, isWireCode, messageKey, type Problem } from '#models/problem.ts';

type Translate = (key: string, params?: Record<string, unknown>) => string;
export interface Text {
  /** The words of a key, its parameters filled in; `count` chooses the plural form. */
  t: Translate;
  /** Whether the key has words; areas leave optional keys out. */
  has: (key: string, params?: Record<string, unknown>) => boolean;
  locale: Locale;
}

/** The words as they stand; whoever draws with them is not drawn again when the language changes. */
const present: Text = {
  t: (key, params) => String(getI18n().t(key, params ?? {})),
  has: (key, params) => getI18n().exists(key, params ?? {}),
  get locale() {
    return getI18n().language === 'ru' ? 'ru' : locales[0];
  },
};

export const TextContext = createContext<Text>(present);

/** The words of the interface in the person's language; the view draws again when the language changes, or words have come. */
export const useText = (): Text => useContext(TextContext);

/** A problem in the person's words; `details` is a message that only the server's language has. */
export interface Sentence {
  text: string;
  details?: string;
}

/** The number that chooses the plural form, for words whose only number has another name. */
const counted = (params: Record<string, unknown>): Record<string, unknown> => {
  const count = ['count', 'length', 'days', 'max_days', 'max_count'].map((name) => params[name]).find((value) => typeof value === 'number');
  return count === undefined ? params : { ...params, count };
};

/** What is wrong with one field, in the person's words. */
export const sayIssue = ({ t, has }: Pick<Text, 't' | 'has'>, { rule, params }: Pick<Issue, 'rule' | 'params'>): string =>
  has(`validation.${rule}`, counted(params)) ? t(`validation.${rule}`, counted(params)) : t('validation.invalid');

const namesIn = (data: unknown): string => {
  const names = (data as { names?: unknown } | null | undefined)?.names;
  return Array.isArray(names)
    ? names
        .map(String)
        .filter((name) => !isId(name))
        .join(', ')
    : '';
};

/** How long to wait, in words: a minute and more in minutes, begun ones counted whole. */
function waitIn({ t }: Pick<Text, 't'>, data: unknown): { time?: string } {
  const seconds = (data as { seconds?: unknown } | null | undefined)?.seconds;
  if (typeof seconds !== 'number') return {};
  const rounded = Math.max(1, Math.ceil(seconds));
  return { time: rounded < 60 ? t('errors.waiting.seconds', { count: rounded }) : t('errors.waiting.minutes', { count: Math.ceil(rounded / 60) }) };
}

/** What a refusal carried in words counts; a code that only its status stands for says nothing. What never crossed the wire has its code alone. */
function keysOf({ code, message, status }: Problem): string[] {
  const catalogue = isWireCode(code) ? [`errors.http.${messageKey(catalogueMessage(code))}`] : [];
  if (message) return [`errors.http.${messageKey(message)}`, ...(isWireCode(code) && isMessageOf(code, message) ? catalogue : [])];
  return status === undefined ? [`errors.local.${code}`, ...catalogue] : [];
}

/** Says a problem by the catalogue (spec B8): its message, then the raw message (in Russian as details), then the default words. */
export function sayProblem({ t, has, locale }: Text, problem: Problem): Sentence {
  const { code, message, data } = problem;
  const names = namesIn(data);
  const wait = waitIn({ t }, data);
  const params = counted({
    ...(typeof data === 'object' && data !== null && !Array.isArray(data) && data),
    ...wait,
    ...(names ? { names } : { context: 'unnamed' }),
  });
  const keys = [...(wait.time === undefined ? [] : [`errors.waiting.${code}`]), ...keysOf(problem)];
  const key = keys.find((name) => has(name, params));
  if (key) {
    const text = t(key, params);
    return code === 'invalid_related' && names && !text.includes(names) ? { text: `${text}: ${names}` } : { text };
  }
  if (!message) return { text: t('errors.default_error') };
  return locale === locales[0] ? { text: message } : { text: t('errors.default_error'), details: message };
}

/** Turns a problem into one sentence; the raw message follows in brackets where only the server's language has it. */
export function useProblemText(): (problem: Problem) => string {
  const { t, has, locale } = useText();
  return useCallback(
    (problem) => {
      const { text, details } = sayProblem({ t, has, locale }, problem);
      return details ? `${text} (${details})` : text;
    },
    [t, has, locale],
  );
}
