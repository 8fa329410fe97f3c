import MagicString from 'magic-string';
import { functionsOf } from './mutants.ts';

/** A source that notes which of its functions ran: in a set of the test's process, by `file#number`, 0 for the file itself. */
export function recording(file: string, source: string): string {
  const text = new MagicString(source);
  const note = (number: number): string => `(globalThis.__ran ??= new Set()).add(${JSON.stringify(`${file}#${number}`)})`;
  functionsOf(file, source).forEach((body, at) => {
    if (body.type === 'BlockStatement') text.appendRight(body.start + 1, `${note(at + 1)};`);
    else text.appendRight(body.start, `(${note(at + 1)},`).appendLeft(body.end, ')');
  });
  return text.append(`\n;${note(0)};`).toString();
}
