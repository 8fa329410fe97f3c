import type { Services } from '../context.ts';
import { channel } from '../realtime/publish.ts';
import { Semaphore } from '../semaphore.ts';
import type { BrokerPort } from '../ports.ts';
import { brokerChannel, brokerIdentity } from '../settings/broker.ts';
import { type Broker, type BrokerPlace, openBroker } from './broker.ts';
import { CopyWatch } from './copy-watch.ts';
import { deviceBySerial, takeIn } from './inbox.ts';
import type { Reporter } from './said.ts';
import { HttpWatch } from './http-watch.ts';
import { Link } from './link.ts';
import type { StoredDevice } from './orders.ts';
import { Outages } from './outages.ts';
import { Presence } from './presence.ts';
import { takePass } from './presented.ts';
import { type DeviceRequest, deviceStatus, type DeviceStatus, readMessage } from './protocol.ts';
import { Runner } from './runner.ts';
import { Takeovers } from './takeover.ts';
import type { Heard, Listener, Wire } from './wire.ts';

/** All that speaks with devices, open. */
export interface Gateway {
  /** The port of the embedded broker; null with an outside one. */
  port: number | null;
  close: () => Promise<void>;
}

/** So many words of one device may wait to be taken in; more at once is a fault of the device. */
const mostWaiting = 200;

type Known = Reporter & { protocol: string };

/** Takes in what devices say, in order for each of them, and remembers who they are. */
class Words {
  readonly #services: Services;
  readonly #presence: Presence;
  readonly #known = new Map<string, Known | null>();
  readonly #lines = new Map<string, { work: Promise<void>; waiting: number }>();
  readonly #send: (serial: string, request: DeviceRequest) => Promise<void>;

  constructor(services: Services, presence: Presence, send: (serial: string, request: DeviceRequest) => Promise<void>) {
    this.#services = services;
    this.#presence = presence;
    this.#send = send;
  }

