import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { build, type Plugin, type Rolldown } from 'vite';
import { zodForBrowsers } from '#scripts/zod-for-browsers.ts';

const compress = promisify(brotliCompress);
const name = resolve('scripts/bench/controls/entry.ts');

/** One module of this text. */
const entry = (text: string): Plugin => ({
  name: 'entry',
  resolveId: (id) => (id === 'entry' ? name : null),
  load: (id) => (id === name ? text : null),
});

/** The brotli kB of JavaScript that these modules come to, bundled and minified by themselves; React is not counted. */
export async function sizeOf(...modules: readonly string[]): Promise<number> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [entry(modules.map((each, at) => `export * as part${at} from '${each}';`).join('\n')), zodForBrowsers()],
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: { input: 'entry', external: [/^react($|\/)/, /^react-dom($|\/)/], preserveEntrySignatures: 'strict' },
    },
  });
  const outputs = [built].flat() as Rolldown.RolldownOutput[];
  const chunks = outputs.flatMap(({ output }) => output).flatMap((file) => (file.type === 'chunk' ? [compress(file.code)] : []));
  return (await Promise.all(chunks)).reduce((sum, { length }) => sum + length, 0) / 1_000;
}
