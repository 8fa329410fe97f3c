import { z } from 'zod';
import type { Locale } from './constants.ts';

/** What stands for the name of a person whom the reader may not see, in the reader's language. */
export const hiddenName: Record<Locale, string> = { en: 'Name hidden', ru: 'Имя скрыто' };

/** A person by the name they had at the time; without an id once they are gone, or where the reader may not see them. */
export const personThen = z.strictObject({ id: z.uuid().nullable(), name: z.string() });
