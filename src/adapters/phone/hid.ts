/** The page of telephony in the HID tables (HID Usage Tables 1.5, section 14). */
export const telephony = 0x0b;

/** The part of WebHID that is used: not every browser has it, and no typings of the platform know it. */
export interface HidItem {
  usages?: readonly number[];
  isRange?: boolean;
  usageMinimum?: number;
  reportSize?: number;
  reportCount?: number;
}
export interface HidReport {
  reportId?: number;
  items?: readonly HidItem[];
}
export interface HidDevice extends EventTarget {
  productName: string;
  opened: boolean;
  collections: readonly { usagePage?: number; inputReports?: readonly HidReport[]; outputReports?: readonly HidReport[] }[];
  open: () => Promise<void>;
  close: () => Promise<void>;
  sendReport: (reportId: number, data: Uint8Array<ArrayBuffer>) => Promise<void>;
}
export interface Hid extends EventTarget {
  getDevices: () => Promise<HidDevice[]>;
  requestDevice: (options: { filters: readonly { usagePage: number }[] }) => Promise<HidDevice[]>;
}

/** Whether headsets can be asked for on this page, and asking: the browser shows its own list, which only a press of the person may open. */
export const openHeadsetAsk = (hid: Hid | undefined, isSecure: boolean): (() => Promise<boolean>) | null =>
  hid && isSecure
    ? () =>
        hid.requestDevice({ filters: [{ usagePage: telephony }] }).then(
          (found) => found.length > 0,
          () => false,
        )
    : null;
