import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { isWireCode, statusOf } from '#models/problem.ts';
import { successesOf } from '#server/http/openapi-document.ts';
import type { ServedCall } from '#server/serve.ts';

/** What the published document has against an answer; null when nothing. */
export function undocumented(
  call: ServedCall,
  { statusCode, headers, body }: Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'body'>,
): string | null {
  const successes: readonly number[] = successesOf(call);
  const said = `${call.method} ${call.path} answers ${statusCode}`;
  if (statusCode < 400) return successes.includes(statusCode) ? null : `${said}; the document has ${successes.join(', ')}`;
  if (!String(headers['content-type']).startsWith('application/json')) return `${said} as ${String(headers['content-type'])}`;
  const { error } = JSON.parse(body) as { error?: { code?: unknown } };
  if (!isWireCode(error?.code)) return `${said} with a code the document does not have: ${String(error?.code)}`;
  return statusOf(error.code) === statusCode ? null : `${said} for ${error.code}, which the document has as ${statusOf(error.code)}`;
}

/** Holds every answer that a test gets to the published document: one it does not have throws where the test asked. */
export function holdToDocument(app: FastifyInstance): void {
  const served = new WeakMap<object, ServedCall>();
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    const { call } = routeOptions.config;
    if (call) served.set(raw, call);
  });
  const inject = app.inject.bind(app) as (options: InjectOptions | string) => Promise<LightMyRequestResponse>;
  const held = async (options: InjectOptions | string): Promise<LightMyRequestResponse> => {
    const answer = await inject(options);
    const call = served.get(answer.raw.req);
    const fault = call ? undocumented(call, answer) : null;
    if (fault !== null) throw new Error(fault);
    return answer;
  };
  app.inject = held as typeof app.inject;
}
