import { z } from 'zod';
import type { PlayedAlert } from '#models/simulator.ts';

const asked = z.object({
  alert: z.uuid(),
  name: z.string(),
  message: z.string(),
  is_drill: z.boolean(),
  seconds: z.number().positive(),
  sound: z.string().nullable(),
});

/** The screen and loudspeaker of a device in an emergency: the last alert it was told to play, for as long as it was told to. */
export class AlertScreen {
  #playing: { alert: PlayedAlert; until: number } | null = null;

  /** Answers whether it understood. */
  play(body: unknown, now: number): boolean {
    const { data } = asked.safeParse(body);
    if (!data) return false;
    const { alert: id, name, message, is_drill, sound, seconds } = data;
    this.#playing = { alert: { id, name, message, is_drill, has_sound: sound !== null }, until: now + seconds * 1_000 };
    return true;
  }
  stop({ alert }: { alert?: unknown }): void {
    if (this.#playing?.alert.id === alert) this.#playing = null;
  }
  shown(now: number): PlayedAlert | null {
    return this.#playing && now < this.#playing.until ? this.#playing.alert : null;
  }
}
