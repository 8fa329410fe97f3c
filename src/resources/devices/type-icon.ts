import type { DeviceType } from '#models/device-models.ts';

/** The sign of each type of device. */
export const typeIcons: Readonly<Record<DeviceType, `pi-${string}`>> = {
  panel: 'pi-th-large',
  monitor: 'pi-desktop',
  access_controller: 'pi-id-card',
  lift_controller: 'pi-sort-alt',
  ip_camera: 'pi-video',
  barrier: 'pi-car',
};
