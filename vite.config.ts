import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defaultServerConditions, type Plugin } from 'vite';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { bootScript } from './scripts/boot-script.ts';
import { compileHint } from './scripts/compile-hint.ts';
import { consoleChunk } from './scripts/console-chunk.ts';
import { guestPage } from './scripts/guest-page.ts';
import { laraOnTokens } from './scripts/lara-on-tokens.ts';
import { precached } from './scripts/precached.ts';
import { precompress } from './scripts/precompress.ts';
import { zodForBrowsers } from './scripts/zod-for-browsers.ts';
import { longestWait } from './tests/support/in-time.ts';
import { longestFirst } from './tests/support/longest-first.ts';
import { longest, selection } from './tests/support/selection.ts';

const platform = `http://127.0.0.1:${process.env['DOORWARD_PORT'] ?? 8080}`;

/** The router's package offers its development build alone, whose warnings nobody reads in what is built. */
const routerForProduction = (): Plugin => {
  const dist = resolve('node_modules/react-router/dist/production');
  const alias = [
    { find: /^react-router$/, replacement: `${dist}/index.mjs` },
    { find: /^react-router\/dom$/, replacement: `${dist}/dom-export.mjs` },
  ];
  return { name: 'router-for-production', apply: 'build', config: () => ({ resolve: { alias } }) };
};

/**
 * What to fetch beside a file that is asked for: not what the page named itself, and the file itself only where styles, which are waited for, would
 * hold it up. Each name not written down makes the sign-in page smaller.
 */
const resolveDependencies = (file: string, files: string[]): string[] => {
  const besides = files.filter((each) => each !== file && !/\/(rolldown-runtime|library|login)-/.test(each));
  return besides.some((each) => each.endsWith('.css')) ? [file, ...besides] : besides;
};

/** `vite build` and `vite`: the browser's side. */
const web: ViteUserConfig = {
  plugins: [
    react(),
    laraOnTokens(),
    zodForBrowsers(),
    routerForProduction(),
    compileHint('login', 'console'),
    bootScript(),
    precompress(),
    guestPage(),
  ],
  publicDir: 'src/public',
  // RxJS has its classes as browsers know them under this condition alone.
  resolve: { conditions: ['es2015', ...defaultClientConditions] },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2023',
    chunkSizeWarningLimit: 400,
    manifest: true,
    modulePreload: { polyfill: false, resolveDependencies },
    // The sign-in page names every file there is: a character less of each hash is a third of a kilobyte there.
    rolldownOptions: {
      output: {
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: consoleChunk() }] },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': { target: platform, ws: true }, '/files': platform } },
};

/** `vite build --mode guest`: the page of guests, which shares no file with the console: a visitor fetches nothing else. */
const guest: ViteUserConfig = {
  ...web,
  publicDir: false,
  plugins: [precompress()],
  build: {
    outDir: 'dist/web',
    emptyOutDir: false,
    target: 'es2023',
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'src/guest/index.html', output: { entryFileNames: 'assets/guest-[hash].js' } },
  },
};

/** `vite build --mode worker`: what keeps the console in the browser, after all of it is built. */
const worker = (): ViteUserConfig => ({
  publicDir: false,
  define: { __PRECACHED__: JSON.stringify(precached('dist/web')), 'process.env.NODE_ENV': '"production"' },
  plugins: [precompress()],
  build: {
    outDir: 'dist/web',
    emptyOutDir: false,
    target: 'es2023',
    rolldownOptions: { input: 'src/worker/service-worker.ts', output: { entryFileNames: 'sw.js' } },
  },
});

/** Packages that read files beside their own code (native modules, WebAssembly, pages), and one whose parts have to be read in their order. */
const external = ['@electric-sql/pglite', '@fastify/swagger-ui', '@napi-rs/image', '@node-rs/argon2', 'werift'];

/**
 * `vite build --ssr`: the server and its media process with their packages. To find and read each file of a package by itself takes a quarter of the
 * processor's time of a start.
 */
const server: ViteUserConfig = {
  publicDir: false,
  ssr: { noExternal: true, external },
  build: {
    outDir: 'dist/server',
    chunkSizeWarningLimit: 5000,
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: { main: 'server/main.ts', restore: 'server/restore.ts', media: 'server/telephony/media/process.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
};

/**
 * By the conditions vite has for Node the router is CommonJS that requires a module; Node 20 fails at that now and then while another file
 * imports the same ("reading 'getStatus'").
 */
const wholeRouter = {
  resolve: { conditions: ['module-sync', ...defaultClientConditions] },
  ssr: { resolve: { conditions: ['module-sync', ...defaultServerConditions] } },
};

/** A test has time for several of the longest waits, each of which says better what did not come; a poll that says nothing waits as long. */
const inNode = {
  environment: 'node',
  testTimeout: 4 * longestWait,
  hookTimeout: 4 * longestWait,
  expect: { poll: { timeout: longestWait } },
} as const;
/**
 * Real Chromium against the real embedded server, of which each file has its own. What a browser does in time depends on what else the
 * machine does: a second try tells a fault from a slow moment.
 */
const inChromium = {
  ...inNode,
  globalSetup: 'tests/e2e/support/seeded.ts',
  // Many pages follow each other in one test.
  testTimeout: 8 * longestWait,
  hookTimeout: 8 * longestWait,
  // What the files share is read once by each worker: reading it for every file takes a tenth of the processor's time.
  isolate: false,
  retry: 1,
} as const;

/** `vitest run --project …`: groups run one after the other. Server tests wait now and then, so that three share two cores well. */
const tests: ViteUserConfig = {
  test: {
    sequence: {
      sequencer: longestFirst(longest),
    },
    projects: [
      {
        test: {
          ...inNode,
          name: 'server',
          globalSetup: 'tests/server/shared-folder.ts',
          ...selection.server,
          maxWorkers: 3,
          // The server's modules are read once by each worker: they take longer than most files of tests.
          isolate: false,
          retry: 1,
        },
      },
      {
        ...wholeRouter,
        test: {
          ...inNode,
          name: 'core',
          include: ['tests/{models,machines,house}/**/*.test.ts'],
          setupFiles: 'tests/support/models.ts',
          maxWorkers: 3,
          isolate: false,
        },
      },
      {
        ...wholeRouter,
        test: {
          ...inNode,
          name: 'web',
          environment: 'happy-dom',
          include: ['tests/web/**/*.test.{ts,tsx}'],
          setupFiles: 'tests/web/support/setup.ts',
          // A file has modules of its own, and a thread begins sooner than a process: 160 s of the processor instead of 192.
          pool: 'threads',
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...inChromium,
          name: 'e2e',
          ...selection.browser,
          // Code that runs for a minute is not worth optimizing, JavaScript (six files: 141 s of the processor instead of 152) nor the
          // database's WebAssembly (six files: 141 s instead of 152 again, and a server starts for 2.6 s instead of 3.5).
          env: { E2E_V8_FLAGS: '--no-opt --liftoff-only' },
          // Two leave the machine idle for two fifths of the time: a browser waits for its server, and for time to pass.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      { test: { ...inChromium, name: 'e2e-timed', ...selection.timed, maxWorkers: 1, sequence: { groupOrder: 3 } } },
    ],
  },
};

export default defineConfig(({ isSsrBuild = false, mode }) => {
  if (isSsrBuild) return server;
  if (process.env['VITEST']) return tests;
  return mode === 'guest' ? guest : mode === 'worker' ? worker() : web;
});
