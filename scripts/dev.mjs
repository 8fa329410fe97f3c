// Hot reload for both sides: Vite serves the console and passes /api on; tsx starts the server anew after every change.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { requireNode, installWhenNeeded, root } from './setup.mjs';

requireNode();
installWhenNeeded();
const bin = (name) => join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
// The next server waits for the last one to leave the data folder.
const env = { DOORWARD_LOCK_WAIT: '15000', DOORWARD_LOG: 'warn', ...process.env };
const start = (name, args) => spawn(bin(name), args, { cwd: root, stdio: 'inherit', env, shell: process.platform === 'win32' });
const both = [start('tsx', ['watch', '--clear-screen=false', 'server/main.ts']), start('vite', [])];

let ending = false;
/** When one goes, so does the other. */
function end(signal, code) {
  if (ending) return;
  ending = true;
  process.exitCode = code;
  for (const child of both) if (child.exitCode === null) child.kill(signal);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end(signal, 0));
for (const child of both) child.on('exit', (code) => end('SIGTERM', code ?? 0));
