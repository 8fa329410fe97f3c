import { readFile } from 'node:fs/promises';
import { and, eq, sql } from 'drizzle-orm';
import type { BrokerCertificate, certificateStates, ShownBroker } from '#models/broker.ts';
import { lengthOf } from '#models/time.ts';
import { requireOperator, isOperator, operatorProject } from '../access/operator.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { projects, projectSettings } from '../db/schema/index.ts';
import { type BrokerIdentity, readBrokerCertificate } from '../devices/broker-certificate.ts';
import { seal, unseal } from '../devices/secrets.ts';
import type { Upload } from '../http/form.ts';
import { HttpError } from '../http-error.ts';
import { notify, settleCertificate } from '../modules/notifications/notify.ts';
import { changeBlock, readBlock } from './store.ts';

/** Tells every process that the broker's certificate is another. */
export const brokerChannel = 'doorward_broker';
const longestFile = 65_536;
/** So many days before its end people are told of it; 0: it has ended. */
const noticeDays = [30, 7, 1, 0] as const;
const day = lengthOf(1, 'day');

/** How a certificate stands at a moment. */
export function certificateState({ valid_to: end }: Pick<BrokerCertificate, 'valid_to'>, now: number): (typeof certificateStates)[number] {
  const left = Date.parse(end) - now;
  return left <= 0 ? 'expired' : left <= noticeDays[0] * day ? 'ending' : 'valid';
}

/** The broker's certificate as it is told. */
export async function readCertificate(db: Db): Promise<BrokerCertificate | null> {
  const projectId = await operatorProject(db);
  return projectId === null ? null : (await readBlock(db, projectId, 'broker')).value.certificate;
}

/** The broker's certificate with its key, for the broker alone. */
export async function brokerIdentity(services: Pick<Services, 'db' | 'config'>): Promise<BrokerIdentity | null> {
  const projectId = await operatorProject(services.db);
  const { secretCipher } = projectId === null ? { secretCipher: null } : await readBlock(services.db, projectId, 'broker');
  return secretCipher === null ? null : (JSON.parse(unseal(services, secretCipher)) as BrokerIdentity);
}

/** How the broker stands. */
export async function shownBroker(services: Services, principal: Principal): Promise<ShownBroker> {
  const { db, config, deviceBroker, now } = services;
  const [certificate, runs] = await Promise.all([readCertificate(db), isOperator(services, principal)]);
  return {
    kind: config.mqttUrl ? 'external' : 'embedded',
    port: deviceBroker?.port ?? null,
    secure_port: deviceBroker?.securePort ?? null,
    secure_port_setting: config.tls ? config.mqttPort : config.mqttsPort,
    certificate: certificate && { ...certificate, state: certificateState(certificate, now().getTime()) },
    is_operator: runs,
  };
}

async function change(
  services: Services,
  principal: Principal,
  certificate: BrokerCertificate | null,
  identity: BrokerIdentity | null,
): Promise<ShownBroker> {
  await changeBlock(services, principal, 'broker', { certificate, told_days: null }, async ({ tx }) => {
    await settleCertificate(tx, principal.projectId, services.now());
    await tx.execute(sql`select pg_notify(${brokerChannel}, 'changed')`);
    return { secretCipher: identity && seal(services, JSON.stringify(identity)) };
  });
  // Whoever uploaded it sees at once whether the port could be had.
  await services.deviceBroker?.refresh();
  return shownBroker(services, principal);
}

/** The broker of somebody else is not ours to equip. @throws HttpError `forbidden`, `unavailable` */
async function requireOwn(services: Services, principal: Principal): Promise<void> {
  await requireOperator(services, principal);
  if (services.config.mqttUrl) throw new HttpError('unavailable');
}

async function textOf(file: Upload | undefined): Promise<string | undefined> {
  if (!file) return undefined;
  const bytes = await readFile(file.path);
  if (bytes.length > longestFile) throw new HttpError('too_large');
  return bytes.toString('latin1');
}

/** Keeps an uploaded certificate, sealed, and has the broker use it. @throws HttpError as `readBrokerCertificate`; `too_large` */
export async function setBrokerCertificate(
  services: Services,
  principal: Principal,
  { certificate, key, chain }: Record<string, Upload>,
  passphrase: string | undefined,
): Promise<ShownBroker> {
  await requireOwn(services, principal);
  const [own = '', keyText, chainText] = await Promise.all([certificate, key, chain].map(textOf));
  const { identity, summary } = readBrokerCertificate({ certificate: own, key: keyText, chain: chainText, passphrase }, services.now());
  return change(services, principal, summary, identity);
}

export async function removeBrokerCertificate(services: Services, principal: Principal): Promise<ShownBroker> {
  await requireOwn(services, principal);
  return change(services, principal, null, null);
}

/** Tells those who may change it that the certificate ends: once each time fewer days are left than before, and once when it has ended. */
export async function notifyOfCertificate({ db, config, now }: Services): Promise<void> {
  const projectId = config.mqttUrl ? null : await operatorProject(db);
  if (projectId === null) return;
  await db.transaction(async (tx) => {
    await tx.execute(sql`select ${projects.id} from ${projects} where ${projects.id} = ${projectId} for update`);
    const { certificate, told_days: reportedDays } = (await readBlock(tx, projectId, 'broker')).value;
    const left = certificate && (Date.parse(certificate.valid_to) - now().getTime()) / day;
    const due = left === null ? undefined : noticeDays.findLast((days) => left <= days);
    if (!certificate || left === null || due === undefined || (reportedDays !== null && reportedDays <= due)) return;
    const data = { title: certificate.subject, ...(left <= 0 ? { has_error: true } : { days: Math.ceil(left) }) };
    await settleCertificate(tx, projectId, now());
    await notify(
      tx,
      { projectId, type: 'broker_certificate_ending', data, at: now() },
      sql`select person.id from users person join roles holder on holder.id = person.role_id
        where person.project_id = ${projectId} and 'can_change_project_settings' = any(holder.permissions)`,
    );
    await tx
      .update(projectSettings)
      .set({ value: { certificate, told_days: due } })
      .where(and(eq(projectSettings.projectId, projectId), eq(projectSettings.block, 'broker')));
  });
}
