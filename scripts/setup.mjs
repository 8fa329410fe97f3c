import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project, from wherever a script is called. */
export const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(root, ...parts);

const oldest = [20, 19];

/** Ends the script with one sentence for the person who started it. */
function stop(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Refuses a Node that is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    stop(`Doorward needs Node ${oldest.join('.')} or newer; this is ${process.versions.node}.`);
}

/** Runs a command of the setting up; what it says is shown when it fails, and otherwise only where `aloud`. */
function run(command, args, { aloud }) {
  const options = { cwd: root, stdio: aloud ? 'inherit' : 'pipe', maxBuffer: 64 * 1024 ** 2, shell: process.platform === 'win32' };
  const { status, error, stdout, stderr } = spawnSync(command, args, options);
  if (!error && status === 0) return;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  stop(`"${command} ${args.join(' ')}" failed${error ? `: ${error.message}` : ''}; see its output above.`);
}

/** The packages of a lock file, or of the note npm leaves in node_modules once it has installed them all. */
const packagesIn = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {});

/** Is every package installed that the lock file names? Those for other systems need not be, nor those for building when nothing is built. */
function isInstalled(toBuild) {
  const installed = packagesIn(at('node_modules', '.package-lock.json'));
  return Object.entries(packagesIn(at('package-lock.json'))).every(
    ([path, { version, optional, devOptional, dev }]) =>
      path === '' || optional || devOptional || (dev && !toBuild) || installed[path]?.version === version,
  );
}

/** Installs what the lock file names, if it is not there. */
export function installWhenNeeded({ toBuild = true } = {}) {
  if (isInstalled(toBuild)) return;
  console.log('Installing packages (npm ci) …');
  run('npm', ['ci', '--no-audit', '--no-fund'], { aloud: true });
}

const sources = [
  'models',
  'machines',
  'src',
  'server',
  'locales',
  'index.html',
  'vite.config.ts',
  'tsconfig.json',
  // What the build does beside vite: whatever lies directly there in TypeScript.
  ...readdirSync(at('scripts'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `scripts/${name}`),
  'package.json',
  'package-lock.json',
];

function* filesIn(path) {
  const whole = at(path);
  if (!existsSync(whole)) return;
  let entries;
  try {
    entries = readdirSync(whole, { withFileTypes: true });
  } catch {
    yield path;
    return;
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) yield* filesIn(join(path, entry.name));
    else yield join(path, entry.name);
  }
}

/** What the build is made from, as one hash. */
function hashSources() {
  const hash = createHash('sha256').update(process.versions.node);
  for (const source of sources)
    for (const file of filesIn(source))
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(at(file)))
        .update('\0');
  return hash.digest('hex');
}

const stamp = at('dist', '.stamp');
const readStamp = () => (existsSync(stamp) ? readFileSync(stamp, 'utf8') : null);

/** What the build should be made from; an image carries the build without its sources, and is right as it is. */
let known;
const wanted = () => (known ??= !existsSync(at('src')) && existsSync(stamp) ? readStamp() : hashSources());

/** Builds console and server where the build is missing or older than its sources. */
export function buildWhenNeeded() {
  const hash = wanted();
  if (readStamp() === hash) return;
  console.log('Building console and server …');
  run('npm', ['run', 'build'], { aloud: false });
  writeFileSync(stamp, hash);
}

/** Installs and builds what is missing; to run what is built already, the packages for building need not be there. */
export function makeReady() {
  installWhenNeeded({ toBuild: readStamp() !== wanted() });
  buildWhenNeeded();
}
