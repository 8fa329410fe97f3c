import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const found: () => void = runInNewContext('gc');
  // What is compiled from now on has no such global.
  setFlagsFromString('--no-expose-gc');
  return found;
}

/** So many characters may become garbage before it is collected. */
const allowed = 24_000_000;

/**
 * Work through more text than the memory may grow by: V8 lets texts that have grown old lie until the heap is several times as large, and
 * nothing else of a server that restores needs so much. A collection takes about a tenth of a second.
 */
export class Garbage {
  #characters = 0;
  add(characters: number): void {
    this.#characters += characters;
    if (this.#characters < allowed) return;
    this.#characters = 0;
    collect ??= collector();
    collect();
  }
}
