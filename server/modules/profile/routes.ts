import type { FastifyInstance, FastifyReply } from 'fastify';
import { calls } from '#models/api.ts';
import type { Principal, Services } from '#server/context.ts';
import { serve } from '#server/serve.ts';
import { changeOwnUser, changePassword, columnsOf, deleteAccount } from './change.ts';
import { readProfile } from './read.ts';

/** The profile as it is now, and its version in the header, so that who just changed it need not read it again. */
async function freshProfile(services: Services, principal: Principal, reply: FastifyReply) {
  const profile = await readProfile(services, principal);
  void reply.header('doorward-profile', profile.version);
  return profile;
}

/** The signed-in person's own account. */
export function serveProfile(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.profile, ({ principal, reply }) => freshProfile(services, principal, reply));
  serve(app, services, calls.editProfile, async ({ principal, body, reply }) => {
    await changeOwnUser(services, principal, await columnsOf(services, principal, body));
    return freshProfile(services, principal, reply);
  });
  serve(app, services, calls.deleteAccount, ({ principal, body }) => deleteAccount(services, principal, body));
  serve(app, services, calls.changePassword, ({ principal, body }) => changePassword(services, principal, body));
  serve(app, services, calls.appPopup, ({ principal, body }) => changeOwnUser(services, principal, { isAppPopupActive: body.is_app_popup_active }));
  serve(app, services, calls.locale, ({ principal, body }) => changeOwnUser(services, principal, { locale: body.locale }));
}
