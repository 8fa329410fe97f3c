import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const root = join(import.meta.dirname, '../..');

export interface Source {
  /** Path from the root of the house, with slashes. */
  path: string;
  text: string;
}

/** The files below some folders whose names end as asked. */
export function sourcesIn(folders: readonly string[], ends = /\.tsx?$/): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && ends.test(entry.name) && !entry.parentPath.includes('node_modules'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => ({ path: relative(root, file).split(sep).join('/'), text: readFileSync(file, 'utf8') })),
  );
}

/** All first groups of a pattern in some sources, with the file that holds them. */
export const findAll = (sources: readonly Source[], pattern: RegExp): { found: string; path: string }[] =>
  sources.flatMap(({ path, text }) => [...text.matchAll(pattern)].map((match) => ({ found: match[1] ?? '', path })));

/** What a file imports, as written. */
export const importsOf = ({ text }: Source): string[] => [
  ...[...text.matchAll(/^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm)].map((match) => match[1] ?? ''),
  ...[...text.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm)].map((match) => match[1] ?? ''),
  ...[...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)].map((match) => match[1] ?? ''),
];
