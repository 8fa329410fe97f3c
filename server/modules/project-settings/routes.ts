import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { calls } from '#models/api.ts';
import type { Services } from '#server/context.ts';
import { serve, serveToAnyone } from '#server/serve.ts';
import { removeBrokerCertificate, setBrokerCertificate, shownBroker } from '#server/settings/broker.ts';
import { setClients, shownClients } from '#server/settings/clients.ts';
import { openKinds, setGeneral, shownGeneral } from '#server/settings/general.ts';
import { setMail, shownMail } from '#server/settings/mail.ts';
import { setMobileSdk, setPushServer, shownMobileSdk, shownPushServer } from '#server/settings/mobile.ts';
import { setSip, shownSip } from '#server/settings/sip.ts';
import { sendTestSms, setSms, shownSms } from '#server/settings/sms.ts';
import { setLogo, setWhiteLabel, shownWhiteLabel, uploaded } from '#server/settings/white-label.ts';

/** What is set for a whole project, block by block, and what of it the sign-in page may know. */
export function serveProjectSettings(app: FastifyInstance, services: Services): void {
  const { db } = services;
  serve(app, services, calls.generalSettings, ({ principal }) => shownGeneral(services, principal.projectId));
  serve(app, services, calls.setGeneralSettings, ({ principal, body }) => setGeneral(services, principal, body));
  serve(app, services, calls.selfRegistrationSettings, ({ principal }) => shownClients(db, principal.projectId));
  serve(app, services, calls.setSelfRegistrationSettings, ({ principal, body }) => setClients(services, principal, body));
  serve(app, services, calls.mailSettings, ({ principal }) => shownMail(db, principal.projectId));
  serve(app, services, calls.setMailSettings, ({ principal, body }) => setMail(services, principal, body));
  serve(app, services, calls.smsSettings, ({ principal }) => shownSms(db, principal.projectId));
  serve(app, services, calls.setSmsSettings, ({ principal, body }) => setSms(services, principal, body));
  serve(app, services, calls.testSms, ({ principal, body }) => sendTestSms(services, principal, body.phone, body.sms_settings));
  serve(app, services, calls.whiteLabelSettings, ({ principal }) => shownWhiteLabel(db, principal.projectId));
  serve(app, services, calls.setWhiteLabelSettings, ({ principal, body }) => setWhiteLabel(services, principal, body));
  serve(app, services, { ...calls.setWhiteLabelLogo, body: z.strictObject({}) }, ({ principal, files }) =>
    setLogo(services, principal, uploaded(files)),
  );
  serve(app, services, calls.removeWhiteLabelLogo, ({ principal }) => setLogo(services, principal, null));

  serve(app, services, calls.brokerSettings, ({ principal }) => shownBroker(services, principal));
  serve(app, services, calls.setBrokerCertificate, ({ principal, body, files }) => setBrokerCertificate(services, principal, files, body.passphrase));
  serve(app, services, calls.removeBrokerCertificate, ({ principal }) => removeBrokerCertificate(services, principal));

  serve(app, services, calls.sipSettings, ({ principal }) => shownSip(services, principal));
  serve(app, services, calls.setSipSettings, ({ principal, body }) => setSip(services, principal, body));
  serve(app, services, calls.mobileSdkSettings, ({ principal }) => shownMobileSdk(db, principal.projectId));
  serve(app, services, calls.setMobileSdkSettings, ({ principal, body }) => setMobileSdk(services, principal, body));
  serve(app, services, calls.pushServerSettings, ({ principal }) => shownPushServer(db, principal.projectId));
  serve(app, services, calls.setPushServerSettings, ({ principal, body }) => setPushServer(services, principal, body));

  serveToAnyone(app, services, calls.openRegistration, () => openKinds(services));
}
