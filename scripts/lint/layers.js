/**
 * Who may import whom, and what never: the one table, read by the lint rule beside it and by tests/house/layers.test.ts.
 *
 * @typedef {object} Layer
 * @property {string} folder The layer is made of the files below it; the longest that fits decides.
 * @property {readonly string[]} may Folders it may import besides itself.
 * @property {readonly string[]} [packages] Packages it may import; without it any that `never` does not name.
 * @property {readonly RegExp[]} [never] Packages it never imports.
 */

const web = /^(?:react|react-dom|primereact|primeicons|react-i18next|react-router-dom)(?:\/|$)/;
const adapterKit = /^(?:ky|jssip|rxjs)(?:\/|$)/;
/** Of JsSIP the server takes what reads messages, nothing that talks. */
const browserKit = /^(?:ky|rxjs)(?:\/|$)|^jssip(?!\/lib\/(?:Parser|Grammar)\.js$)/;
const node = /^node:/;
const serverKit = /^(?:fastify|@fastify\/|drizzle-orm|pg$|@electric-sql\/|@node-rs\/|pino|prom-client)/;
const parts = ['src/adapters', 'src/components', 'src/views', 'src/resources'];

/** @type {readonly Layer[]} */
export const layers = [
  { folder: 'models', may: [], packages: ['zod'] },
  { folder: 'machines/lifecycles', may: ['models'], packages: ['xstate'] },
  { folder: 'machines', may: ['models', 'machines/lifecycles'], packages: ['xstate'] },
  { folder: 'src/adapters', may: ['models', 'machines'], never: [web, node, serverKit] },
  { folder: 'src/components', may: ['models'], never: [adapterKit, node, serverKit, /^@?xstate/] },
  { folder: 'src/views', may: ['models', 'machines', 'src/components'], never: [adapterKit, node, serverKit] },
  { folder: 'src/resources', may: ['models', 'src/components', 'src/views'], never: [adapterKit, node, serverKit, /^xstate/] },
  { folder: 'src/guest', may: ['models', 'machines', 'locales', 'src/styles'], never: [web, adapterKit, node, serverKit] },
  { folder: 'src/worker', may: [], packages: ['workbox-precaching', 'workbox-routing'] },
  { folder: 'src/app', may: ['models', 'machines', 'locales', ...parts], never: [node, serverKit] },
  { folder: 'src', may: ['models', 'machines', 'src/app', 'src/styles', ...parts], never: [node, serverKit] },
  { folder: 'server', may: ['models', 'machines/lifecycles', 'locales'], never: [web, browserKit] },
];

/** The files that import dayjs: its plugins and languages are registered there. */
export const timeOwners = ['models/time.ts', 'models/time-text.ts'];
const timeKit = /^dayjs(?:\/|$)/;

/**
 * The layer of a file.
 * @param {string} path from the root of the house, with slashes
 * @returns {Layer | undefined} undefined for tests, scripts and locales, which are no layer
 */
export const layerOf = (path) =>
  layers.filter(({ folder }) => path.startsWith(`${folder}/`)).sort((one, other) => other.folder.length - one.folder.length)[0];

/**
 * Where an import leads.
 * @param {string} from path of the file that imports, from the root of the house
 * @param {string} specifier
 * @returns {{ path: string } | { package: string }} a path from the root of the house, or a package
 */
export function leadsTo(from, specifier) {
  if (specifier.startsWith('#')) return { path: specifier.slice(1) };
  if (!specifier.startsWith('.')) return { package: specifier };
  const path = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') path.pop();
    else if (part !== '.') path.push(part);
  }
  return { path: path.join('/') };
}

/**
 * May this file import this? Everything may be imported by what is no layer.
 * @param {string} from path of the file that imports, from the root of the house
 * @param {string} specifier
 */
export function mayImport(from, specifier) {
  const layer = layerOf(from);
  if (!layer) return true;
  const to = leadsTo(from, specifier);
  if ('package' in to && timeKit.test(to.package)) return timeOwners.includes(from);
  if ('package' in to) return layer.packages ? layer.packages.includes(to.package) : !(layer.never ?? []).some((fence) => fence.test(to.package));
  return layerOf(to.path) === layer || layer.may.some((folder) => to.path.startsWith(`${folder}/`));
}
