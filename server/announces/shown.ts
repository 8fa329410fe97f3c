import { eq } from 'drizzle-orm';
import { topics } from '#models/realtime.ts';
import type { Db } from '../db/database.ts';
import { announceMessages, type deviceTasks } from '../db/schema/index.ts';
import { publish } from '../realtime/publish.ts';

type Task = Pick<typeof deviceTasks.$inferSelect, 'id' | 'kind' | 'status' | 'error' | 'projectId'>;
/** What a task fails of besides what a device says in words of its own. */
const knownErrors = ['not_reached', 'no_answer', 'device_protocol_none', 'wrong_credentials', 'busy', 'unknown_request'];
type Standing = Pick<typeof announceMessages.$inferSelect, 'state' | 'reason' | 'words'>;

function standing({ status, error }: Task): Standing {
  if (status === 'completed') return { state: 'sent', reason: null, words: null };
  if (status === 'stopped') return { state: 'failed', reason: 'task_stopped', words: null };
  if (status !== 'error') return { state: 'queued', reason: null, words: null };
  return error !== null && knownErrors.includes(error)
    ? { state: 'failed', reason: error, words: null }
    : { state: 'failed', reason: 'device_error', words: error };
}

/** What became of a task is what became of the message it carried. */
export async function settleShown(tx: Db, tasks: readonly Task[], at: Date): Promise<void> {
  const shows = tasks.filter(({ kind }) => kind === 'show_message');
  for (const task of shows) {
    const settled = await tx
      .update(announceMessages)
      .set({ ...standing(task), changedAt: at })
      .where(eq(announceMessages.taskId, task.id))
      .returning({ id: announceMessages.announceId });
    const [message] = settled;
    if (message) await publish(tx, task.projectId, topics.area('announces'), 'RowsChanged', { area: 'announces', ids: [message.id] });
  }
}
