import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { originOf } from '#server/access/principal.ts';
import type { Services } from '#server/context.ts';
import { serve, serveToAnyone } from '#server/serve.ts';
import { addPasskey, beginPasskey, readPasskeys, removePasskey, renamePasskey } from './own.ts';
import { beginPasskeySignIn, passkeySignIn } from './sign-in.ts';

/** Passkeys: one's own, and signing in with one. */
export function servePasskeys(app: FastifyInstance, services: Services): void {
  serveToAnyone(app, services, calls.beginPasskeySignIn, () => beginPasskeySignIn(services));
  serveToAnyone(app, services, calls.passkeySignIn, ({ body, request }) => passkeySignIn(services, body, originOf(request)));
  serve(app, services, calls.passkeys, ({ principal }) => readPasskeys(services, principal));
  serve(app, services, calls.beginPasskey, ({ principal, body }) => beginPasskey(services, principal, body.password));
  serve(app, services, calls.addPasskey, ({ principal, body }) => addPasskey(services, principal, body));
  serve(app, services, calls.renamePasskey, ({ principal, params, body }) => renamePasskey(services, principal, params.id, body.name));
  serve(app, services, calls.removePasskey, ({ principal, params, body }) => removePasskey(services, principal, params.id, body.password));
}
