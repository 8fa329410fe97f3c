import { randomBytes } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { reasonOf, StartError } from './start-error.ts';

/** Makes the data folder if it is missing, and tries it, before anything long begins. */
export async function prepareFolder({ data }: Pick<Config, 'data'>): Promise<void> {
  const trial = join(data, `.trial-${process.pid}`);
  try {
    await mkdir(data, { recursive: true });
    await writeFile(trial, '');
    await rm(trial);
  } catch (error) {
    throw new StartError(`The data folder ${data} cannot be written: ${reasonOf(error)}. Set DOORWARD_DATA to a writable folder.`);
  }
}

/** The secret of this installation: the given one, or one made once and kept in the data folder. */
export async function saveSecret({ data, secret }: Pick<Config, 'data' | 'secret'>): Promise<string> {
  if (secret) return secret;
  const path = join(data, 'secret');
  const fresh = randomBytes(32).toString('base64url');
  await writeFile(path, fresh, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return (await readFile(path, 'utf8')).trim();
}

/** Certificate and key must be there to be read. */
export function checkTls({ tls }: Pick<Config, 'tls'>): void {
  for (const [name, path] of Object.entries({ DOORWARD_TLS_CERT: tls?.cert, DOORWARD_TLS_KEY: tls?.key })) {
    if (!path) continue;
    try {
      accessSync(path, constants.R_OK);
    } catch (error) {
      throw new StartError(`The file ${path} that ${name} names cannot be read: ${reasonOf(error)}.`);
    }
  }
}

/** A port the server is to listen on, and the setting that says so. */
export interface Place {
  host: string;
  port: number;
  setting: 'DOORWARD_PORT' | 'DOORWARD_MQTT_PORT' | 'DOORWARD_SIP_PORT';
}
/** Where console and API are served. */
export const consolePlace = ({ host, port }: Pick<Config, 'host' | 'port'>): Place => ({ host, port, setting: 'DOORWARD_PORT' });
/** Where devices find the broker. */
export const brokerPlace = ({ host, mqttPort }: Pick<Config, 'host' | 'mqttPort'>): Place => ({
  host,
  port: mqttPort,
  setting: 'DOORWARD_MQTT_PORT',
});
/** Where phones speak SIP over WebSocket. */
export const sipPlace = ({ host, sipPort }: Pick<Config, 'host' | 'sipPort'>): Place => ({ host, port: sipPort, setting: 'DOORWARD_SIP_PORT' });

/** A failed listen in words; `free` is a port that could be had instead. */
const portSentence = ({ host, port, setting }: Place, error: unknown, free?: number): string => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use by another program. Stop it, or set ${setting} to ${free === undefined ? 'a free one' : `${free}, which is free`}.`;
  if (code === 'EACCES') return `Port ${port} cannot be used by this account. Set ${setting} to a port above 1023.`;
  return `The server cannot listen on ${host}:${port}: ${reasonOf(error)}. Check DOORWARD_HOST and ${setting}.`;
};

/**
 * Says in one sentence what the system has against a place; any other error is not the place's fault.
 * @throws StartError for an error of a system call, otherwise the error itself
 */
export const cannotListen =
  (place: Place) =>
  (error: unknown): never => {
    throw error instanceof Error && 'syscall' in error ? new StartError(portSentence(place, error)) : error;
  };

/** Tries a port, and lets go of it. @throws what the system has against it */
const probePort = ({ host, port }: Pick<Place, 'host' | 'port'>): Promise<void> =>
  new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => done()));
  });

/** So many ports above a busy one are tried. */
const triedAbove = 50;
const highestPort = 65_535;

async function freePortAbove({ host, port }: Place): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(port + triedAbove, highestPort); next += 1) {
    const isFree = await probePort({ host, port: next }).then(
      () => true,
      () => false,
    );
    if (isFree) return next;
  }
  return undefined;
}

/** Finds a busy port before the database is made, not after. @throws StartError that names a free one */
export async function tryPort(place: Place): Promise<void> {
  try {
    await probePort(place);
  } catch (error) {
    throw new StartError(portSentence(place, error, await freePortAbove(place)));
  }
}
