import { defineConfig } from 'vite';

/** The server as one file, so that a start reads one file and not nine hundred, and its media process beside it. Packages stay outside. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: { main: 'server/main.ts', media: 'server/telephony/media/process.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
