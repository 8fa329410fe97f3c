import { pictureLinkSeconds } from '#models/define-model.ts';
import type { DeviceTaskKind } from '#models/device-tasks.ts';
import { terseChange, terseCopy } from '../access/copy-wire.ts';
import { changeBetween, copyFor, type DeviceCopy } from '../access/device-copy.ts';
import { worldForDevices } from '../access/load.ts';
import type { Services } from '../context.ts';
import type { devices } from '../db/schema/index.ts';
import { fileAddress } from '../files.ts';
import { signLink } from '../http/picture-links.ts';
import { acknowledgedCopy } from './copies.ts';
import { secondsLeft } from './enrolments.ts';
import { unseal } from './secrets.ts';

export type StoredDevice = typeof devices.$inferSelect;
type Body = Record<string, unknown>;

const unsealed = (services: Services, cipher: string | null): string | null => (cipher === null ? null : unseal(services, cipher));

/** The settings as a device is sent them, secrets and all: they are looked up now and kept nowhere else. */
export function settingsFor(services: Services, device: StoredDevice): Body {
  const sip = (device.settings['sip'] ?? {}) as Body;
  return {
    name: device.name,
    port: device.port,
    password: unsealed(services, device.passwordCipher),
    device_login: device.deviceLogin,
    device_password: unsealed(services, device.devicePasswordCipher),
    get_logs: device.getLogs,
    management: device.management,
    device_settings: { ...device.settings, sip: { ...sip, password: unsealed(services, device.sipPasswordCipher) } },
  };
}

/** The settings as they are sent, secrets left out. */
export function shownSettingsFor(device: StoredDevice): Body {
  return {
    name: device.name,
    port: device.port,
    device_login: device.deviceLogin,
    get_logs: device.getLogs,
    management: device.management,
    device_settings: device.settings,
  };
}

/** What a device is asked: the body of the request. Where it holds a copy to decide by: that copy, and the request with the whole of it. */
export interface Order {
  body: Body;
  copy?: { is: DeviceCopy; whole: Body };
}

/** What a device is to decide by from now on: the whole of it, or what has changed since it last answered. */
async function copyOrder(services: Services, device: StoredDevice, isWhole: boolean): Promise<Required<Order>> {
  const [world, held] = [
    await worldForDevices(services, { projectId: device.projectId, ids: [device.id] }, services.now()),
    isWhole ? null : await acknowledgedCopy(services.db, device.id),
  ];
  const is = copyFor(world, device.id);
  const whole = { whole: terseCopy(is) };
  return { body: held ? { change: terseChange(changeBetween(held, is)) } : whole, copy: { is, whole } };
}

/** How long the device is to wait for a card, or the request for which it waits no longer. Asked again later, only what is left of the time. */
const enrolBody = ({ stop, until }: Body, now: Date): Body => (stop === undefined ? { seconds: secondsLeft(String(until), now) } : { stop });

/** What a device is to play; its recording lies behind a link that opens for a quarter of an hour. */
function alertBody(services: Services, { file, ...body }: Body): Body {
  const address = typeof file === 'string' ? fileAddress(file) : null;
  return { ...body, sound: address && signLink(services, address, pictureLinkSeconds.picture) };
}

/** What a device is to show; the first picture of the text lies behind a link that opens for a day. */
export function messageBody(services: Services, { picture, ...body }: Body): Body {
  const address = typeof picture === 'string' ? fileAddress(picture) : null;
  return address === null ? body : { ...body, picture: signLink(services, address, pictureLinkSeconds['rich-text']) };
}

/** What a device is asked for a task. */
export async function orderFor(services: Services, device: StoredDevice, kind: DeviceTaskKind, payload: Body): Promise<Order> {
  switch (kind) {
    case 'apply_settings':
    case 'init':
      return { body: settingsFor(services, device) };
    case 'synchronise':
      return copyOrder(services, device, payload['difference'] !== true);
    case 'reinit': {
      const { body, copy } = await copyOrder(services, device, true);
      return { body: { ...settingsFor(services, device), ...body, erase: true }, copy };
    }
    case 'set_protocol':
      // The new way has credentials of its own.
      return { body: { ...settingsFor(services, device), ...payload } };
    case 'restart':
    case 'open_door':
    case 'remote_control':
    case 'call_elevator':
    case 'stop_alert':
    case 'hide_message':
      return { body: payload };
    case 'show_message':
      return { body: messageBody(services, payload) };
    case 'play_alert':
      return { body: alertBody(services, payload) };
    case 'enrol_card':
      return { body: enrolBody(payload, services.now()) };
    default:
      throw new Error(`a device cannot be asked for ${String(kind satisfies never)}`);
  }
}
