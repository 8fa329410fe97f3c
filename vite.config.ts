import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { consoleChunk } from './scripts/console-chunk.ts';
import { laraOnTokens } from './scripts/lara-on-tokens.ts';
import { precompress } from './scripts/precompress.ts';

const server = `http://127.0.0.1:${process.env['DOORWARD_PORT'] ?? 8080}`;

export default defineConfig({
  plugins: [react(), laraOnTokens(), precompress()],
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2023',
    chunkSizeWarningLimit: 400,
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: consoleChunk() }] } } },
  },
  server: { port: 5173, proxy: { '/api': { target: server, ws: true }, '/files': server } },
});
