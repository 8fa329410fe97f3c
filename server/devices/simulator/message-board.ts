import { z } from 'zod';
import type { ShownMessage } from '#models/simulator.ts';

const asked = z.object({
  announce: z.uuid(),
  title: z.string(),
  text: z.string(),
  until: z.iso.datetime().nullable(),
  picture: z.string().optional(),
});
/** What a screen has room for; the oldest goes first. */
const mostShown = 20;

/** The announcements on the screen of a device, the newest first: each until it is over, or the device is told to take it off. */
export class MessageBoard {
  readonly #shown = new Map<string, { message: ShownMessage; until: number }>();

  /** Answers whether it understood. */
  show(body: unknown): boolean {
    const { data } = asked.safeParse(body);
    if (!data) return false;
    const { announce: id, title, text, until, picture = null } = data;
    this.#shown.delete(id);
    this.#shown.set(id, { message: { id, title, text, picture }, until: until === null ? Number.POSITIVE_INFINITY : Date.parse(until) });
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > mostShown && oldest !== undefined) this.#shown.delete(oldest);
    return true;
  }
  hide({ announce }: { announce?: unknown }): void {
    this.#shown.delete(String(announce));
  }
  shown(now: number): ShownMessage[] {
    return [...this.#shown.values()].flatMap(({ message, until }) => (now < until ? [message] : [])).toReversed();
  }
}
