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
/** Its list names everything there is: what it has in common with one other area is that area's. */
const ofAll = 'audit-events.resource.tsx';
/** The first list of most people, which stays as small as it is. */
const firstList = 'src/resources/users.resource.tsx';
const contract = 'models/api.ts';

/** What is fetched together when the first screen stands: by everybody, and by those who have a phone. */
const later = {
  behind: ['src/adapters/wakeups.ts', 'src/app/compose-conversations.ts', 'src/app/compose-emergency.ts'],
  phone: ['src/app/compose-phone.ts', 'src/views/phone/phone-button.tsx', 'src/views/phone/phone-host.tsx'],
};
/** From so many characters of code on, a module has a file of its own: below, the file costs more than a kilobyte or two that a page has no use for. */
const small = 4_000;

const isSmall = (id: string, graph: Graph): boolean => (graph.getModuleInfo(id)?.code?.length ?? small) < small;
/** Of the modules that reach another, those that are imported when they are wanted: there a part of the console begins. */
const beginningsOf = (sources: ReadonlySet<string>, graph: Graph): string[] =>
  [...sources].filter((source) => !graph.getModuleInfo(source)?.importers.length);

/** Finds the modules by which a module is reached by static imports, itself among them. */
function importersOf(): (id: string, graph: Graph) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return (id, graph) => {
    const found = known.get(id);
    if (found) return found;
    const seen = new Set([id]);
    for (const each of seen) for (const importer of graph.getModuleInfo(each)?.importers ?? []) seen.add(importer);
    known.set(id, seen);
    return seen;
  };
}

/**
 * Puts what the sign-in screen needs into two chunks, packages and our own, what the first list needs besides into another, and the small parts
 * that pages share into a fourth: sixty small files in four waves cost more in headers and round trips than they save. So it is with what comes
 * later: the phone, the calls of the contract, and the models of areas.
 */
export function consoleChunk(root = process.cwd()): (id: string, graph: Graph) => string | null {
  const whole = (path: string): string => resolve(root, path) + (path.endsWith('/') ? '/' : '');
  const [start, ...wanted] = [entry, ...together].map(whole);
  const reachedFrom = importersOf();

  /** Where such a part begins stays by itself: one that is missing takes no other with it. */
  const laterIn = (id: string, sources: ReadonlySet<string>, graph: Graph): string | null => {
    const [name, paths = []] =
      Object.entries(later).find(([, each]) => beginningsOf(sources, graph).every((source) => each.map(whole).includes(source))) ?? [];
    return name === undefined || paths.map(whole).includes(id) ? null : name;
  };
  /** Models whose calls can be made from anywhere: those no list shows, and those that some do. */
  const modelsIn = (id: string, sources: ReadonlySet<string>): string | null => {
    if (!id.startsWith(whole('models/')) || !sources.has(whole(contract)) || sources.has(whole(firstList))) return null;
    return [...sources].some((source) => isResource(source) && !source.endsWith(ofAll)) ? 'area-models' : 'contract';
  };
  const isEarly = (sources: ReadonlySet<string>): boolean => [start, ...wanted].some((path) => path !== undefined && sources.has(path));
  /** Whether all that a module imports is small, or there on most pages: else the shared parts would bring along what few pages need. */
  const isLight = (id: string, graph: Graph): boolean =>
    isSmall(id, graph) &&
    (graph.getModuleInfo(id)?.importedIds ?? []).every((imported) => {
      const sources = reachedFrom(imported, graph);
      const models = modelsIn(imported, sources);
      return isEarly(sources) || (models === null ? isLight(imported, graph) : models === 'area-models');
    });
  /** Small modules of more than one page, and their styles, in two files: the first list waits for no more than it needs. */
  const partsIn = (id: string, sources: ReadonlySet<string>, graph: Graph): string | null => {
    if (beginningsOf(sources, graph).length < 2 || !isLight(id, graph)) return null;
    return sources.has(whole(firstList)) ? 'first-parts' : 'parts';
  };

  return (id, graph) => {
    const [, locale, name = '', asText] = /\/locales\/(\w+)\/(.+)\.json(\?raw)?$/.exec(id) ?? [];
    if (asText) return `all-words-${locale}`;
    if (wordsOfLogin.has(name)) return `words-${locale}`;
    if (wordsOfLists.has(name)) return `list-words-${locale}`;
    const sources = reachedFrom(id, graph);
    // Styles stay in one file: the order of their layers stands in our own.
    if (start !== undefined && sources.has(start)) return id.includes('/node_modules/') && !id.endsWith('.css') ? 'library' : 'login';
    if (wanted.some((path) => sources.has(path))) return 'console';
    return laterIn(id, sources, graph) ?? modelsIn(id, sources) ?? partsIn(id, sources, graph);
  };
}
