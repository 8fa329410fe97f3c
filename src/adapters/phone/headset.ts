import type { HeadsetCommand, HeadsetLights, HeadsetReport } from '#machines/phone/ports.ts';
import { type Hid, type HidDevice, type HidReport, telephony } from './hid.ts';

/** Usages of the HID tables (HID Usage Tables 1.5, sections 14 and 11), each as page and usage in one number. */
const usages = { hook: 0x0b0020, mute: 0x0b002f } as const;
const lights = { talks: 0x080017, isMuted: 0x080009, rings: 0x080018 } as const satisfies Record<keyof HeadsetLights, number>;

/** Where a usage lies in a report: its first bit. */
interface Place {
  reportId: number;
  bit: number;
  /** Of the whole report, in bytes. */
  bytes: number;
}
function placesIn(reports: readonly HidReport[]): Map<number, Place> {
  const places = new Map<number, Place>();
  for (const { reportId = 0, items = [] } of reports) {
    const bits = items.reduce((sum, { reportSize = 0, reportCount = 0 }) => sum + reportSize * reportCount, 0);
    let bit = 0;
    for (const { usages: named = [], isRange = false, usageMinimum = 0, reportSize = 0, reportCount = 0 } of items) {
      for (let index = 0; index < reportCount; index += 1) {
        const usage = isRange ? usageMinimum + index : named[index];
        if (usage !== undefined) places.set(usage, { reportId, bit: bit + index * reportSize, bytes: Math.ceil(bits / 8) });
      }
      bit += reportSize * reportCount;
    }
  }
  return places;
}
const isHeadset = ({ collections }: HidDevice): boolean => collections.some(({ usagePage }) => usagePage === telephony);
const bitOf = (data: DataView, { bit }: Place): boolean => bit >> 3 < data.byteLength && (data.getUint8(bit >> 3) & (1 << (bit & 7))) !== 0;

/** The reports that show how calls stand: a frame for each report in which the device has a light of ours. */
function framesOf({ collections }: HidDevice, shown: HeadsetLights): Map<number, Uint8Array<ArrayBuffer>> {
  const places = placesIn(collections.flatMap(({ outputReports = [] }) => outputReports));
  const frames = new Map<number, Uint8Array<ArrayBuffer>>();
  for (const [name, usage] of Object.entries(lights) as [keyof HeadsetLights, number][]) {
    const place = places.get(usage);
    if (!place) continue;
    const frame = frames.get(place.reportId) ?? new Uint8Array(place.bytes);
    const at = place.bit >> 3;
    if (shown[name]) frame[at] = (frame[at] ?? 0) | (1 << (place.bit & 7));
    frames.set(place.reportId, frame);
  }
  return frames;
}

/** The headset that is plugged in, if there is one. */
class Headset {
  readonly #hid: Hid | undefined;
  readonly #report: (fact: HeadsetReport) => void;
  #device: HidDevice | null = null;
  #shown: HeadsetLights = { rings: false, talks: false, isMuted: false };
  #pressed = { hook: false, mute: false };
  #isOver = false;

  constructor(hid: Hid | undefined, report: (fact: HeadsetReport) => void) {
    this.#hid = hid;
    this.#report = report;
    hid?.addEventListener('connect', this.#look);
    hid?.addEventListener('disconnect', this.#gone);
    this.#look();
  }

  send(command: HeadsetCommand): void {
    if (command.type === 'headset.open') return this.#look();
    this.#shown = command.lights;
    this.#light();
  }
  close(): void {
    this.#isOver = true;
    this.#hid?.removeEventListener('connect', this.#look);
    this.#hid?.removeEventListener('disconnect', this.#gone);
    this.#leave();
  }

  #light(): void {
    const device = this.#device;
    if (!device) return;
    for (const [reportId, frame] of framesOf(device, this.#shown)) void device.sendReport(reportId, frame).catch(() => {});
  }
  readonly #heard = (event: Event): void => {
    const { device: from, reportId, data } = event as Event & { device: HidDevice; reportId: number; data: DataView };
    const places = placesIn(from.collections.flatMap(({ inputReports = [] }) => inputReports));
    const now = { ...this.#pressed };
    for (const button of ['hook', 'mute'] as const) {
      const place = places.get(usages[button]);
      if (place?.reportId === reportId) now[button] = bitOf(data, place);
    }
    const before = this.#pressed;
    this.#pressed = now;
    if (now.hook !== before.hook) this.#report({ type: 'headset.pressed', button: 'hook', on: now.hook });
    // The key of mute is told when it goes down; letting go says nothing.
    if (now.mute && !before.mute) this.#report({ type: 'headset.pressed', button: 'mute', on: true });
  };
  // One that another program holds is not ours to use; the phone works without.
  readonly #look = (): void => void this.#find().catch(() => {});
  async #find(): Promise<void> {
    const found = (await this.#hid?.getDevices().catch(() => []))?.find(isHeadset);
    if (!found || this.#device || this.#isOver) return;
    if (!found.opened) await found.open();
    if (this.#isOver) return void found.close();
    this.#device = found;
    found.addEventListener('inputreport', this.#heard);
    this.#report({ type: 'headset.changed', name: found.productName });
    this.#light();
  }
  readonly #gone = (event: Event): void => {
    if ((event as Event & { device: HidDevice }).device !== this.#device) return;
    this.#leave();
    this.#report({ type: 'headset.changed', name: null });
  };
  #leave(): void {
    this.#device?.removeEventListener('inputreport', this.#heard);
    void this.#device?.close().catch(() => {});
    this.#device = null;
    this.#pressed = { hook: false, mute: false };
  }
}

/** Follows the headset the person has allowed this page to use: its buttons are told, its lights show how calls stand. */
export function openHeadset(hid: Hid | undefined, report: (fact: HeadsetReport) => void) {
  const headset = new Headset(hid, report);
  return { send: (command: HeadsetCommand): void => headset.send(command), close: (): void => headset.close() };
}
