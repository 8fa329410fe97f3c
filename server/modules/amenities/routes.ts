import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Amenity } from '#models/amenities.ts';
import { calls } from '#models/api.ts';
import { scopeOf } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { readRow } from '#server/crud/rows.ts';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';
import { amenitiesRepository } from './repository.ts';
import { setAmenityFile } from './files.ts';
import { readState } from './state.ts';

async function seenAmenity({ db }: Services, principal: Principal, id: string): Promise<Amenity> {
  const row = await readRow(db, amenitiesRepository, scopeOf(principal), id);
  if (!row) throw new HttpError('amenity_not_found');
  return row as unknown as Amenity;
}

/** What is done with amenities besides keeping them. */
export function serveAmenities(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.amenityState, async ({ principal, params: { id }, query }) =>
    readState(services.db, await seenAmenity(services, principal, id), String(query.date), services.now()),
  );
  serve(app, services, { ...calls.setAmenityImage, body: z.strictObject({}) }, async ({ principal, params: { id }, files: { image } }) => {
    if (!image) throw new HttpError('invalid_file');
    return { image: await setAmenityFile(services, principal, id, 'image', image) };
  });
  serve(app, services, calls.removeAmenityImage, async ({ principal, params: { id } }) => {
    await setAmenityFile(services, principal, id, 'image', null);
    return null;
  });
  serve(app, services, { ...calls.setAmenityTerms, body: z.strictObject({}) }, async ({ principal, params: { id }, files: { terms } }) => {
    if (!terms) throw new HttpError('invalid_file');
    return { terms_of_use: await setAmenityFile(services, principal, id, 'terms_of_use', terms) };
  });
  serve(app, services, calls.removeAmenityTerms, async ({ principal, params: { id } }) => {
    await setAmenityFile(services, principal, id, 'terms_of_use', null);
    return null;
  });
}
