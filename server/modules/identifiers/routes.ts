import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { calls } from '#models/api.ts';
import type { Services } from '#server/context.ts';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';
import { moveIdentifier } from './life.ts';
import { setPhoto } from './photo.ts';
import { transferEffect, transferIdentifier } from './transfer.ts';

/** What people do with identifiers besides the plain calls. */
export function serveIdentifiers(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.revokeIdentifier, ({ principal, params }) => moveIdentifier(services, principal, params.id, 'revoke'));
  serve(app, services, calls.restoreIdentifier, ({ principal, params }) => moveIdentifier(services, principal, params.id, 'restore'));
  serve(app, services, calls.loseIdentifier, ({ principal, params }) => moveIdentifier(services, principal, params.id, 'lose'));
  serve(app, services, calls.findIdentifier, ({ principal, params }) => moveIdentifier(services, principal, params.id, 'find'));
  serve(app, services, calls.transferEffect, ({ principal, params }) => transferEffect(services, principal, params.id, params.user));
  serve(app, services, calls.transferIdentifier, ({ principal, params, body }) => transferIdentifier(services, principal, params.id, body));
  serve(app, services, { ...calls.setIdentifierPhoto, body: z.strictObject({}) }, async ({ principal, params, files }) => {
    const { image } = files;
    if (!image) throw new HttpError('invalid_file');
    return { photo: await setPhoto(services, principal, params.id, image) };
  });
}
