import { deviceCan } from '#models/device-models.ts';
import type { DeviceAct, SimulatedDevice as Shown } from '#models/simulator.ts';
import type { Services } from '#server/context.ts';
import type { SimulatedDevice } from './device.ts';
import { PanelMedia } from './panel-media.ts';
import { PanelPhone, type PhonePlan } from './panel-phone.ts';

interface Slot {
  device: SimulatedDevice;
  phone: PanelPhone | null;
  isPlugged: boolean;
}
type PhoneAct = Extract<DeviceAct, { act: 'call' | 'sos' | 'hang_up' }>;
/** Whether an act is done at the phone of a device. */
export const isPhoneAct = (act: DeviceAct): act is PhoneAct => act.act === 'call' || act.act === 'sos' || act.act === 'hang_up';

/** A panel takes a call almost at once; somebody has to walk to a monitor. In ms. */
const answersAfter = { panel: 600, monitor: 3_000 } as const;
const opens = '#';
/** Whoever presses SOS dials nothing; the server finds the nearest desk. */
const nothingDialled = '0';

/** The phones in the devices of the demo: each registers with what its device was sent, and with nothing else. */
export class Phones {
  readonly #services: Services;
  readonly #media: PanelMedia;
  readonly #slots = new Map<string, Slot>();

  constructor(services: Services) {
    this.#services = services;
    this.#media = new PanelMedia(services.log);
  }

  /** Where phones register; null while there is no telephony. */
  get #url(): string | null {
    const { config, telephony, sipPort } = this.#services;
    if (!telephony || sipPort === undefined) return null;
    const host = /^(?:0\.0\.0\.0|::)$/.test(config.host) ? '127.0.0.1' : config.host;
    return `${config.tls ? 'wss' : 'ws'}://${host.includes(':') ? `[${host}]` : host}:${sipPort}`;
  }

  /** Gives a device that speaks SIP its phone; taken anew whenever its settings are. */
  attach(device: SimulatedDevice): void {
    if (!deviceCan(device.plan, 'calls')) return;
    const slot: Slot = { device, phone: null, isPlugged: false };
    this.#slots.set(device.plan.id, slot);
    device.onSettings(() => this.#settle(slot));
  }
  async detach(id: string): Promise<void> {
    const slot = this.#slots.get(id);
    this.#slots.delete(id);
    await slot?.phone?.close();
  }
  /** The plug of a device is put in or pulled. */
  plug(id: string, isPlugged: boolean): void {
    const slot = this.#slots.get(id);
    if (!slot) return;
    slot.isPlugged = isPlugged;
    this.#settle(slot);
  }

  #planOf({ device, isPlugged }: Slot): PhonePlan | null {
    const [url, settings] = [this.#url, device.phoneSettings];
    if (!url || !isPlugged || !settings?.sip.enabled || !settings.sip.login || !settings.sip.password) return null;
    return {
      url,
      number: settings.sip.login,
      password: settings.sip.password,
      name: device.plan.name,
      trustAll: true,
      instance: `urn:uuid:${device.plan.id}`,
      hasCamera: deviceCan(device.plan, 'camera'),
      answersAfter: device.plan.type === 'panel' ? answersAfter.panel : answersAfter.monitor,
      talkSeconds: () => device.phoneSettings?.sip.talk_timeout ?? settings.sip.talk_timeout,
    };
  }
  #settle(slot: Slot): void {
    const plan = this.#planOf(slot);
    const old = slot.phone;
    const isSame = old && plan && (['url', 'number', 'password'] as const).every((key) => old.plan[key] === plan[key]);
    if (isSame) return;
    slot.phone = null;
    void old?.close().catch(() => undefined);
    if (!plan) return;
    const { device } = slot;
    slot.phone = new PanelPhone(
      plan,
      this.#media,
      {
        started: (number) => device.notifyCall('call_started', { with: number }),
        answered: (number) => device.notifyCall('call_answered', { with: number }),
        missed: (number) => device.notifyCall('call_missed', { with: number }),
        ended: (number, seconds) => device.notifyCall('call_ended', { with: number, seconds }),
        key: (digit, number) => {
          if (digit === opens) device.openByKey(number);
        },
      },
      this.#services.log,
    );
    slot.phone.open();
  }

  /** Somebody stands before the devices and may press a button: a real panel would not begin to wake up then. */
  awake(): void {
    if (this.#url) this.#media.begin().catch(() => undefined);
  }
  /** Somebody presses a button of the phone. Where there is no telephony the device tells of it all the same. */
  async act(device: SimulatedDevice, act: PhoneAct): Promise<void> {
    const phone = this.#slots.get(device.plan.id)?.phone ?? null;
    if (act.act === 'hang_up') return phone?.hangUp();
    const isSos = act.act === 'sos';
    if (isSos) device.pressSos();
    const number = (act.act === 'call' && act.number) || buttonOf(device) || (isSos ? nothingDialled : null);
    const canCall = phone && number && (phone.state === 'ready' || (isSos && phone.state !== 'unregistered'));
    if (canCall) await phone.call(number, isSos);
    else if (!isSos && (!phone || phone.state === 'unregistered')) device.pressCall();
  }
  shown(id: string): Shown['phone'] {
    const slot = this.#slots.get(id);
    const number = slot?.device.phoneSettings?.sip.login;
    if (!slot || !number) return null;
    return { number, state: slot.phone?.state ?? 'unregistered', with: slot.phone?.with ?? null, button: buttonOf(slot.device) };
  }
  async close(): Promise<void> {
    await Promise.allSettled([...this.#slots.values()].flatMap(({ phone }) => phone?.close() ?? []));
    await this.#media.shut();
  }
}
const buttonOf = (device: SimulatedDevice): string | null =>
  device.phoneSettings?.additional.button_numbers.find((number) => number !== null) ?? null;
