import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

const apps = [
  'Chromium.app/Contents/MacOS/Chromium',
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];
const programs = ['Chromium\\Application\\chrome.exe', 'Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];
const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

/**
 * Where Chromium, Chrome or Edge may lie, the most wanted first.
 * @param {string} platform as `process.platform`
 * @param {Record<string, string | undefined>} env
 * @param {string} home the home folder of the person
 */
export function placesOf(platform, env, home) {
  const named = env.CHROMIUM ? [env.CHROMIUM] : [];
  if (platform === 'darwin') return [...named, ...apps.flatMap((app) => [posix.join('/Applications', app), posix.join(home, 'Applications', app)])];
  if (platform === 'win32') {
    const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter((folder) => folder !== undefined);
    return [...named, ...programs.flatMap((program) => folders.map((folder) => win32.join(folder, program)))];
  }
  return [...named, ...commands.map((command) => posix.join('/usr/bin', command)), '/snap/bin/chromium'];
}

/**
 * What to type where the browser may not be installed for the person.
 * @param {string} platform as `process.platform`
 * @param {boolean} hasApt whether the system installs with apt-get
 */
export function installSentence(platform, hasApt) {
  const command = {
    darwin: 'brew install --cask chromium',
    win32: 'winget install Google.Chrome',
    linux: hasApt ? 'sudo apt-get install chromium' : undefined,
  }[platform];
  const how = command ? `install it with "${command}"` : 'install it';
  return `The browser tests need Chromium, Chrome or Edge: ${how}, or name its path in the environment variable CHROMIUM.`;
}

/** The path of a Chromium on this machine, or undefined. */
export const findChromium = () => placesOf(process.platform, process.env, homedir()).find((path) => existsSync(path));

const shell = '/usr/bin/chromium-headless-shell';
const packages = ['chromium', 'chromium-headless-shell', 'fonts-dejavu-core'];

/** Installs packages of the system where this account may. @returns whether they are there now */
function installed(names) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return false;
  console.log(`Installing ${names.join(', ')} with apt-get …`);
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  return ['update -qq', `install -y -qq --no-install-recommends ${names.join(' ')}`].every(
    (args) => spawnSync('apt-get', args.split(' '), options).status === 0,
  );
}

/** The path of a Chromium, installed by the system's package manager where none is found and that may be done; otherwise ends with a sentence. */
export function requireChromium() {
  const found = findChromium() ?? (installed(packages) ? findChromium() : undefined);
  if (found) return found;
  const hasApt = process.platform === 'linux' && spawnSync('apt-get', ['--version']).status === 0;
  process.stderr.write(`${installSentence(process.platform, hasApt)}\n`);
  return process.exit(1);
}

/**
 * The path of Chromium's headless shell, which draws the same pages with about half of the processor's time; undefined where the system has
 * none, or a browser was named in CHROMIUM. Tests that show notices of the system need the whole browser.
 */
export function findHeadlessShell() {
  if (process.env.CHROMIUM) return undefined;
  return existsSync(shell) || (installed(packages) && existsSync(shell)) ? shell : undefined;
}
