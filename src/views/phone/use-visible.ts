import { useState } from 'react';
import { alertsDesk } from '#machines/phone/line.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import { isLive } from './call-texts.ts';

/** Nobody has answered it yet. */
const waiting: ReadonlySet<CallMirror['status']> = new Set(['new', 'calling', 'paused']);
/** It waits for an answer, or would be lost if nobody saw it any more: this desk talks in it, holds it, or was in it. */
const mustBeSeen = (call: CallMirror): boolean =>
  call.status !== 'destroyed' &&
  (alertsDesk(call) || isLive(call) || call.awaits !== null || call.isMine || call.isRejoin || (call.takenBy === null && waiting.has(call.status)));

/** The calls that are always in sight, and the rest, which the panel lists; one that was in sight says there why it is over. */
export function useVisible(calls: readonly CallMirror[]): { visible: readonly CallMirror[]; rest: readonly CallMirror[] } {
  const [before, setBefore] = useState('');
  const isSeen = (call: CallMirror): boolean => mustBeSeen(call) || (call.status === 'destroyed' && before.includes(call.speechId));
  const visible = calls.filter(isSeen);
  const now = visible.map(({ speechId }) => speechId).join(' ');
  if (now !== before) setBefore(now);
  return { visible, rest: calls.filter((call) => !isSeen(call)) };
}
