import type { FastifyInstance } from 'fastify';
import { and, eq, or } from 'drizzle-orm';
import { Counter } from 'prom-client';
import { calls as callsOfApi } from '#models/api.ts';
import { constants } from '#models/constants.ts';
import type { PhoneSettings } from '#models/phone-calls.ts';
import type { Asker, Services } from '#server/context.ts';
import { calls } from '#server/db/schema/index.ts';
import { serve } from '#server/serve.ts';
import { isLive, readCalls } from '#server/telephony/calls/book.ts';
import { changePhoneServer, readPhoneServer } from '#server/telephony/phone-server.ts';
import { explainOpening, noteCall, noteOf, pictureOf, stopCall, transferCall } from './acts.ts';
import { dialerHistory } from './history.ts';
import { readInterception, setInterception } from './interception.ts';
import { queuesOf } from './queues.ts';
import { deskCalls, interceptedCalls } from './sight.ts';

async function settingsFor(services: Services, asker: Asker): Promise<PhoneSettings> {
  const { config, telephony } = services;
  const own = {
    host: null,
    port: telephony?.webPort ?? config.sipPort,
    secure: config.tls !== null || config.publicUrl.startsWith('https:'),
    realm: null,
  };
  return {
    sip: (await readPhoneServer(services.db, asker.projectId)) ?? own,
    ice_servers: config.iceServers,
    queues: await queuesOf(services, asker),
    recall_seconds: constants.recallSeconds,
  };
}

/** How often voice was left out because this machine was late with it. */
function countVoice({ metrics }: FastifyInstance, services: Services): void {
  new Counter({
    name: 'doorward_voice_late_packets_total',
    help: 'Packets of voice that this server was too late to pass on',
    registers: [metrics],
    collect() {
      this.reset();
      this.inc(services.telephony?.lateVoice ?? 0);
    },
  });
}

/** What the web phone asks for besides signalling; contacts and who stands behind a number are with the virtual numbers. */
export function serveCalls(app: FastifyInstance, services: Services): void {
  const { db } = services;
  countVoice(app, services);
  serve(app, services, callsOfApi.phoneSettings, ({ asker }) => settingsFor(services, asker));
  const phoneServerOf = async ({ projectId }: Asker) => ({ server: await readPhoneServer(db, projectId) });
  serve(app, services, callsOfApi.phoneServer, ({ asker }) => phoneServerOf(asker));
  serve(app, services, callsOfApi.setPhoneServer, async ({ asker, body }) => {
    await changePhoneServer(services, asker, body.server);
    return phoneServerOf(asker);
  });
  serve(app, services, callsOfApi.waitingCalls, ({ asker }) =>
    readCalls(db, asker, and(eq(calls.projectId, asker.projectId), isLive, or(deskCalls(asker), interceptedCalls(asker)))),
  );
  serve(app, services, callsOfApi.stopCall, ({ asker, params }) => stopCall(services, asker, params.speechId));
  serve(app, services, callsOfApi.transferCall, ({ asker, params, body }) => transferCall(services, asker, params.speechId, body));
  serve(app, services, callsOfApi.callNote, ({ asker, params }) => noteOf(services, asker, params.speechId));
  serve(app, services, callsOfApi.noteCall, ({ asker, params, body }) => noteCall(services, asker, params.speechId, body.note));
  serve(app, services, callsOfApi.explainOpening, ({ asker, params, body }) => explainOpening(services, asker, params.speechId, body.reason));
  serve(app, services, callsOfApi.callPicture, async ({ asker, params, reply }) => {
    const picture = await pictureOf(services, asker, params.speechId);
    reply.header('cache-control', 'no-store');
    if (picture) await reply.type('image/webp').send(Buffer.from(picture));
    else await reply.code(204).send();
    return null;
  });
  serve(app, services, callsOfApi.interception, ({ asker }) => readInterception(db, asker));
  serve(app, services, callsOfApi.setInterception, ({ asker, body }) => setInterception(services, asker, body.is_active, body.domains));
  serve(app, services, callsOfApi.dialerHistory, ({ asker, params, query }) =>
    dialerHistory(services, asker, params.number, { page: Number(query['page']), size: Number(query['size']) }),
  );
}
