import { resolve } from 'node:path';

interface ModuleInfo {
  importers: readonly string[];
  importedIds: readonly string[];
  code?: string | null;
}
interface Graph {
  getModuleInfo: (id: string) => ModuleInfo | null;
}

const entry = 'src/main.tsx';
/** What every list waits for: the signed-in half, its frame, and the generic list. */
export const together = [
  'src/app/compose-console.ts',
  'src/views/shell/signed-in.tsx',
  'src/views/area/area-list-page.tsx',
  'src/app/area-texts.ts',
  'src/app/area-files.ts',
  'src/resources/define-resource.ts',
];

/** Words that are always asked for together. */
const wordsOfLogin = new Set(['interface', 'errors']);
const wordsOfLists = new Set([
  'list',
  'notifications',
  'shell',
  'areas/device-alarms',
  'areas/users',
  'areas/roles',
  'areas/groups',
  'areas/markers',
  'areas/access-rules',
  'areas/identifiers',
  'areas/sip-numbers',
]);

const isResource = (id: string): boolean => id.endsWith('.resource.tsx');
/** A file of its own costs more than a few hundred bytes that nobody uses. */
const small = 1_000;

/**
 * Puts what the sign-in screen needs into two chunks, packages and our own, what the first list needs besides into another, and the small parts
 * that areas share into a fourth: sixty small files in four waves cost more in headers and round trips than they save.
 */
export function consoleChunk(root = process.cwd()): (id: string, graph: Graph) => string | null {
  const [start, ...wanted] = [entry, ...together].map((path) => resolve(root, path));
  const reached = new Map<string, ReadonlySet<string>>();

  /** The modules by which a module is reached by static imports, itself among them. */
  const reachedFrom = (id: string, graph: Graph): ReadonlySet<string> => {
    const known = reached.get(id);
    if (known) return known;
    const seen = new Set([id]);
    for (const each of seen) for (const importer of graph.getModuleInfo(each)?.importers ?? []) seen.add(importer);
    reached.set(id, seen);
    return seen;
  };
  const isShared = (sources: ReadonlySet<string>): boolean => [...sources].filter(isResource).length > 1;
  const isSmall = (id: string, graph: Graph): boolean => (graph.getModuleInfo(id)?.code?.length ?? small) < small;
  const isEarly = (sources: ReadonlySet<string>): boolean => [start, ...wanted].some((path) => path !== undefined && sources.has(path));
  /** Whether all that a module imports is small, or there before any list: else the shared part would bring along what few areas need. */
  const isLight = (id: string, graph: Graph): boolean =>
    isSmall(id, graph) &&
    (graph.getModuleInfo(id)?.importedIds ?? []).every((imported) => isEarly(reachedFrom(imported, graph)) || isLight(imported, graph));

  return (id, graph) => {
    const [, locale, name = ''] = /\/locales\/(\w+)\/(.+)\.json$/.exec(id) ?? [];
    if (wordsOfLogin.has(name)) return `words-${locale}`;
    if (wordsOfLists.has(name)) return `list-words-${locale}`;
    const sources = reachedFrom(id, graph);
    // Styles stay in one file: the order of their layers stands in our own.
    if (start !== undefined && sources.has(start)) return id.includes('/node_modules/') && !id.endsWith('.css') ? 'library' : 'login';
    if (wanted.some((path) => sources.has(path))) return 'console';
    return isShared(sources) && !id.endsWith('.css') && isLight(id, graph) ? 'area-parts' : null;
  };
}
