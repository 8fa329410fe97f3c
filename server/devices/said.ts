import type { DeviceStatus } from './protocol.ts';

/** A device as events are kept of it. */
export interface Reporter {
  id: string;
  projectId: string;
  name: string;
}
/** An event as a device tells it. */
export type Said = Extract<DeviceStatus, { type: 'event' }>;
