import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { startServer } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with the demo building in it, to be copied: making one takes several times as long. */
    seeded: string;
  }
}

/** Makes the demo building once for all files; each copies it and has a server of its own. */
export default async function seed({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  await server.stop();
  provide('seeded', server.data);
  return () => rm(server.data, { recursive: true, force: true });
}
