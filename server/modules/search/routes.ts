import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { calls } from '#models/api.ts';
import { mostRecent } from '#models/search.ts';
import type { Services } from '#server/context.ts';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';
import { search } from './search.ts';

const ids = z.array(z.uuid()).max(mostRecent);

/** The ids of rows used lately. @throws HttpError `wrong_parameters` */
function readRecent(recent = ''): string[] {
  const result = ids.safeParse(recent === '' ? [] : recent.split(','));
  if (!result.success) throw new HttpError('wrong_parameters', { parameter: 'recent', value: recent.slice(0, 64) });
  return result.data;
}

/** The search over all areas at once. */
export function serveSearch(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.search, ({ principal, query }) => search(services, principal, query['q'] ?? '', readRecent(query['recent'])));
}
