import { and, eq, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { calls } from '#models/api.ts';
import type { AnnounceReach, AnnounceResponse } from '#models/announce-calls.ts';
import type { Announce } from '#models/announces.ts';
import type { Locale } from '#models/constants.ts';
import { idArray } from '#server/access/measures.ts';
import { scopeOf } from '#server/access/scope.ts';
import { peopleNamed, type StoredAnnounce } from '#server/announces/audience.ts';
import { screensOf } from '#server/announces/screens.ts';
import { heldAnnounce, startAnnounce, stopAnnounce } from '#server/announces/life.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { contentTypes, writeCells } from '#server/crud/export.ts';
import { seenRow } from '#server/crud/routes.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { holdRow, transact } from '#server/crud/write.ts';
import type { Db } from '#server/db/database.ts';
import { announceMessages, mails, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';
import { hasMailServer } from '#server/settings/mail.ts';
import { hasSmsGateway } from '#server/settings/sms.ts';
import { wordsOf } from '#server/texts.ts';
import { uploadTextPicture } from '../text-pictures.ts';
import { announcesRepository } from './repository.ts';
import { markSeen, receivedBy, runningFor, vote } from './received.ts';
import { deliveryOf, recipientsOf, responsesOf } from './responses.ts';

/** More than a project has people. */
const everybody = 1_000_000;

/** Something that is done with an announcement in sight, by those who may send them: it stays as it is meanwhile. */
const withAnnounce = <T>(
  services: Services,
  principal: Principal,
  id: string,
  work: (tx: Db, announce: StoredAnnounce, at: Date) => Promise<T>,
): Promise<T> =>
  auditRefused(services, principal, { area: 'announces', verb: 'edit', id }, () =>
    transact(services, async (tx) => {
      await holdRow(tx, announcesRepository, principal, 'view', id);
      return work(tx, await heldAnnounce(tx, id), services.now());
    }),
  );

const shown = async (services: Services, principal: Principal, id: string): Promise<Announce> =>
  (await seenRow(services, announcesRepository, principal, id)) as unknown as Announce;

/** Messages that failed wait once more; what a mail server has taken is not sent again. */
async function retryFailed(tx: Db, principal: Principal, { id, title, status }: StoredAnnounce, at: Date): Promise<number> {
  if (status !== 'started') throw new HttpError('prohibited');
  const failed = and(eq(announceMessages.announceId, id), eq(announceMessages.state, 'failed'));
  await tx.execute(sql`update ${mails} set failed_at = null, claimed_until = null, sending_at = null, created_at = ${at.toISOString()}::timestamptz
    where ${mails.sentAt} is null and ${mails.id} in (select ${announceMessages.mailId} from ${announceMessages} where ${failed})`);
  const again = await tx
    .update(announceMessages)
    .set({ state: 'queued', reason: null, words: null, taskId: null, attempts: 0, nextAt: null, changedAt: at })
    .where(failed)
    .returning({ id: announceMessages.id });
  const changes = { messages: { before: null, after: again.length } };
  await audit(tx, principal, { area: 'announces', action: 'mail_sent', entityId: id, entityName: title, changes }, at);
  return again.length;
}

const file = (name: string): string =>
  `attachment; filename="responses${name.slice(name.lastIndexOf('.'))}"; filename*=UTF-8''${encodeURIComponent(name)}`;

/** What became of the messages to somebody, in words. */
function sentText(locale: Locale, { messages }: AnnounceResponse): string {
  const word = (key: string): string => wordsOf(locale, `areas.announces.${key}`) ?? key;
  return messages
    .map(({ channel, state, reason }) => {
      const what = `${word(`options.send_via.${channel}`)}: ${word(`response.states.${state}`)}`;
      return reason === null ? what : `${what} (${word(`reasons.${reason}`)})`;
    })
    .join('; ');
}

function serveSending(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.announceReach, async ({ principal, body }) => {
    const scope = scopeOf(principal);
    const people = peopleNamed(scope, body);
    const isNarrowed = body.roles.length + body.markers.length > 0;
    const screens = screensOf(scope, { people, whole: idArray(isNarrowed ? [] : body.domains) });
    const { rows } = await services.db.execute<Omit<AnnounceReach, 'sms_gateway' | 'mail_server'> & Record<string, unknown>>(
      sql`select count(*)::int as people, count(${users.email})::int as email, count(${users.phone})::int as sms, (select count(*)::int from (${screens}) screen) as devices
        from ${users} where ${users.id} in (${people})`,
    );
    return {
      ...(rows[0] ?? { people: 0, email: 0, sms: 0, devices: 0 }),
      sms_gateway: await hasSmsGateway(services.db, principal.projectId),
      mail_server: await hasMailServer(services, principal.projectId),
    };
  });
  serve(app, services, calls.startAnnounce, async ({ principal, params }) => {
    await withAnnounce(services, principal, params.id, (tx, announce, at) => startAnnounce(tx, principal, announce, at));
    services.announcer?.wake();
    return shown(services, principal, params.id);
  });
  serve(app, services, calls.stopAnnounce, async ({ principal, params }) => {
    await withAnnounce(services, principal, params.id, (tx, announce, at) => stopAnnounce(tx, principal, announce, at));
    services.announcer?.wake();
    return shown(services, principal, params.id);
  });
  serve(app, services, calls.retryAnnounce, async ({ principal, params }) => {
    const again = await withAnnounce(services, principal, params.id, (tx, announce, at) => retryFailed(tx, principal, announce, at));
    services.announcer?.wake();
    return again;
  });
}

function serveResponses(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.announceDelivery, ({ principal, params }) => deliveryOf(services, principal, params.id));
  serve(app, services, calls.announceResponses, ({ principal, params }) => responsesOf(services, principal, params.id));
  serve(app, services, calls.exportAnnounceResponses, async ({ principal, params, query, reply }) => {
    const { title } = await shown(services, principal, params.id);
    const format = query['format'] === 'xlsx' ? 'xlsx' : 'csv';
    const people = await recipientsOf(services.db, scopeOf(principal), params.id, everybody);
    const word = (key: string): string => wordsOf(principal.locale, `areas.announces.response.${key}`) ?? key;
    async function* lines() {
      yield [['name', 'group', 'messages', 'answer', 'answered_at', 'seen_at'].map(word)];
      yield people.map((one) => [
        one.name,
        one.group ?? '',
        sentText(principal.locale, one),
        one.answer ?? '',
        one.answered_at ?? '',
        one.seen_at ?? '',
      ]);
    }
    const bytes: Buffer[] = [];
    for await (const part of writeCells(format, lines(), AbortSignal.timeout(60_000))) bytes.push(Buffer.from(part));
    const name = `${title.replaceAll(/[\p{Cc}\p{Cf}/\\]/gu, ' ').slice(0, 80)}.${format}`;
    const changes = { file: { before: null, after: name }, rows: { before: null, after: people.length } };
    await audit(services.db, principal, { area: 'announces', action: 'export', entityId: params.id, entityName: title, changes }, services.now());
    await reply.header('content-disposition', file(name)).header('cache-control', 'no-store').type(contentTypes[format]).send(Buffer.concat(bytes));
    return null;
  });
}

/** What announcements are besides rows: sending, what came of it, and what their recipients see and answer. */
export function serveAnnounces(app: FastifyInstance, services: Services): void {
  serve(app, services, { ...calls.uploadAnnouncePicture, body: z.strictObject({}) }, ({ principal, files: { image } }) =>
    uploadTextPicture(services, principal, image),
  );
  serveSending(app, services);
  serveResponses(app, services);
  serve(app, services, calls.myAnnounces, ({ principal }) => runningFor(services.db, principal));
  serve(app, services, calls.announceByToken, ({ principal, params }) => receivedBy(services.db, principal, params.token));
  serve(app, services, calls.readAnnounce, ({ principal, params }) => markSeen(services, principal, params.token));
  serve(app, services, calls.sendPoll, ({ principal, params, body }) => vote(services, principal, params.token, body));
}
