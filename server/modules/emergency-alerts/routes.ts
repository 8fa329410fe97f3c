import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { calls } from '#models/api.ts';
import type { EmergencyAlert } from '#models/emergency-alerts.ts';
import type { Principal, Services } from '#server/context.ts';
import { seenRow } from '#server/crud/routes.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { holdRow, transact } from '#server/crud/write.ts';
import type { Db } from '#server/db/database.ts';
import { emergencyAlerts } from '#server/db/schema/index.ts';
import { heldAlert, startAlert, type StoredAlert, stopAlert } from '#server/emergency/life.ts';
import { setRecording, spokenRecording, uploadedRecording } from '#server/emergency/recording.ts';
import { canSpeak, speak } from '#server/emergency/speech.ts';
import { readFile } from '#server/files.ts';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';
import { emergencyAlertsRepository } from './repository.ts';
import { alertPeople, alertsFor, answerAlert } from './received.ts';

const shown = async (services: Services, principal: Principal, id: string): Promise<EmergencyAlert> =>
  (await seenRow(services, emergencyAlertsRepository, principal, id)) as unknown as EmergencyAlert;

/** Something that is done with an alert in sight, by those who may play them. */
const withAlert = (
  services: Services,
  principal: Principal,
  id: string,
  work: (tx: Db, alert: StoredAlert, at: Date) => Promise<void>,
): Promise<void> =>
  auditRefused(services, principal, { area: 'emergency-alerts', verb: 'edit', id }, () =>
    transact(services, async (tx) => {
      await holdRow(tx, emergencyAlertsRepository, principal, 'view', id);
      await work(tx, await heldAlert(tx, id), services.now());
    }),
  );

function servePlaying(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.startEmergencyAlert, async ({ principal, params: { id }, body }) => {
    await withAlert(services, principal, id, (tx, alert, at) => startAlert(tx, principal, alert, body.is_drill, at));
    return shown(services, principal, id);
  });
  serve(app, services, calls.stopEmergencyAlert, async ({ principal, params: { id } }) => {
    await withAlert(services, principal, id, (tx, alert, at) => stopAlert(tx, principal, alert, at));
    return shown(services, principal, id);
  });
  serve(app, services, calls.emergencyAlertPeople, async ({ principal, params: { id } }) => {
    await shown(services, principal, id);
    return alertPeople(services.db, principal, id);
  });
}

function serveRecordings(app: FastifyInstance, services: Services): void {
  const mayEdit = (principal: Principal, id: string) =>
    auditRefused(services, principal, { area: 'emergency-alerts', verb: 'edit', id }, () =>
      holdRow(services.db, emergencyAlertsRepository, principal, 'edit', id),
    );
  serve(app, services, { ...calls.setEmergencyAlertFile, body: z.strictObject({}) }, async ({ principal, params: { id }, files: { file } }) => {
    if (!file) throw new HttpError('invalid_file');
    await mayEdit(principal, id);
    return setRecording(services, principal, id, await uploadedRecording(file));
  });
  serve(app, services, calls.removeEmergencyAlertFile, async ({ principal, params: { id } }) => {
    await setRecording(services, principal, id, null);
    return null;
  });
  serve(app, services, calls.emergencyAlertFile, async ({ principal, params: { id }, reply }) => {
    await shown(services, principal, id);
    const [row] = await services.db
      .select({ file: emergencyAlerts.soundFile, filename: emergencyAlerts.filename })
      .from(emergencyAlerts)
      .where(eq(emergencyAlerts.id, id));
    if (!row?.file) throw new HttpError('file_not_found');
    const { stream, contentType, bytes } = await readFile(services, row.file);
    const name = row.filename ?? 'alert';
    await reply
      .header('content-disposition', `attachment; filename="alert${name.slice(name.lastIndexOf('.'))}"; filename*=UTF-8''${encodeURIComponent(name)}`)
      .header('cache-control', 'no-store')
      .header('content-length', bytes)
      .type(contentType)
      .send(stream);
    return null;
  });
  serve(app, services, calls.emergencyAlertSpeech, async () => ({ is_available: await canSpeak() }));
  serve(app, services, calls.generateEmergencyAlert, async ({ principal, params: { id }, body }) => {
    await mayEdit(principal, id);
    const { name, message } = await shown(services, principal, id);
    return setRecording(services, principal, id, spokenRecording(await speak(message, body.locale), name), 'generate');
  });
}

/** What emergency alerts are besides rows: playing, recordings, and what their people see and answer. */
export function serveEmergencyAlerts(app: FastifyInstance, services: Services): void {
  servePlaying(app, services);
  serveRecordings(app, services);
  serve(app, services, calls.myEmergencyAlerts, ({ principal }) => alertsFor(services.db, principal));
  serve(app, services, calls.seeEmergencyAlert, ({ principal, params: { id } }) => answerAlert(services, principal, id, false));
  serve(app, services, calls.confirmSafe, ({ principal, params: { id } }) => answerAlert(services, principal, id, true));
}
