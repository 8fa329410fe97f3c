import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder within the project for what workers make once and their files share; gone when all have ended. */
    shared: string;
  }
}

export default async function share({ provide }: TestProject): Promise<() => Promise<void>> {
  const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'doorward-tests-'));
  provide('shared', folder);
  return () => rm(folder, { recursive: true, force: true });
}
