import { z } from 'zod';
import { eq } from 'drizzle-orm';
import type { Principal, Services } from '../context.ts';
import { projects } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';
import { reach } from '../integrations/reach.ts';
import type { CloudAnswer, CloudQuestion } from './cloud-answer.ts';
import { instanceId } from './instance.ts';
import { answerAsIssuer } from './issuer.ts';
import { addLicence } from './store.ts';

/** How long the vendor's cloud is waited for, in ms. */
export const cloudTimeout = 8_000;
const cloudAnswer = z.object({ licences: z.array(z.string().max(200_000)).max(100) });

async function askVendor(url: string, question: CloudQuestion, timeout: number): Promise<CloudAnswer> {
  const { status, bytes } = await reach({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
    timeout,
    mostBytes: 25_000_000,
    // Whoever runs the server says where it is.
    loopback: true,
  });
  if (status === 404) return { refused: 'licence_none_found' };
  if (status === 409) return { refused: 'licence_instance_registered' };
  if (status < 200 || status > 299) throw new Error(`the licence server answers ${status}`);
  return cloudAnswer.parse(JSON.parse(bytes.toString()));
}

/** Is there a cloud to ask? */
export const hasCloud = ({ licenceUrl, demo }: Services['config']): boolean => licenceUrl !== null || demo;

/** Asks the vendor's cloud, or in the demo the issuer that plays it. @throws HttpError `licence_server_silent` when no answer comes in time */
async function ask(services: Services, question: CloudQuestion, timeout: number): Promise<CloudAnswer> {
  const { licenceUrl, demo } = services.config;
  try {
    if (licenceUrl !== null) return await askVendor(licenceUrl, question, timeout);
    if (demo) return await answerAsIssuer(services, question, AbortSignal.timeout(timeout));
  } catch (error) {
    services.log.warn({ err: error }, 'the licence server gave no usable answer');
  }
  throw new HttpError('licence_server_silent');
}

/**
 * Fetches the licences the vendor has for the principal's project and adds those that are new.
 * @throws HttpError `licence_server_silent`, `licence_none_found`, `licence_instance_registered`, or why none of them could be added
 */
export async function addFromCloud(services: Services, principal: Principal, timeout = cloudTimeout): Promise<{ added: number; renewed: number }> {
  const [project] = await services.db.select({ uid: projects.uid }).from(projects).where(eq(projects.id, principal.projectId));
  const answer = await ask(services, { project: project?.uid ?? '', instance: await instanceId(services.db) }, timeout);
  if ('refused' in answer) throw new HttpError(answer.refused);
  if (answer.licences.length === 0) throw new HttpError('licence_none_found');
  const count = { added: 0, renewed: 0 };
  const errors: HttpError[] = [];
  for (const file of answer.licences)
    await addLicence(services, principal, file, 'cloud').then(
      (done) => {
        count[done] += 1;
      },
      (error: unknown) => {
        if (!(error instanceof HttpError)) throw error;
        // What is here already is no failure: the cloud answers with all it has.
        if (error.code !== 'licence_instance_registered') errors.push(error);
      },
    );
  const [first] = errors;
  if (first && count.added + count.renewed === 0) throw first;
  return count;
}
