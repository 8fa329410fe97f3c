import words from '#locales/en/validation.json' with { type: 'json' };
import { HttpError } from '../http-error.ts';

interface Refused {
  issues?: readonly { rule: string; params: Record<string, string | number> }[];
}

/** Why a backup was refused, as a sentence for a terminal; null for what was no refusal. */
export function sayError(error: unknown): string | null {
  if (!(error instanceof HttpError)) return null;
  const [issue] = (error.data as Refused | undefined)?.issues ?? [];
  const text = issue && (words as Record<string, unknown>)[issue.rule];
  if (!issue || typeof text !== 'string') return error.message;
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(issue.params[name] ?? ''));
}
