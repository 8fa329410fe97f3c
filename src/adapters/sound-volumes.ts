import type { RingTone } from '#machines/phone/types.ts';
import { type Remembered, remembered } from './followed.ts';
import type { KeyValueStore } from './storage.ts';

/** What sounds at this desk and has a volume of its own; alarms and emergency alerts are always as loud as they can be. */
export const volumeKinds = ['sos', 'call', 'waiting', 'notice'] as const satisfies readonly (RingTone | 'notice')[];
/** How loud each kind of sound is, 0 to 1. */
export type SoundVolumes = Readonly<Record<(typeof volumeKinds)[number], number>>;

const full: SoundVolumes = { sos: 1, call: 0.8, waiting: 0.6, notice: 1 };
/** An SOS call is never silent. */
const least: SoundVolumes = { sos: 0.3, call: 0, waiting: 0, notice: 0 };

/** Reads volumes as they were stored. */
export function asVolumes(stored: unknown): SoundVolumes {
  const held = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<Record<string, unknown>>;
  const level = (kind: keyof SoundVolumes): number => {
    const value = held[kind];
    return typeof value === 'number' && value >= 0 && value <= 1 ? Math.max(least[kind], value) : full[kind];
  };
  return { sos: level('sos'), call: level('call'), waiting: level('waiting'), notice: level('notice') };
}

const key = 'ringVolumes';
/** Volumes as this device remembers them; a change in one tab is heard in all, for only one of them rings. */
export function openVolumes(storage: KeyValueStore, page: Pick<Window, 'addEventListener'>): Remembered<SoundVolumes> {
  const storedVolumes = remembered(storage, key, asVolumes);
  page.addEventListener('storage', (event) => {
    if (event.key?.endsWith(key)) storedVolumes.set(asVolumes(storage.read(key)));
  });
  return { ...storedVolumes, set: (next) => storedVolumes.set(asVolumes(next)) };
}
