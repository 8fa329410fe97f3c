import { setTimeout as pause } from 'node:timers/promises';
import { inTime } from '#tests/support/in-time.ts';
import type { MediaEvent, MediaPort } from '#server/telephony/media/port.ts';

/** Waits until something is so. @throws Error when it is not after `ms` */
export async function until(isSo: () => boolean, ms = inTime(8_000)): Promise<void> {
  const end = performance.now() + ms;
  while (!isSo()) {
    if (performance.now() > end) throw new Error('it did not come to be in time');
    await pause(20);
  }
}

/** What a port has told so far. */
export function heardFrom(port: MediaPort): { all: MediaEvent[]; of: (leg: string, type: MediaEvent['type']) => MediaEvent[] } {
  const all: MediaEvent[] = [];
  port.listen((event) => all.push(event));
  return { all, of: (leg, type) => all.filter((event) => event.leg === leg && event.type === type) };
}

/** A far side calls: its offer to the server, the server's answer back. */
export async function callIn(
  server: MediaPort,
  leg: string,
  far: MediaPort,
  farLeg: string,
  wants: { video: boolean; kind: 'webrtc' | 'rtp' },
): Promise<void> {
  const offer = await far.offer(farLeg, { ...wants, checks: true });
  await far.accept(farLeg, await server.answer(leg, offer));
}
/** The server calls a far side. */
export async function callOut(
  server: MediaPort,
  leg: string,
  far: MediaPort,
  farLeg: string,
  wants: { video: boolean; kind: 'webrtc' | 'rtp' },
  toward?: string,
): Promise<void> {
  const offer = await server.offer(leg, wants, toward);
  await server.accept(leg, await far.answer(farLeg, offer));
}
