// What people type as a date or a time. Apart from time.ts, because few screens read any and dayjs needs a plugin for it.
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat.js';
import utcMode from 'dayjs/plugin/utc.js';

dayjs.extend(utcMode);
dayjs.extend(customParseFormat);

/** What a text says in the first of the formats that it fits, in ms as if it were UTC; null for what is no date, such as 31 February. */
export function readText(text: string, formats: readonly string[]): number | null {
  const found = formats.map((format) => dayjs.utc(text, format, true)).find((each) => each.isValid());
  return found ? found.valueOf() : null;
}
