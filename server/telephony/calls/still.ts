import { and, eq, isNull } from 'drizzle-orm';
import { topics } from '#models/realtime.ts';
import type { Services } from '#server/context.ts';
import { calls } from '#server/db/schema/index.ts';
import { removeFile, storeFile } from '#server/files.ts';
import { publish } from '#server/realtime/publish.ts';
import { readBlock } from '#server/settings/store.ts';

/** How often a picture is waited for: 2 s each time. */
const mostTries = 10;

interface Camera {
  /** What it shows; null where nothing has come in time. @throws MediaFailure */
  still: () => Promise<Uint8Array | null>;
  /** The call has ended. */
  isOver: () => boolean;
}

/** What a camera shows, as soon as it shows anything: the path of a slow panel is found late. */
async function firstStill({ still, isOver }: Camera): Promise<Uint8Array | null> {
  for (let tries = 0; tries < mostTries && !isOver(); tries += 1) {
    const bytes = await still();
    if (bytes) return bytes;
  }
  return null;
}

/**
 * Keeps with a call what the camera of its caller shows, where the project wants that: whoever was not there sees who stood at the door.
 * What somebody has kept by hand meanwhile stays. @throws MediaFailure
 */
export async function storeStill(services: Services, { id, projectId }: { id: string; projectId: string }, camera: Camera): Promise<void> {
  const { value } = await readBlock(services.db, projectId, 'general');
  const bytes = value.visitor_pictures ? await firstStill(camera) : null;
  if (!bytes) return;
  const file = await storeFile(services, { projectId, kind: 'call', contentType: 'image/webp', bytes });
  const stored = await services.db.transaction(async (tx) => {
    const change = tx.update(calls).set({ imageFile: file });
    const [call] = await change.where(and(eq(calls.id, id), isNull(calls.imageFile))).returning({ id: calls.id });
    if (call) await publish(tx, projectId, topics.area('call-history'), 'RowsChanged', { area: 'call-history', ids: [id] });
    return call !== undefined;
  });
  if (!stored) await removeFile(services, file);
}
