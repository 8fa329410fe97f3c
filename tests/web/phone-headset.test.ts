import { afterEach, describe, expect, it } from 'vitest';
import { openHeadset } from '#src/adapters/phone/headset.ts';
import { type Hid, type HidDevice, openHeadsetAsk } from '#src/adapters/phone/hid.ts';
import type { HeadsetReport } from '#machines/phone/ports.ts';
import { settled } from '#tests/support/ports.ts';

/** A headset whose report 2 has hook (bit 0), a line of padding and mute (bit 3), and whose lights are in report 5: mute, off hook, ring. */
class FakeHeadset extends EventTarget {
  productName = 'Voyager';
  opened = false;
  sent: [number, number[]][] = [];
  collections = [
    {
      usagePage: 0x0b,
      inputReports: [
        {
          reportId: 2,
          items: [
            { usages: [0x0b0020], reportSize: 1, reportCount: 1 },
            { usages: [], reportSize: 2, reportCount: 1 },
            { usages: [0x0b002f], reportSize: 1, reportCount: 1 },
          ],
        },
      ],
      outputReports: [{ reportId: 5, items: [{ usages: [0x080009, 0x080017, 0x080018], reportSize: 1, reportCount: 3 }] }],
    },
  ];
  open = async (): Promise<void> => void (this.opened = true);
  close = async (): Promise<void> => void (this.opened = false);
  sendReport = async (reportId: number, data: Uint8Array): Promise<void> => void this.sent.push([reportId, [...data]]);
  press(byte: number, reportId = 2): void {
    this.dispatchEvent(Object.assign(new Event('inputreport'), { device: this, reportId, data: new DataView(Uint8Array.of(byte).buffer) }));
  }
}
class FakeHid extends EventTarget {
  devices: HidDevice[] = [];
  asked: unknown[] = [];
  getDevices = async (): Promise<HidDevice[]> => this.devices;
  requestDevice = async (options: unknown): Promise<HidDevice[]> => {
    this.asked.push(options);
    return this.devices;
  };
}
let close: (() => void) | undefined;
afterEach(() => close?.());

async function worn({ mouse = false } = {}) {
  const [hid, headset] = [new FakeHid(), new FakeHeadset()];
  const other = Object.assign(new FakeHeadset(), { productName: 'Mouse', collections: [{ usagePage: 1 }] });
  hid.devices = [other, ...(mouse ? [] : [headset])] as unknown as HidDevice[];
  const reports: HeadsetReport[] = [];
  const opened = openHeadset(hid as unknown as Hid, (fact) => reports.push(fact));
  close = opened.close;
  await settled();
  return { hid, headset, other, reports, ...opened };
}

describe('a headset (HID usage page 0x0B)', () => {
  it('that the page may use is opened; other devices are left alone', async () => {
    const { headset, other, reports } = await worn();
    expect([headset.opened, other.opened, reports]).toEqual([true, false, [{ type: 'headset.changed', name: 'Voyager' }]]);
  });
  it('tells of its hook both ways and of mute once a press, by the places its own description names', async () => {
    const { headset, reports } = await worn();
    for (const byte of [0b0001, 0b0001, 0b1001, 0b0001, 0b1001, 0b0000]) headset.press(byte);
    headset.press(0b1111, 7);
    expect(reports.slice(1).map((fact) => (fact.type === 'headset.pressed' ? `${fact.button} ${fact.on}` : fact.type))).toEqual([
      'hook true',
      'mute true',
      'mute true',
      'hook false',
    ]);
  });
  it('shows by its lights that it rings, that one talks, that one is muted', async () => {
    const { headset, send } = await worn();
    send({ type: 'headset.show', lights: { rings: true, talks: false, isMuted: false } });
    send({ type: 'headset.show', lights: { rings: false, talks: true, isMuted: true } });
    expect(headset.sent).toEqual([
      [5, [0b000]],
      [5, [0b100]],
      [5, [0b011]],
    ]);
  });
  it('is found when it is allowed later, forgotten when it is unplugged, and let go in the end', async () => {
    const { hid, headset, reports, send, close: end } = await worn({ mouse: true });
    expect(reports).toEqual([]);
    hid.devices = [headset as unknown as HidDevice];
    send({ type: 'headset.open' });
    await settled();
    hid.dispatchEvent(Object.assign(new Event('disconnect'), { device: headset }));
    headset.press(1);
    expect(reports.map((fact) => ('name' in fact ? fact.name : fact.type))).toEqual(['Voyager', null]);
    send({ type: 'headset.open' });
    await settled();
    end();
    expect(headset.opened).toBe(false);
  });
  it('is asked for only on a secure page of a browser that knows headsets', async () => {
    const hid = new FakeHid();
    expect([openHeadsetAsk(undefined, true), openHeadsetAsk(hid as unknown as Hid, false)]).toEqual([null, null]);
    expect(await openHeadsetAsk(hid as unknown as Hid, true)?.()).toBe(false);
    expect(hid.asked).toEqual([{ filters: [{ usagePage: 0x0b }] }]);
  });
});
