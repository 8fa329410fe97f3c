import type { Session } from './jssip-parts.ts';

const gap = 70;

/**
 * Sends one key for so many ms: as telephone-event in the sound (RFC 4733) where the far side agreed to it, by INFO where it did not.
 * Keys pressed while one sounds follow it.
 */
export function sendKey(session: Session, tone: string, duration: number): void {
  const line = session.connection?.getTransceivers().find(({ receiver }) => receiver.track.kind === 'audio');
  const keys = line?.sender.dtmf;
  if (keys?.canInsertDTMF) keys.insertDTMF(keys.toneBuffer + tone, duration, gap);
  else session.sendDTMF(tone, { duration, transportType: 'INFO' });
}
