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
/** Its list names everything there is: what it shares with one other area is that area's. */
const ofAll = 'audit-events.resource.tsx';
/** The first list of most people, which stays as small as it is. */
const firstList = 'src/resources/users.resource.tsx';
const contract = 'models/api.ts';

/** What is fetched together when the first screen stands: by everybody, and by those who have a phone. */
const later = {
  behind: ['src/adapters/wakeups.ts', 'src/app/compose-conversations.ts', 'src/app/compose-emergency.ts'],
  phone: ['src/app/compose-phone.ts', 'src/views/phone/phone-button.tsx', 'src/views/phone/phone-host.tsx'],
};
/** A file of its own costs more than a few hundred bytes that nobody uses. */
const small = 1_000;

const isShared = (sources: ReadonlySet<string>): boolean => [...sources].filter(isResource).length > 1;
const isSmall = (id: string, graph: Graph): boolean => (graph.getModuleInfo(id)?.code?.length ?? small) < small;
/** Whether what reaches a module is nothing but these, of all places where code begins that is fetched when it is wanted. */
const beginsIn = (sources: ReadonlySet<string>, places: readonly string[], graph: Graph): boolean =>
  [...sources].filter((source) => !graph.getModuleInfo(source)?.importers.length).every((source) => places.includes(source));

/**
 * Puts what the sign-in screen needs into two chunks, packages and our own, what the first list needs besides into another, and the small parts
 * that areas share into a fourth: sixty small files in four waves cost more in headers and round trips than they save. So it is with what comes
 * later: the phone, the calls of the contract, and the models that areas share.
 */
export function consoleChunk(root = process.cwd()): (id: string, graph: Graph) => string | null {
  const whole = (path: string): string => resolve(root, path) + (path.endsWith('/') ? '/' : '');
  const [start, ...wanted] = [entry, ...together].map(whole);
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
  /** Where such a part begins stays by itself: one that is missing takes no other with it. */
  const laterIn = (id: string, sources: ReadonlySet<string>, graph: Graph): string | null => {
    const [name, paths = []] = Object.entries(later).find(([, each]) => beginsIn(sources, each.map(whole), graph)) ?? [];
    return name === undefined || paths.map(whole).includes(id) ? null : name;
  };
  /** Models whose calls can be made from anywhere: those no list shows, and those that more than one shows. */
  const modelsIn = (id: string, sources: ReadonlySet<string>): string | null => {
    if (!id.startsWith(whole('models/')) || !sources.has(whole(contract)) || sources.has(whole(firstList))) return null;
    const areas = [...sources].filter((source) => isResource(source) && !source.endsWith(ofAll));
    return areas.length === 1 ? null : areas.length === 0 ? 'contract' : 'area-models';
  };
  const isEarly = (sources: ReadonlySet<string>): boolean => [start, ...wanted].some((path) => path !== undefined && sources.has(path));
  /** Whether all that a module imports is small, or there before any list: else the shared part would bring along what few areas need. */
  const isLight = (id: string, graph: Graph): boolean =>
    isSmall(id, graph) &&
    (graph.getModuleInfo(id)?.importedIds ?? []).every((imported) => isEarly(reachedFrom(imported, graph)) || isLight(imported, graph));

  return (id, graph) => {
    const [, locale, name = '', asText] = /\/locales\/(\w+)\/(.+)\.json(\?raw)?$/.exec(id) ?? [];
    if (asText) return `all-words-${locale}`;
    if (wordsOfLogin.has(name)) return `words-${locale}`;
    if (wordsOfLists.has(name)) return `list-words-${locale}`;
    const sources = reachedFrom(id, graph);
    // Styles stay in one file: the order of their layers stands in our own.
    if (start !== undefined && sources.has(start)) return id.includes('/node_modules/') && !id.endsWith('.css') ? 'library' : 'login';
    if (wanted.some((path) => sources.has(path))) return 'console';
    if (id.endsWith('.css')) return null;
    return laterIn(id, sources, graph) ?? modelsIn(id, sources) ?? (isShared(sources) && isLight(id, graph) ? 'area-parts' : null);
  };
}
