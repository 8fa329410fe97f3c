/** The device types of the spec (A3) and, for each, the models the console knows with what they can do. */
export const deviceTypes = ['panel', 'monitor', 'access_controller', 'lift_controller', 'ip_camera', 'barrier'] as const;
export type DeviceType = (typeof deviceTypes)[number];

/**
 * What a model can do besides switching relays. `calls`: speaks SIP · `camera`: has a picture · `card`, `code`, `qr`, `face`: reads
 * such identifiers · `alpr`: works with a camera that reads number plates · `lift`: gives floors free.
 */
export type Ability = 'calls' | 'camera' | 'card' | 'code' | 'qr' | 'face' | 'alpr' | 'lift';

/** One model: its name as printed on it, how many relays and call buttons it has, and what it can do. */
export interface DeviceModel {
  name: string;
  relays: number;
  buttons: number;
  can: readonly Ability[];
}

const model = (name: string, relays: number, buttons: number, ...can: Ability[]): DeviceModel => ({ name, relays, buttons, can });

/** The models of each type, the plainest first. */
export const deviceModels: Readonly<Record<DeviceType, readonly DeviceModel[]>> = {
  panel: [
    model('DP-110', 1, 1, 'calls', 'camera', 'card'),
    model('DP-140', 2, 4, 'calls', 'camera', 'card', 'code'),
    model('DP-200 Keypad', 2, 0, 'calls', 'camera', 'card', 'code', 'qr'),
    model('DP-350 Face', 2, 0, 'calls', 'camera', 'card', 'code', 'qr', 'face'),
    model('DP-360 Vehicle', 2, 1, 'calls', 'camera', 'card', 'code', 'qr', 'alpr'),
  ],
  monitor: [model('DM-70', 0, 0, 'calls'), model('DM-100 Touch', 1, 0, 'calls', 'camera'), model('DM-120 Concierge', 1, 0, 'calls', 'camera')],
  access_controller: [
    model('AC-1', 1, 0, 'card'),
    model('AC-2', 2, 0, 'card', 'code'),
    model('AC-4 QR', 4, 0, 'card', 'code', 'qr'),
    model('AC-2 Face', 2, 0, 'card', 'face'),
  ],
  lift_controller: [model('LC-16', 16, 0, 'lift', 'card'), model('LC-32', 32, 0, 'lift', 'card'), model('LC-64', 64, 0, 'lift', 'card', 'face')],
  ip_camera: [model('IC-4', 0, 0, 'camera'), model('IC-8 Dome', 0, 0, 'camera'), model('IC-8 Plate', 1, 0, 'camera', 'alpr')],
  barrier: [model('BR-3', 1, 0, 'card'), model('BR-6 Plate', 2, 0, 'card', 'qr', 'alpr')],
};

const nothing: DeviceModel = { name: '', relays: 0, buttons: 0, can: [] };
/** Whether a value names a type of device. */
export const isDeviceType = (type: unknown): type is DeviceType => (deviceTypes as readonly unknown[]).includes(type);

/** A model of a type by name; one that the console does not know can do nothing. */
export const deviceModel = (type: unknown, name: unknown): DeviceModel =>
  (isDeviceType(type) ? deviceModels[type].find((known) => known.name === name) : undefined) ?? nothing;

/** Whether a device of this type and model can do something. */
export const deviceCan = ({ type, model: name }: { type: unknown; model: unknown }, ability: Ability): boolean =>
  deviceModel(type, name).can.includes(ability);

/** Whether there is a door, gate or barrier behind the device that can be opened from afar. */
export const hasDoor = ({ type, model: name }: { type: unknown; model: unknown }): boolean =>
  (type === 'panel' || type === 'access_controller' || type === 'barrier') && deviceModel(type, name).relays > 0;
