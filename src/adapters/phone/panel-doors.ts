import type { DoorOutcome } from '#machines/phone/ports.ts';
import type { DeviceEvent } from '#models/device-events.ts';
import type { ConciergeDevice } from '#models/devices.ts';
import { emptyQuery, writeQuery } from '#models/query.ts';
import type { Http } from '../http.ts';

/** How often, and how long, one looks, and how far the clocks of desk and panel may be apart; ms. */
const look = { step: 400, most: 4_800, apart: 3_000 };
const pause = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

/** Looks whether panels say that their door was opened from afar: their own events, for those who may read them. */
export function openPanelDoors(http: Http, now: () => number) {
  const panelWith = async (number: string): Promise<string | null> => {
    const devices = await http.data<ConciergeDevice[]>({ method: 'GET', path: '/concierge-devices' });
    return devices.find(({ sip_number: sip }) => sip?.number === number)?.id ?? null;
  };
  /** The moment of the last opening, ms since 1970; 0 where there was none. */
  const lastOpening = async (device: string): Promise<number> => {
    const query = writeQuery({
      ...emptyQuery,
      size: 10,
      sort: ['-occurred_at'],
      filters: {
        match: 'match_all',
        items: [
          { field: 'device', rule: 'equals', value: device },
          { field: 'type', rule: 'equals', value: 'opened_remotely' },
        ],
      },
    });
    const [event] = await http.data<DeviceEvent[]>({ method: 'GET', path: '/device-events', query });
    return event ? Date.parse(event.occurred_at) : 0;
  };
  const watch = async (number: string): Promise<DoorOutcome> => {
    const asked = now();
    const device = await panelWith(number);
    if (device === null) return 'unconfirmed';
    const before = await lastOpening(device);
    if (before >= asked - look.apart) return 'confirmed';
    while (now() - asked < look.most) {
      await pause(look.step);
      if ((await lastOpening(device)) > before) return 'confirmed';
    }
    return 'unconfirmed';
  };
  /** Whether the panel with this number has told of an opened door; not knowing is not a failure. */
  return async ({ number }: { number: string }): Promise<{ outcome: DoorOutcome }> => ({
    outcome: await watch(number).catch((): DoorOutcome => 'unconfirmed'),
  });
}
