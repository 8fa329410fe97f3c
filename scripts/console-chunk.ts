import { resolve } from 'node:path';

interface ModuleInfo {
  importers: readonly string[];
}
interface Graph {
  getModuleInfo: (id: string) => ModuleInfo | null;
}

const entry = 'src/main.tsx';
/** What every list waits for: the signed-in half, its frame, and the generic list. */
const together = ['src/app/compose-console.ts', 'src/views/shell/signed-in.tsx', 'src/views/area/area-list-page.tsx'];

/** Words that are always asked for together. */
const wordsOfLogin = new Set(['interface', 'errors']);
const wordsOfLists = new Set(['list', 'notifications', 'areas/device-alarms']);

/**
 * Puts what the sign-in screen needs into one chunk, and what the first list needs besides into another: sixty small files
 * in four waves cost more in headers and round trips than they save.
 */
export function consoleChunk(root = process.cwd()): (id: string, graph: Graph) => string | null {
  const [start, ...wanted] = [entry, ...together].map((path) => resolve(root, path));
  const reached = new Map<string, ReadonlySet<string>>();

  /** From which of the four files a module is reached by static imports. */
  const reachedFrom = (id: string, graph: Graph): ReadonlySet<string> => {
    const known = reached.get(id);
    if (known) return known;
    const seen = new Set([id]);
    for (const each of seen) for (const importer of graph.getModuleInfo(each)?.importers ?? []) seen.add(importer);
    const sources = new Set([start, ...wanted].filter((path) => path !== undefined && seen.has(path)) as string[]);
    reached.set(id, sources);
    return sources;
  };

  return (id, graph) => {
    const [, locale, name = ''] = /\/locales\/(\w+)\/(.+)\.json$/.exec(id) ?? [];
    if (wordsOfLogin.has(name)) return `words-${locale}`;
    if (wordsOfLists.has(name)) return `list-words-${locale}`;
    const sources = reachedFrom(id, graph);
    if (start !== undefined && sources.has(start)) return 'login';
    return wanted.some((path) => sources.has(path)) ? 'console' : null;
  };
}
