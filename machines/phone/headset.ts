import type { PhoneCommand } from './commands.ts';
import type { CallMirror } from './mirror.ts';
import type { HeadsetLights, HeadsetPress } from './ports.ts';

/** What a button of the headset means just now: off the hook answers what rings, on the hook ends what is talked, mute mutes it; null: nothing. */
export function headsetCommand(calls: readonly CallMirror[], { button, on }: Pick<HeadsetPress, 'button' | 'on'>): PhoneCommand | null {
  const live = calls.find(({ isBusy }) => isBusy);
  if (button === 'mute') {
    if (!live?.may.includes('call.mute')) return null;
    return { type: 'call.mute', speechId: live.speechId, on: !live.isMuted };
  }
  if (!on) return live?.may.includes('call.hangUp') ? { type: 'call.hangUp', speechId: live.speechId } : null;
  const next = live ? undefined : calls.find(({ isRinging, may }) => isRinging && may.includes('call.accept'));
  return next ? { type: 'call.accept', speechId: next.speechId, video: false } : null;
}

/** What the lights of the headset show. */
export const headsetLights = (calls: readonly CallMirror[]): HeadsetLights => ({
  rings: calls.some(({ isRinging, isSilenced }) => isRinging && !isSilenced),
  talks: calls.some(({ isBusy }) => isBusy),
  isMuted: calls.some(({ isBusy, isMuted }) => isBusy && isMuted),
});
