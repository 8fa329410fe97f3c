import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import type { Services } from '#server/context.ts';
import { auditingRefusals } from '#server/crud/trail.ts';
import { holdRow } from '#server/crud/write.ts';
import { Refusal } from '#server/refusal.ts';
import { serve } from '#server/serve.ts';
import { removeAvatar, setAvatar } from './avatar.ts';
import { usersBinding } from './binding.ts';
import { setPassword } from './password.ts';
import { inviteAgain } from './registration.ts';
import { demandManageable } from './rules.ts';

/** What people do with users besides the plain calls. */
export function serveUsers(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.userPassword, ({ asker, params, body }) => setPassword(services, asker, params.id, body.new_password));
  serve(app, services, calls.registrationLink, ({ asker, params: { id } }) =>
    auditingRefusals(services, asker, { area: 'users', verb: 'edit', id }, () =>
      services.db.transaction(async (tx) => {
        await holdRow(tx, usersBinding, asker, 'edit', id);
        await demandManageable({ tx, asker, id });
        await inviteAgain(services, asker, tx, id);
      }),
    ),
  );
  serve(app, services, calls.setAvatar, async ({ asker, params, body, files }) => {
    const { image } = files;
    if (!image) throw new Refusal('invalid_file');
    return { avatar_url: await setAvatar(services, asker, params.id, image, body) };
  });
  serve(app, services, calls.removeAvatar, ({ asker, params }) => removeAvatar(services, asker, params.id));
}
