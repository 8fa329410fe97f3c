import type { DeviceCopy } from '#server/access/device-copy.ts';
import type { DeviceInfo, DeviceStatus } from '../protocol.ts';

/** What a simulated device is, and what it was sent before the server began. */
export interface Plan extends DeviceInfo {
  id: string;
  name: string;
  settings: Record<string, unknown>;
  /** What it decides by; null: it lets nobody in. */
  copy: DeviceCopy | null;
  /** What its camera sees, now this and now that: pictures in base64; none where it has no camera. */
  pictures: readonly string[];
}

/** What a device tells the server by itself; that it is there is said by its connection. */
export type Said = Exclude<DeviceStatus, { type: 'online' | 'offline' | 'heartbeat' }>;
export type EventName = Extract<Said, { type: 'event' }>['event'];
