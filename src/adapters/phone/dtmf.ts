import { filter, fromEvent, startWith, take, takeUntil, timer } from 'rxjs';
import { constants } from '#models/constants.ts';
import type { Session } from './jssip-parts.ts';

const gap = 70;

/** Does something once there is a path to the far side, at once where there is one; not at all where none comes in time. */
function onceConnected(connection: RTCPeerConnection, work: () => void): void {
  fromEvent(connection, 'connectionstatechange')
    .pipe(
      startWith(null),
      filter(() => connection.connectionState === 'connected'),
      take(1),
      takeUntil(timer(constants.dtmfTimeout)),
    )
    .subscribe(work);
}

/**
 * Sends one key for so many ms: as telephone-event in the sound (RFC 4733) where the far side agreed to it, by INFO where it did not.
 * Keys pressed while one sounds follow it, and those pressed before there is a path wait for it: sent into none they would be lost.
 */
export function sendKey(session: Session, tone: string, duration: number): void {
  const { connection } = session;
  const line = connection?.getTransceivers().find(({ receiver }) => receiver.track.kind === 'audio');
  const keys = line?.sender.dtmf;
  if (!connection || !keys?.canInsertDTMF) return session.sendDTMF(tone, { duration, transportType: 'INFO' });
  onceConnected(connection, () => {
    // It may be on hold by now.
    if (keys.canInsertDTMF) keys.insertDTMF(keys.toneBuffer + tone, duration, gap);
  });
}
