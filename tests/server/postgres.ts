import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** A PostgreSQL of a test's own, which it may stop and start. */
export interface OwnPostgres {
  url: string;
  start: () => void;
  /** Pulls the plug: no farewell to clients. */
  stop: () => void;
  remove: () => void;
}

/** The folder of the system's PostgreSQL programs, newest first; null where there are none. */
function programs(): string | null {
  const base = '/usr/lib/postgresql';
  if (!existsSync(base)) return null;
  const folders = readdirSync(base).toSorted((a, b) => Number(b) - Number(a));
  return folders.map((version) => join(base, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/** Makes a PostgreSQL in a folder of its own on a private port; null where the system has none. */
export function makePostgres(port: number): OwnPostgres | null {
  const bin = programs();
  if (!bin) return null;
  const folder = mkdtempSync(join(tmpdir(), 'doorward-pg-'));
  const asRoot = userInfo().uid === 0;
  // PostgreSQL will not run as root.
  if (asRoot) {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString());
    chownSync(folder, id('-u'), id('-g'));
  }
  const run = (program: string, args: string[]) => {
    const whole = [join(bin, program), ...args];
    const { status, stderr } = spawnSync(asRoot ? 'runuser' : String(whole[0]), asRoot ? ['-u', 'postgres', '--', ...whole] : whole.slice(1), {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (status !== 0) throw new Error(`${program} failed: ${stderr.toString()}`);
  };
  const data = join(folder, 'data');
  run('initdb', ['-D', data, '-U', 'door', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8']);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`;
  const control = (...args: string[]) => run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), ...args]);
  const start = () => control('-o', options, 'start');
  const stop = () => control('-m', 'immediate', 'stop');
  const remove = () => {
    if (existsSync(join(data, 'postmaster.pid'))) stop();
    rmSync(folder, { recursive: true, force: true });
  };
  start();
  return {
    url: `postgres://door@127.0.0.1:${port}/postgres`,
    start,
    stop,
    remove,
  };
}
