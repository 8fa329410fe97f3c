import type { ImportAttempt, ImportPlan, ImportResult, SentImportPlan } from '#models/import.ts';
import type { Job } from '#models/job.ts';
import { dataOf, jobIsOver, type Person } from './estate.ts';
import { form } from './hostile-files.ts';

/** Sends a file as the first step of an import. */
export function attempt(who: Person, content: string | Buffer, name = 'cards.csv') {
  const { body, headers } = form({}, Buffer.isBuffer(content) ? content : Buffer.from(content), name, 'text/csv', 'file');
  return who.client.post('/identifiers/import', body, headers);
}
/** What is wrong with a whole file. */
export const refusedBy = (answer: { json: () => unknown }): string | undefined =>
  (answer.json() as { data?: { issues?: { rule: string }[] } }).data?.issues?.[0]?.rule;

/** An import up to its plan: columns as they were guessed. */
export async function planFor(who: Person, content: string | Buffer, over: Partial<ImportPlan> = {}): Promise<ImportPlan> {
  const answer = await attempt(who, content);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  const { filepath, mapping } = dataOf<ImportAttempt>(answer);
  return { filepath, mapping, constants: {}, ...over };
}
/** A check up to its end: what it found, and the job it was. */
export async function check(who: Person, plan: SentImportPlan, area = 'identifiers'): Promise<{ result: ImportResult; job: Job }> {
  const answer = await who.client.post(`/${area}/import/check`, plan);
  if (answer.statusCode !== 202) throw new Error(answer.body);
  const job = await jobIsOver(who.client, dataOf<Job>(answer));
  if (job.state !== 'completed' || !job.import) throw new Error(JSON.stringify(job));
  return { result: job.import, job };
}
export const proceed = async (who: Person, plan: Partial<SentImportPlan>, action: 'leave' | 'overwrite' = 'leave'): Promise<Job> =>
  jobIsOver(who.client, dataOf<Job>(await who.client.post('/identifiers/import/continue', { ...plan, action })));
export const counts = (made: number, same: number, changed: number, bad: number) => ({ new: made, same, changed, bad });
