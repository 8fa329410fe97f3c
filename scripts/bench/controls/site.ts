import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, preview } from 'vite';
import { laraOnTokens } from '#scripts/lara-on-tokens.ts';
import { zodForBrowsers } from '#scripts/zod-for-browsers.ts';

const outDir = join('.cache', 'controls');

/** The built page on which controls are drawn. */
export interface Site {
  url: (side: 'ours' | 'theirs') => string;
  close: () => Promise<void>;
}

/** Builds the page as the console is built, and serves it. */
export async function openSite(): Promise<Site> {
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [react(), laraOnTokens(), zodForBrowsers()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: { input: 'scripts/bench/controls/page.html' },
    },
  });
  const server = await preview({ configFile: false, logLevel: 'error', build: { outDir }, preview: { host: '127.0.0.1', port: 0 } });
  const [root] = server.resolvedUrls?.local ?? [];
  if (root === undefined) throw new Error('the page of controls is not served');
  return { url: (side) => `${root}scripts/bench/controls/page.html?${side}`, close: () => server.close() };
}
