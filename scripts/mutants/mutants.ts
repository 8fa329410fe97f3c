import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Node } from 'oxc-parser';
import { type Change, mutators } from './mutators.ts';
import { walkFile } from './tree.ts';

/** One change of one file. */
export interface Mutant extends Change {
  /** Known again as long as the file stays as it is. */
  id: string;
  file: string;
  line: number;
  /** What stood there. */
  was: string;
  /** The function that has to run for it to matter. */
  place: string;
}

const body = (node: Node): Node | null =>
  node.type === 'ArrowFunctionExpression' || node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' ? node.body : null;

/** The bodies of a file's functions; where nothing is inside of one, it runs with the file. */
export function functionsOf(file: string, source: string): Node[] {
  const bodies: Node[] = [];
  walkFile(file, source, (node) => {
    const found = body(node);
    if (found) bodies.push(found);
  });
  return bodies;
}

/** A function as the tests' record names it; 0 is the file itself. */
const placeOf = (file: string, functions: readonly Node[], start: number): string => {
  const at = functions.findLastIndex((inside) => inside.start <= start && start < inside.end);
  return `${file}#${at + 1}`;
};

export const hash = (...parts: string[]): string => createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);

/** A file with its change. */
export const mutated = (source: string, { start, end, text }: Change): string => source.slice(0, start) + text + source.slice(end);

/** All mutants of a source, in the order of their places. */
export function mutants(file: string, source: string): Mutant[] {
  const functions = functionsOf(file, source);
  const found = new Map<string, Mutant>();
  walkFile(file, source, (node, around) => {
    for (const change of mutators.flatMap((mutator) => mutator(node, around, source))) {
      const was = source.slice(change.start, change.end);
      const id = hash(file, source, String(change.start), String(change.end), change.text);
      const line = source.slice(0, change.start).split('\n').length;
      if (was !== change.text) found.set(id, { ...change, id, file, line, was, place: placeOf(file, functions, change.start) });
    }
  });
  return [...found.values()].toSorted((one, other) => one.start - other.start);
}

export const mutantsOf = (file: string): Mutant[] => mutants(file, readFileSync(file, 'utf8'));
