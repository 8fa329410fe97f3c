import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
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
  // What is written once when the demo's devices come to life need not be written again by every copy.
  await wait(3_000);
  await server.stop();
  provide('seeded', server.data);
  return () => rm(server.data, { recursive: true, force: true });
}
