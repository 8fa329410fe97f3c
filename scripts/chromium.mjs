import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of a Chromium on this machine, or undefined. */
export const findChromium = () => candidates.find((path) => path && existsSync(path));

/** The path of a Chromium, installed by the system's package manager where none is found. */
export function requireChromium() {
  const found = findChromium();
  if (found) return found;
  if (spawnSync('apt-get', ['--version']).status !== 0) {
    throw new Error('The browser tests need Chromium: install it, or name it in the environment variable CHROMIUM.');
  }
  console.log('Chromium is not on this machine: installing it with apt-get');
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  execFileSync('apt-get', ['update', '-qq'], options);
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'], options);
  const installed = findChromium();
  if (!installed) throw new Error('Chromium was installed but is not where it was expected; name its path in CHROMIUM.');
  return installed;
}
