import { sipConstants } from '#models/sip.ts';
import type { Agent } from './jssip-parts.ts';
import type { SipSocket } from './sip-socket.ts';

interface Around {
  agent: Agent;
  socket: SipSocket;
  /** Whom to ask; whatever is answered is a sign of life. */
  target: string;
  now: () => number;
}

/**
 * Asks the server every 15 s for a sign of life and gives the connection up when it has not heard one within 5 s: JsSIP itself does
 * not notice a half-open connection for minutes. @returns how to ask at once, and how to stop
 */
export function watchConnection({ agent, socket, target, now }: Around): { ask: () => void; stop: () => void } {
  let patience: ReturnType<typeof setTimeout> | undefined;
  const ask = (): void => {
    if (!agent.isConnected() || patience !== undefined) return;
    const askedAt = now();
    const heard = (): void => {
      clearTimeout(patience);
      patience = undefined;
    };
    patience = setTimeout(() => {
      patience = undefined;
      // Timers of a hidden page come late, messages do not.
      if (socket.lastHeard() <= askedAt) socket.drop();
    }, sipConstants.keepAliveAnswer);
    agent.sendOptions(target, null, { eventHandlers: { succeeded: heard, failed: heard } });
  };
  const timer = setInterval(ask, sipConstants.keepAlive);
  return {
    ask,
    stop() {
      clearInterval(timer);
      clearTimeout(patience);
    },
  };
}
