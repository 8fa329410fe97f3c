import { constants } from '#models/constants.ts';
import type { Problem } from '#models/problem.ts';

const failed: Problem = { code: 'chunk_failed' };

/** A part of the console could not be fetched: the connection is bad, or a newer version has replaced it. */
export class ChunkFailed extends Error {
  readonly problem = failed;
  constructor(cause: unknown) {
    super('a part of the console could not be loaded', { cause });
  }
}

/** Fetches a part of the console; gives up after two minutes (spec B9). */
export async function loadChunk<T>(load: () => Promise<T>, timeout: number = constants.chunkTimeout): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ChunkFailed('timeout')), timeout);
  });
  try {
    return await Promise.race([load(), tooLong]);
  } catch (error) {
    throw error instanceof ChunkFailed ? error : new ChunkFailed(error);
  } finally {
    clearTimeout(timer);
  }
}
