import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { pageFiles } from './page.ts';

const compress = promisify(brotliCompress);
const folder = join('.cache', 'react-admin');
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Runs a command in the page's folder. @throws Error with what it said */
function run(command: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
}

/** Installs and builds the page in `.cache`, once for each version of its files. */
async function build(): Promise<void> {
  const mark = join(folder, 'dist', 'made-from.json');
  const files = JSON.stringify(pageFiles);
  if (existsSync(mark) && (await readFile(mark, 'utf8')) === files) return;
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(pageFiles)) await writeFile(join(folder, name), text);
  run('npm', 'install', '--no-audit', '--no-fund');
  run('npx', 'vite', 'build');
  await writeFile(mark, files);
}

/** The page, compressed as ours is, and below `/api` the rows of a Doorward server. */
export interface Site {
  url: string;
  close: () => void;
}

/** Serves the built page. @param rows a Doorward server, and the token its rows are asked for with */
export async function openSite(rows: { url: string; token: string }): Promise<Site> {
  await build();
  const compressed = new Map<string, Buffer>();
  const file = async (path: string): Promise<Buffer> => {
    const known = compressed.get(path);
    if (known) return known;
    const made = await compress(await readFile(join(folder, 'dist', path)));
    compressed.set(path, made);
    return made;
  };
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    if (path.startsWith('/api/')) {
      const asked = await fetch(`${rows.url}/api/v0${path.slice('/api'.length)}`, { headers: { authorization: `Bearer ${rows.token}` } });
      response.writeHead(asked.status, { 'content-type': 'application/json' }).end(await asked.text());
      return;
    }
    const name = extname(path) === '' ? 'index.html' : path.slice(1);
    const body = await file(name);
    response.writeHead(200, { 'content-type': types[extname(name)] ?? 'application/octet-stream', 'content-encoding': 'br' }).end(body);
  };
  const server = createServer((request, response) => {
    answer(request.url ?? '/', response).catch(() => response.writeHead(404).end('no such file'));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
