import type { FastifyInstance } from 'fastify';
import { and, eq, or } from 'drizzle-orm';
import { Counter } from 'prom-client';
import { calls as callsOfApi } from '#models/api.ts';
import { constants } from '#models/constants.ts';
import type { PhoneSettings } from '#models/phone-calls.ts';
import type { Principal, Services } from '#server/context.ts';
import { calls } from '#server/db/schema/index.ts';
import { serve } from '#server/serve.ts';
import { isLive, readCalls } from '#server/telephony/calls/book.ts';
import { nodePlace } from '#server/telephony/settings.ts';
import { changePhoneServer, readPhoneServer } from '#server/telephony/phone-server.ts';
import { explainOpening, savePictureOf, noteCall, noteOf, pictureOf, stopCall, transferCall } from './acts.ts';
import { dialerHistory } from './history.ts';
import { readInterception, setInterception } from './interception.ts';
import { queuesOf } from './queues.ts';
import { visitorsOf } from './visitors.ts';
import { deskCalls, interceptedCalls } from './scope.ts';

async function settingsFor(services: Services, principal: Principal): Promise<PhoneSettings> {
  const { config } = services;
  const own = {
    host: null,
    port: services.sipPort ?? config.sipPort,
    secure: config.tls !== null || config.publicUrl.startsWith('https:'),
    realm: null,
  };
  const other = await readPhoneServer(services.db, principal.projectId);
  return {
    sip: other ?? own,
    // They are ours: numbers of another server know nothing of them.
    nodes: other ? [] : (services.sipSettings?.of(principal.projectId).nodes ?? []).map((node) => nodePlace(node, own.port)),
    ice_servers: config.iceServers,
    queues: await queuesOf(services, principal),
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
  serve(app, services, callsOfApi.phoneSettings, ({ principal }) => settingsFor(services, principal));
  const phoneServerOf = async ({ projectId }: Principal) => ({ server: await readPhoneServer(db, projectId) });
  serve(app, services, callsOfApi.phoneServer, ({ principal }) => phoneServerOf(principal));
  serve(app, services, callsOfApi.setPhoneServer, async ({ principal, body }) => {
    await changePhoneServer(services, principal, body.server);
    return phoneServerOf(principal);
  });
  serve(app, services, callsOfApi.waitingCalls, ({ principal }) =>
    readCalls(db, principal, and(eq(calls.projectId, principal.projectId), isLive, or(deskCalls(principal), interceptedCalls(principal)))),
  );
  serve(app, services, callsOfApi.stopCall, ({ principal, params }) => stopCall(services, principal, params.speechId));
  serve(app, services, callsOfApi.transferCall, ({ principal, params, body }) => transferCall(services, principal, params.speechId, body));
  serve(app, services, callsOfApi.callNote, ({ principal, params }) => noteOf(services, principal, params.speechId));
  serve(app, services, callsOfApi.noteCall, ({ principal, params, body }) => noteCall(services, principal, params.speechId, body.note));
  serve(app, services, callsOfApi.explainOpening, ({ principal, params, body }) => explainOpening(services, principal, params.speechId, body.reason));
  serve(app, services, callsOfApi.callPicture, async ({ principal, params, reply }) => {
    const picture = await pictureOf(services, principal, params.speechId);
    reply.header('cache-control', 'no-store');
    if (picture) await reply.type('image/webp').send(Buffer.from(picture));
    else await reply.code(204).send();
    return null;
  });
  serve(app, services, callsOfApi.saveCallPicture, ({ principal, params }) => savePictureOf(services, principal, params.speechId));
  serve(app, services, callsOfApi.callVisitors, ({ principal, params }) => visitorsOf(services, principal, params.speechId));
  serve(app, services, callsOfApi.interception, ({ principal }) => readInterception(db, principal));
  serve(app, services, callsOfApi.setInterception, ({ principal, body }) => setInterception(services, principal, body.is_active, body.domains));
  serve(app, services, callsOfApi.dialerHistory, ({ principal, params, query }) =>
    dialerHistory(services, principal, params.number, { page: Number(query['page']), size: Number(query['size']) }),
  );
}
