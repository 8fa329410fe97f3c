import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { calls } from '#models/api.ts';
import type { Services } from '#server/context.ts';
import { serve, serveToAnyone } from '#server/serve.ts';
import { removeBrokerCertificate, setBrokerCertificate, shownBroker } from '#server/settings/broker.ts';
import { setClients, shownClients } from '#server/settings/clients.ts';
import { openKinds, setGeneral, shownGeneral } from '#server/settings/general.ts';
import { setMail, shownMail } from '#server/settings/mail.ts';
import { sendTestSms, setSms, shownSms } from '#server/settings/sms.ts';
import { setLogo, setWhiteLabel, shownWhiteLabel, uploaded } from '#server/settings/white-label.ts';
import { changePhoneServer, readPhoneServer } from '#server/telephony/phone-server.ts';

/** What is set for a whole project, block by block, and what of it the sign-in page may know. */
export function serveProjectSettings(app: FastifyInstance, services: Services): void {
  const { db, config } = services;
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

  const { media, sipPort, sipUdp } = config;
  const shownSip = async (projectId: string) => ({
    server: await readPhoneServer(db, projectId),
    port: sipPort,
    udp: sipUdp && `${sipUdp.host}:${sipUdp.port}`,
    external_ip: media.address,
    rtp: media.ports && { min: media.ports[0], max: media.ports[1] },
  });
  serve(app, services, calls.sipSettings, ({ principal }) => shownSip(principal.projectId));
  serve(app, services, calls.setSipSettings, async ({ principal, body }) => {
    await changePhoneServer(services, principal, body.server);
    return shownSip(principal.projectId);
  });

  serveToAnyone(app, services, calls.openRegistration, () => openKinds(services));
}
