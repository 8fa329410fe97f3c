import { defaultDeviceSettings } from '#models/device-settings.ts';
import type { Services } from '#server/context.ts';
import { demoPort } from '../addresses.ts';
import { SimulatedDevice } from './device.ts';
import { HttpFace } from './http-face.ts';
import type { Face } from './face.ts';
import type { Plan } from './plan.ts';

/** Where a search finds devices that are in no project yet. */
const found: readonly (Pick<Plan, 'name' | 'type' | 'model' | 'serial'> & { host: string })[] = [
  { host: '127.20.9.11', serial: 'DP7A10C2E4', name: 'New panel', type: 'panel', model: 'DP-200 Keypad' },
  { host: '127.20.9.12', serial: 'AC7A10C2F9', name: 'New controller', type: 'access_controller', model: 'AC-2' },
  { host: '127.20.9.27', serial: 'IC7A10C301', name: 'New camera', type: 'ip_camera', model: 'IC-4' },
];

/** Devices that are on the network and in nobody's books: a search of `strayRange` finds them. */
export function strayDevices({ config, random, timers }: Pick<Services, 'config' | 'random' | 'timers'>): { device: SimulatedDevice; face: Face }[] {
  return found.map(({ host, ...given }) => {
    const plan: Plan = { ...given, id: given.serial, firmware: '4.3.0', settings: { ...defaultDeviceSettings }, copy: null, pictures: [] };
    const device: SimulatedDevice = new SimulatedDevice(plan, null, { say: (said) => face.say(said), random, timers });
    const face: Face = new HttpFace(() => device, { host, port: demoPort(config) }, null);
    return { device, face };
  });
}
