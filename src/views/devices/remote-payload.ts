import { remotePayload } from '#models/devices.ts';

/** What the address of the remote-control page says, as base64url of JSON; nothing secret. */
export const remotePath = (deviceId: string): string =>
  `/devices/remote-control?payload=${btoa(JSON.stringify({ device_id: deviceId }))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')}`;

/** The device that such an address is about; null for an address that somebody made up. */
export function readPayload(payload: string | null): string | null {
  try {
    const result = remotePayload.safeParse(JSON.parse(atob((payload ?? '').replaceAll('-', '+').replaceAll('_', '/'))));
    return result.success ? result.data.device_id : null;
  } catch {
    return null;
  }
}
