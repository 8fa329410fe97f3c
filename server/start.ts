import { resolve } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { demoLogins, demoPassword } from '#models/demo-accounts.ts';
import { type Config, printable } from './config.ts';
import type { Services } from './context.ts';
import { LockHeld } from './db/lock.ts';
import type { OpenDatabase } from './db/database.ts';
import { openDatabase } from './db/open.ts';
import { startRetention } from './db/retention.ts';
import { makeLog } from './http/log.ts';
import type * as Gateway from './devices/gateway.ts';
import type * as Telephony from './telephony/telephony.ts';
import { LogRing } from './http/log-ring.ts';
import { Part } from './parts.ts';
import { brokerPlace, cannotListen, checkTls, consolePlace, saveSecret, prepareFolder, sipPlace, tryPort } from './prepare.ts';
import { endOnSignals } from './shutdown.ts';
import { reasonOf, StartError } from './start-error.ts';
import { systemTimers } from './timers.ts';

/** What a person who typed `npm start` wants to know. */
function greet({ publicUrl, data, demo, databaseUrl }: Config, firstLink: string | null): void {
  const lines = [
    '',
    `  Doorward is ready at ${publicUrl}`,
    ...(demo ? [`  Sign in as ${demoLogins.join(', ')}; the password is ${demoPassword}`] : []),
    ...(firstLink
      ? [
          `  Set the administrator’s password at ${firstLink}`,
          '  The link works once and is valid for 7 days; until it is used, every start prints a new one',
        ]
      : []),
    `  Data folder: ${resolve(data)}${databaseUrl ? ' (tables are in PostgreSQL)' : ''}`,
    '  Press Ctrl-C to stop',
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function open(config: Config, log: FastifyBaseLogger): Promise<OpenDatabase> {
  try {
    return await openDatabase(config, (error) => log.warn({ err: error }, 'a database connection broke'));
  } catch (error) {
    if (error instanceof LockHeld) throw error;
    log.debug({ err: error }, 'the database could not be opened');
    throw new StartError(
      config.databaseUrl
        ? `PostgreSQL at ${new URL(config.databaseUrl).host} cannot be used: ${innerReason(error)}.`
        : `The database in ${config.data} cannot be opened: ${innerReason(error)}.`,
    );
  }
}

/** The reason at the bottom of wrapped errors. */
const innerReason = (error: unknown): string => (error instanceof Error && error.cause !== undefined ? innerReason(error.cause) : reasonOf(error));

/** Fills an empty database: with the demo world, or with a first administrator, whose link is answered until it was used. */
async function fill(services: Services): Promise<string | null> {
  if (!services.config.demo) {
    const { inviteFirstAdministrator } = await import('./db/bootstrap.ts');
    return inviteFirstAdministrator(services).catch(() => inviteFirstAdministrator(services));
  }
  const { seedDemo } = await import('./db/demo/seed.ts');
  // Two nodes that start together on one database: the second finds the work done.
  await seedDemo(services).catch(() => seedDemo(services));
  return null;
}

/** Folder, certificate and ports are tried before anything is opened, so that what is wrong is said in one sentence. */
async function prepare(given: Config): Promise<Config> {
  await prepareFolder(given);
  checkTls(given);
  await tryPort(consolePlace(given));
  await tryPort(sipPlace(given));
  if (!given.mqttUrl) await tryPort(brokerPlace(given));
  return { ...given, secret: await saveSecret(given) };
}

/** Sends mails while the server lives, where it or a project has a mail server. */
async function beginMails(app: FastifyInstance, services: Services): Promise<void> {
  const { sendMails } = await import('./mailer.ts');
  app.addHook('onClose', sendMails(services));
}

/** Tells webhooks of what happens while the server lives. */
async function beginWebhooks(app: FastifyInstance, services: Services): Promise<void> {
  const { Webhooks } = await import('./integrations/webhooks.ts');
  const webhooks = new Webhooks(services);
  await webhooks.open();
  app.addHook('onClose', () => webhooks.close());
}

/** Takes announcements to their recipients while the server lives, and starts and ends them at their hours. */
async function beginAnnounces(app: FastifyInstance, services: Services): Promise<void> {
  const { Announcer } = await import('./announces/announcer.ts');
  const announcer = new Announcer(services);
  services.announcer = announcer;
  announcer.wake();
  const { Texter } = await import('./announces/texts.ts');
  const texter = new Texter(services);
  app.addHook('onClose', async () => void (await Promise.all([announcer.close(), texter.close()])));
}

/** Reminds people of what they have reserved while the server lives. */
async function beginReminders(app: FastifyInstance, services: Services): Promise<void> {
  const { Reminders } = await import('./modules/amenity-reservations/reminders.ts');
  const reminders = new Reminders(services);
  reminders.wake();
  app.addHook('onClose', () => reminders.close());
}

/** What can be begun anew while the rest runs. */
const partsOf = (services: Services, openGateway: typeof Gateway.openGateway, openTelephony: typeof Telephony.openTelephony) => ({
  broker: new Part(
    (port) => openGateway(services, { ...brokerPlace(services.config), ...(port !== null && { port }) }),
    ({ port }) => port,
  ),
  sip: new Part(
    // Started again, a free port that was found stays: pages are let speak to no other place.
    (port) => openTelephony(services, port === null || services.config.sipPort !== 0 ? {} : { port }),
    () => (services.telephony ? (services.sipPort ?? null) : null),
  ),
});

/** Starts the whole server; it ends by signal. */
export async function start(given: Config): Promise<void> {
  const config = await prepare(given);
  const logRing = new LogRing();
  const log = makeLog(config.logLevel, logRing.over(pino.destination({ sync: true })));
  log.debug({ settings: printable(config) }, 'settings');
  // The database opens while the rest of the server is read: on a second start that is half of the time.
  const [{ db, listen, reserve, close }, { buildApp }, { openGateway }, { openTelephony }] = await Promise.all([
    open(config, log),
    import('./app.ts'),
    import('./devices/gateway.ts'),
    import('./telephony/telephony.ts'),
  ]);
  const world = { now: () => new Date(), timers: systemTimers, random: Math.random };
  const services: Services = { config, db, listen, ...(reserve && { reserve }), log, logRing, ...world };
  if (config.demo) services.simulator = new (await import('./devices/simulator/simulator.ts')).Simulator(services);
  let firstLink: string | null = null;
  const { broker, sip } = (services.parts = partsOf(services, openGateway, openTelephony));
  try {
    firstLink = await fill(services);
    const app = await buildApp(services);
    endOnSignals(app, services, close);
    startRetention(services);
    reserve?.maintain(log);
    for (const begin of [beginMails, beginWebhooks, beginAnnounces, beginReminders]) await begin(app, services);
    await services.simulator?.read();
    await broker.open().catch(cannotListen(brokerPlace(config)));
    await sip.open().catch(cannotListen(sipPlace(config)));
    app.addHook('onClose', async () => {
      // Devices of the demo that lose us are not away: they stand as they stood at the next start.
      await broker.close();
      await services.simulator?.close();
      await sip.close();
    });
    await app.listen({ host: config.host, port: config.port }).catch(cannotListen(consolePlace(config)));
  } catch (error) {
    await close();
    throw error;
  }
  greet(config, firstLink);
  await liven(services, broker);
}

/** The demo's devices come to life, then its people. */
async function liven(services: Services, { port }: { port: number | null }): Promise<void> {
  const { simulator, config, log } = services;
  if (!simulator) return;
  const broker = config.mqttUrl ?? `${config.tls ? 'mqtts' : 'mqtt'}://127.0.0.1:${port}`;
  await simulator.open(broker).catch((error: unknown) => log.error({ err: error }, 'the devices of the demo could not be brought to life'));
  if (config.demoLife) new (await import('./devices/simulator/life.ts')).Life(services, simulator).begin();
}
