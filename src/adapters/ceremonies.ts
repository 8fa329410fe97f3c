import type { Call } from '#models/define-call.ts';
import { performPasskey } from './passkeys.ts';
import { lookAtPush, subscribeToPush } from './push.ts';

/** Hands what the server answered to the part of the browser that goes on with it. */
export function performCeremony(kind: NonNullable<Call['ceremony']>, answer: unknown): Promise<unknown> {
  if (kind === 'look') return lookAtPush(answer as { endpoint: string | null });
  return kind === 'subscribe' ? subscribeToPush(answer as { public_key: string }) : performPasskey(kind, answer);
}
