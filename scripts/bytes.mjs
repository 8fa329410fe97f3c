// How many bytes of JavaScript a person fetches until login is usable, and until the first list is: walks the imports of
// the built entry and of the parts that these two screens wait for, and adds up their brotli sizes.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';

const limits = { login: 170_000, list: 250_000 };
/** What each screen waits for: chunks by their names, and source paths. */
const screens = {
  login: ['login', 'words-en'],
  list: ['console', 'src/resources/users.resource.tsx', 'list-words-en'],
};

/** Every chunk that fetching these sources brings along, static imports followed. */
function chunksOf(manifest, sources) {
  const files = new Set();
  const visit = (key) => {
    const chunk = manifest[key];
    if (!chunk || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const source of sources) {
    const key = manifest[source] ? source : Object.keys(manifest).find((each) => manifest[each].name === source);
    if (!key) throw new Error(`the build has no ${source}`);
    visit(key);
  }
  return files;
}

/** What the controls of PrimeReact need that a screen waits for when it shows the first of them, with what they fetch themselves. */
const controls = {
  'a month to choose from': 'src/components/prime/month.tsx',
  'a chart': 'src/components/prime/line-chart.tsx',
  'a timeline': 'src/components/prime/timeline.tsx',
  steps: 'src/components/prime/steps.tsx',
};

function sizeOf(path) {
  return existsSync(`${path}.br`) ? statSync(`${path}.br`).size : brotliCompressSync(readFileSync(path)).length;
}

/** Brotli bytes of JavaScript until each of the two screens is usable, and of what comes later. */
export function bytesOf(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
  const sum = (files) => [...files].filter((file) => file.endsWith('.js')).reduce((total, file) => total + sizeOf(join(folder, file)), 0);
  // What runs before all else: the page names it, the manifest does not.
  const [, boot] = /<script src="\/(assets\/boot-[^"]+)"/.exec(readFileSync(join(folder, 'index.html'), 'utf8')) ?? [];
  if (boot === undefined) throw new Error('the page has no boot script');
  const login = chunksOf(manifest, screens.login).add(boot);
  const list = chunksOf(manifest, [...screens.login, ...screens.list]).add(boot);
  const later = Object.entries(controls).map(([name, source]) => {
    const files = chunksOf(manifest, [source, ...(manifest[source]?.dynamicImports ?? [])]);
    return [name, sum([...files].filter((file) => !list.has(file)))];
  });
  return { login: sum(login), list: sum(list), later, files: { login: [...login], list: [...list] } };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? 'dist/web';
  const { login, list, later, files } = bytesOf(folder);
  if (process.argv.includes('--files'))
    for (const file of files.list)
      console.log(`${String(sizeOf(join(folder, file))).padStart(7)}  ${files.login.includes(file) ? 'login' : 'list '}  ${file}`);
  console.log(`JavaScript until login is usable: ${login} bytes (at most ${limits.login})`);
  console.log(`JavaScript until the first list is usable: ${list} bytes (at most ${limits.list})`);
  for (const [name, bytes] of later) console.log(`JavaScript that comes later, with ${name}: ${bytes} bytes`);
  if (login > limits.login || list > limits.list) process.exitCode = 1;
}