  async deviceOf(serial: string): Promise<Known | null> {
    const known = this.#known.get(serial);
    if (known !== undefined) return known;
    const found = await deviceBySerial(this.#services, serial);
    if (this.#known.size > 20_000) this.#known.clear();
    this.#known.set(serial, found);
    return found;
  }
  /** The serial numbers known of some devices, forgotten from now on. */
  forget(ids: readonly string[]): string[] {
    const serials = [...this.#known].filter(([, device]) => device === null || ids.length === 0 || ids.includes(device.id)).map(([serial]) => serial);
    for (const serial of serials) this.#known.delete(serial);
    return serials;
  }

  heard({ serial, payload, retained }: Heard): void {
    const said = readMessage(deviceStatus, payload);
    if (!said) {
      this.#services.log.warn({ serial, bytes: payload.length }, 'a word of a device cannot be read');
      return;
    }
    const line = this.#lines.get(serial) ?? { work: Promise.resolve(), waiting: 0 };
    if (line.waiting >= mostWaiting) {
      this.#services.log.warn({ serial }, 'a device says more than can be taken in');
      return;
    }
    line.waiting += 1;
    line.work = line.work
      .then(() => this.#take(serial, said, retained))
      .catch((error: unknown) => this.#services.log.error({ err: error, serial }, 'a word of a device could not be taken in'))
      .finally(() => {
        line.waiting -= 1;
        if (line.waiting === 0) this.#lines.delete(serial);
      });
    this.#lines.set(serial, line);
  }

  async #take(serial: string, said: DeviceStatus, retained: boolean): Promise<void> {
    const device = await this.deviceOf(serial);
    if (device?.protocol !== 'mqtt') return;
    if (said.type === 'offline') return this.#presence.gone(serial, device);
    this.#presence.heard(serial, device, said.type === 'online' ? said.firmware : undefined);
    // How a device came is told for as long as it is there.
    if (said.type === 'pass') await this.#answerPass(serial, device, said);
    else if (!retained || said.type === 'online') await takeIn(this.#services, device, said);
  }

  async #answerPass(serial: string, device: Known, { ask, identifier }: Extract<DeviceStatus, { type: 'pass' }>): Promise<void> {
    const granted = await takePass(this.#services, device, identifier);
    await this.#send(serial, { id: ask, kind: 'pass', body: { granted } });
  }

  /** All that was heard is taken in. */
  async settled(): Promise<void> {
    await Promise.all([...this.#lines.values()].map(({ work }) => work));
  }
}

/** Whoever asks a device before there is a way to it. */
function notOpen(): never {
  throw new Error('the broker is not open');
}

/** Tells which devices changed, as the realtime channel has it. */
function changedDevices(line: string): string[] | null {
  const message = JSON.parse(line) as { topic?: string; payload?: { ids?: string[] } };
  return message.topic === 'areas.devices' ? (message.payload?.ids ?? []) : null;
}

/** Looks again at devices that were changed: one that was deleted, or is spoken to in another way now, is shown the door. Answers how to stop. */
function followChanges(
  services: Services,
  { words, presence, wire }: { words: Words; presence: Presence; wire: Wire },
): Promise<() => Promise<void>> {
  const recheck = async (ids: readonly string[]): Promise<void> => {
    for (const serial of words.forget(ids)) {
      const device = await words.deviceOf(serial);
      if (device?.protocol !== 'mqtt') wire.drop(serial);
      if (!device || device.protocol === 'none') presence.forget(serial);
    }
  };
  const complain = (error: unknown): void => services.log.error({ err: error }, 'changed devices could not be looked at again');
  return services.listen(
    channel,
    (line) => {
      const ids = changedDevices(line);
      if (ids) void recheck(ids).catch(complain);
    },
    () => void recheck([]).catch(complain),
  );
}

/** The way to devices: the embedded broker at its place, which has a port of its own, or the outside one of the settings. */
async function openWire(services: Services, place: BrokerPlace, listener: Listener): Promise<{ wire: Wire; port: number | null }> {
  const { mqttUrl } = services.config;
  if (mqttUrl) return { wire: await (await import('./outside-broker.ts')).openOutsideBroker(services, mqttUrl, listener), port: null };
  const broker = await openBroker(services, place, listener);
  const unfollow = await followCertificate(services, broker);
  const close = async (): Promise<void> => {
    await unfollow();
    await broker.close();
  };
  return { wire: { ...broker, close }, port: broker.port };
}

/** A certificate that the database had changed without a word, as a restored backup does, is in use so much later, ms. */
const certificateCheck = 60_000;

/** Keeps the broker's certificate as the settings have it, and tells the rest of the server where devices come in. Answers how to stop. */
async function followCertificate(services: Services, broker: Broker): Promise<() => Promise<void>> {
  const semaphore = new Semaphore(1);
  const refresh = (): Promise<void> => semaphore.run(async () => broker.adopt(await brokerIdentity(services)));
  const again = (): void =>
    void refresh().catch((error: unknown) =>
      services.log.error({ err: error }, 'the broker’s certificate could not be used, it is tried again later'),
    );
  const unlisten = await services.listen(brokerChannel, again, again);
  await refresh().catch((error: unknown) =>
    services.log.error({ err: error }, 'the broker’s certificate could not be used, it is tried again later'),
  );
  const timer = services.timers.every(certificateCheck, again);
  const port: BrokerPort = {
    port: broker.port,
    get securePort() {
      return broker.securePort();
    },
    refresh,
  };
  services.deviceBroker = port;
  return async () => {
    timer.cancel();
    await unlisten();
    if (services.deviceBroker === port) delete services.deviceBroker;
  };
}

/** A device is with another process, which says how it stands. */
function letGo(serial: string, presence: Presence, wire: Wire | undefined): void {
  presence.forget(serial);
  wire?.drop(serial);
}

/** A device has come to this process: the others let go of it, and it is given what it has to do. */
async function greet(
  services: Services,
  serial: string,
  { words, takeovers, runner }: { words: Words; takeovers: Takeovers; runner: Runner },
): Promise<void> {
  try {
    // In the demo each process plays all devices itself.
    if (!services.simulator) await takeovers.came(serial);
    const device = await words.deviceOf(serial);
    if (device) runner.wake(device.id);
  } catch (error) {
    services.log.error({ err: error, serial }, 'a device that came could not be served');
  }
}

/** Takes in what devices say that are asked for it. Where one wants a pass, that is taken and the device is told at once. */
const heardByHttp =
  (services: Services, link: Link) =>
  async (device: StoredDevice, said: DeviceStatus): Promise<void> => {
    if (said.type !== 'pass') return takeIn(services, device, said);
    const granted = await takePass(services, device, said.identifier);
    // A pass stays taken where the answer gets lost: the door may have opened.
    await link.ask(device, { id: said.ask, kind: 'pass', body: { granted } });
  };

/** Opened one after the other, so that nothing is heard before somebody listens. */
async function openAll(parts: readonly { open: () => void | Promise<void> }[]): Promise<void> {
  for (const part of parts) await part.open();
}

/**
 * Opens all that speaks with devices: the embedded broker at its place (or the outside one the settings name), the link,
 * the presence, and the runner of tasks.
 * @throws the error of listening, when the port cannot be had
 */
export async function openGateway(services: Services, place: BrokerPlace): Promise<Gateway> {
  const outages = new Outages(services);
  const presence = new Presence(services, (deviceId, _projectId, online) => {
    outages.flipped(deviceId, online);
    runner.wake(deviceId);
  });
  const opened: { wire?: Wire } = {};
  const words = new Words(services, presence, (serial, request) => (opened.wire ?? notOpen()).send(serial, JSON.stringify(request)));
  const link = new Link(services, () => opened.wire ?? notOpen());
  const runner = new Runner(services, {
    ask: (device, request) => link.ask(device, request),
    isReachable: ({ protocol, login }) =>
      protocol === 'none' || (presence.isOnline(login) && (protocol !== 'mqtt' || opened.wire?.hears(login) === true)),
  });
  const takeovers = new Takeovers(services, (serial) => letGo(serial, presence, opened.wire));
  const listener: Listener = {
    heard: (message) => (message.part === 'response' ? link.heard(message.serial, message.payload) : words.heard(message)),
    came: (serial) => void greet(services, serial, { words, takeovers, runner }),
    gone: (serial) => [presence, link].forEach((each) => each.gone(serial)),
  };
  await takeovers.open();
  const { wire, port } = await openWire(services, place, listener);
  opened.wire = wire;
  const unlisten = await followChanges(services, { words, presence, wire });
  const watch = new HttpWatch(services, presence, heardByHttp(services, link));
  const copies = new CopyWatch(services);
  await openAll([outages, presence, watch, runner, copies]);
  const close = async (): Promise<void> => {
    await Promise.all([watch.close(), copies.close()]);
    outages.close();
    await words.settled();
    await presence.close();
    await Promise.all([unlisten(), takeovers.close()]);
    const ended = runner.close();
    link.close();
    await ended;
    await wire.close();
  };
  return { port, close };
}
