import { defineConfig } from 'vite';

/** The server as one file, so that a start reads one file and not nine hundred. Packages stay outside. */
export default defineConfig({
  publicDir: false,
  build: { ssr: 'server/main.ts', outDir: 'dist/server', emptyOutDir: true, target: 'node20', minify: false, sourcemap: true },
});
