import type { BrowserContext, Page } from 'playwright-core';
import type { AlarmSensor, DeviceAlarm } from '#models/device-alarms.ts';
import type { SimulatedDevice } from '#models/simulator.ts';
import { api } from './server.ts';
import type { Stage } from './stage.ts';

const alarmsWhere = async ({ server, token }: Stage, rule: 'equals' | 'not_equals'): Promise<DeviceAlarm[]> => {
  const filters = JSON.stringify({ match: 'match_all', items: [{ field: 'state', rule, value: 'processed' }] });
  return (await api<{ data: DeviceAlarm[] }>(server, 'GET', `/device-alarms?sort=-enabled_at&filters=${encodeURIComponent(filters)}`, { token })).body
    .data;
};
export const openAlarms = (stage: Stage): Promise<DeviceAlarm[]> => alarmsWhere(stage, 'not_equals');
export const processedAlarms = (stage: Stage): Promise<DeviceAlarm[]> => alarmsWhere(stage, 'equals');

/** The id of a device of the demo, by name, once it is brought to life, and whatever else is asked of it holds. */
export async function simulated({ server, token }: Stage, name: string, holds: (device: SimulatedDevice) => boolean = () => true): Promise<string> {
  let devices: SimulatedDevice[] = [];
  for (const end = performance.now() + 180_000; performance.now() < end;) {
    ({ devices } = (await api<{ data: { devices: SimulatedDevice[] } }>(server, 'GET', '/simulator', { token })).body.data);
    const device = devices.find((one) => one.name === name && one.online && holds(one));
    if (device) return device.id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const away = devices.filter(({ online }) => !online).map((one) => one.name);
  throw new Error(`${name} did not come to life; of ${devices.length} devices these are away: ${away.join(', ') || 'none'}`);
}

/** The devices of the demo have come to life: as many of them as ever will are online, and none of their tasks is under way. */
export async function atRest({ server, token }: Stage): Promise<void> {
  const filters = JSON.stringify({
    match: 'match_any',
    items: ['new', 'queued', 'started'].map((value) => ({ field: 'status', rule: 'equals', value })),
  });
  const isAtRest = async (): Promise<boolean> => {
    const { body } = await api<{ data: { devices: SimulatedDevice[] } }>(server, 'GET', '/simulator', { token });
    const tasks = await api<{ data: unknown[] }>(server, 'GET', `/device-tasks?filters=${encodeURIComponent(filters)}`, { token });
    return body.data.devices.filter(({ online }) => online).length > 45 && tasks.body.data.length === 0;
  };
  for (let tries = 0; tries < 300; tries += 1) {
    if (await isAtRest()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the devices of the demo did not come to rest');
}

/** Lets a sensor of a device trip or clear, as smoke would. */
export async function sense({ server, token }: Stage, device: string, act: 'trip' | 'clear', sensor: AlarmSensor): Promise<void> {
  const { status } = await api(server, 'POST', `/simulator/devices/${device}`, { token, body: { act, sensor } });
  if (status !== 200) throw new Error(`${act} ${sensor}: ${status}`);
}

/** Does something with an alarm as somebody at another desk. */
export const atAnotherDesk = ({ server, token }: Stage, id: string, act: 'claim' | 'process') =>
  api(server, 'POST', `/device-alarms/${id}/${act}`, { token, ...(act === 'process' && { body: { comment: 'Seen to elsewhere' } }) });

/** Sees to everything that is open, so that the next test begins in quiet. */
export async function quieten(stage: Stage): Promise<void> {
  for (const { id } of await openAlarms(stage)) await atAnotherDesk(stage, id, 'process');
}

/** Counts the tones that pages of a window begin to play, and the notifications they show on the desktop. */
export async function countNoise(context: BrowserContext): Promise<void> {
  await context.addInitScript(`
    window.noise = { tones: 0, shown: [] };
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...rest) { window.noise.tones += 1; return start.apply(this, rest); };
    const Original = window.Notification;
    window.Notification = class { static get permission() { return 'granted'; } static requestPermission() { return Promise.resolve('granted'); }
      constructor(title, options) { window.noise.shown.push(title + ' ' + (options && options.tag)); } close() {} };
  `);
}
export const noiseOf = (page: Page): Promise<{ tones: number; shown: string[] }> => page.evaluate('window.noise');
