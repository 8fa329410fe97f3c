import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import type { Services } from '#server/context.ts';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';
import { removeAvatar, setAvatar } from './avatar.ts';
import { setPassword } from './password.ts';
import { sendLink } from './link.ts';

/** What people do with users besides the plain calls. */
export function serveUsers(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.userPassword, ({ principal, params, body }) => setPassword(services, principal, params.id, body.new_password));
  serve(app, services, calls.registrationLink, ({ principal, params: { id } }) => sendLink(services, principal, id));
  serve(app, services, calls.setAvatar, async ({ principal, params, body, files }) => {
    const { image } = files;
    if (!image) throw new HttpError('invalid_file');
    return { avatar_url: await setAvatar(services, principal, params.id, image, body) };
  });
  serve(app, services, calls.removeAvatar, ({ principal, params }) => removeAvatar(services, principal, params.id));
}
