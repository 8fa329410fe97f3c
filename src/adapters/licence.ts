import type { ClosedReminders } from '#machines/licence/licence-reminders.ts';
import type { LicenceStatusReport } from '#models/licences.ts';
import { secondsIn } from '#models/time.ts';
import type { Http } from './http.ts';
import type { KeyValueStore } from './storage.ts';

/** Reminders about licences that a person has closed on this device. */
export interface ClosedStore {
  read: () => ClosedReminders;
  store: (closed: { topic: string; at: number }) => void;
}

const forgottenAfter = secondsIn(400, 'day');
const asClosed = (stored: unknown): ClosedReminders =>
  Object.fromEntries(
    Object.entries((stored ?? {}) as Record<string, unknown>).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );

/** Opens what is kept of closed reminders, for each person by themselves; what is long past is let go. */
export function openClosed(storage: KeyValueStore, person: () => string | null): ClosedStore {
  const key = (): string => `closedReminders.${person() ?? ''}`;
  const read = (): ClosedReminders => asClosed(storage.read(key()));
  return {
    read,
    store: ({ topic, at }) => {
      const recent = Object.entries(read()).filter(([, closedAt]) => closedAt > at - forgottenAfter);
      storage.write(key(), { ...Object.fromEntries(recent), [topic]: at });
    },
  };
}

/** Opens the port that reads what runs out, beside what the person has closed. */
export const openLicenceStatus =
  (http: Http, closed: ClosedStore) =>
  async (signal: AbortSignal): Promise<{ licenceStatus: LicenceStatusReport; closed: ClosedReminders }> => ({
    licenceStatus: await http.data<LicenceStatusReport>({ method: 'GET', path: '/licenses/outlook', signal }),
    closed: closed.read(),
  });
