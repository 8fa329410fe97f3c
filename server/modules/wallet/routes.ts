import type { FastifyInstance, FastifyReply } from 'fastify';
import { calls } from '#models/api.ts';
import type { Services } from '#server/context.ts';
import { seenRow } from '#server/crud/routes.ts';
import { serve, serveToAnyone } from '#server/serve.ts';
import { passOf } from '#server/wallet/of-identifier.ts';
import { readWallet, removeCertificate, setCertificate, setLook } from '#server/wallet/settings.ts';
import { guestIdentifiersRepository } from '../guest-identifiers/repository.ts';
import { requireUsable, findKey } from '../guest-identifiers/keys.ts';
import { identifiersRepository } from '../identifiers/repository.ts';

async function sendPass(services: Services, reply: FastifyReply, id: string): Promise<null> {
  const { name, bytes } = await passOf(services, id);
  await reply
    .header('content-disposition', `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`)
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex, nofollow')
    .type('application/vnd.apple.pkpass')
    .send(bytes);
  return null;
}

/** Wallet passes: what a project needs for them, and those of identifiers and guests. */
export function serveWallet(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.wallet, ({ principal }) => readWallet(services, principal.projectId));
  serve(app, services, calls.setWalletLook, ({ principal, body }) => setLook(services, principal, body));
  serve(app, services, calls.setWalletCertificate, ({ principal, body, files }) =>
    setCertificate(services, principal, files['certificate'], body.passphrase),
  );
  serve(app, services, calls.removeWalletCertificate, ({ principal }) => removeCertificate(services, principal));
  serve(app, services, calls.identifierPass, async ({ principal, params, reply }) => {
    await seenRow(services, identifiersRepository, principal, params.id);
    return sendPass(services, reply, params.id);
  });
  serve(app, services, calls.guestPass, async ({ principal, params, reply }) => {
    await seenRow(services, guestIdentifiersRepository, principal, params.id);
    return sendPass(services, reply, params.id);
  });
  serveToAnyone(app, services, calls.ownPass, async ({ params, request, reply }) => {
    const key = await findKey(services, params.key, request.ip);
    requireUsable(key, services.now());
    return sendPass(services, reply, key.id);
  });
}
