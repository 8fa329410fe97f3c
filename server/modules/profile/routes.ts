import type { FastifyInstance, FastifyReply } from 'fastify';
import { calls } from '#models/api.ts';
import type { Asker, Services } from '#server/context.ts';
import { serve } from '#server/serve.ts';
import { changeOwnUser, changePassword, columnsOf, deleteAccount } from './change.ts';
import { readProfile } from './read.ts';

/** The profile as it is now, and its version in the header, so that who just changed it need not read it again. */
async function freshProfile(services: Services, asker: Asker, reply: FastifyReply) {
  const profile = await readProfile(services, asker);
  void reply.header('doorward-profile', profile.version);
  return profile;
}

/** The signed-in person's own account. */
export function serveProfile(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.profile, ({ asker, reply }) => freshProfile(services, asker, reply));
  serve(app, services, calls.editProfile, async ({ asker, body, reply }) => {
    await changeOwnUser(services, asker, await columnsOf(services, asker, body));
    return freshProfile(services, asker, reply);
  });
  serve(app, services, calls.deleteAccount, ({ asker, body }) => deleteAccount(services, asker, body));
  serve(app, services, calls.changePassword, ({ asker, body }) => changePassword(services, asker, body));
  serve(app, services, calls.appPopup, ({ asker, body }) => changeOwnUser(services, asker, { isAppPopupActive: body.is_app_popup_active }));
  serve(app, services, calls.locale, ({ asker, body }) => changeOwnUser(services, asker, { locale: body.locale }));
}
