import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const [br, gz] = [promisify(brotliCompress), promisify(gzip)];
const worthwhile = /\.(?:js|css|svg|json|webmanifest|html)$/;

async function compressFile(path: string): Promise<void> {
  // The second of two builds into one folder finds what the first has done.
  if (existsSync(`${path}.br`)) return;
  const content = await readFile(path);
  if (content.length < 512) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await Promise.all([
    br(content, { params }).then((packed) => writeFile(`${path}.br`, packed)),
    gz(content, { level: 9 }).then((packed) => writeFile(`${path}.gz`, packed)),
  ]);
}

/** Writes `.br` and `.gz` beside every built file that gets smaller by it; pages, which the server fills in, stay as they are. */
export function precompress(): Plugin {
  let folder = 'dist/web';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    async writeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const paths = entries.filter((entry) => entry.isFile() && worthwhile.test(entry.name)).map((entry) => join(entry.parentPath, entry.name));
      for (const path of paths) if (!path.endsWith('.html') && !path.includes('/.vite/')) await compressFile(path);
    },
  };
}
