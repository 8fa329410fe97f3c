import { sipConstants } from '#models/sip.ts';
import type { Agent } from './jssip-parts.ts';
import type { SipSocket } from './sip-socket.ts';

interface Deps {
  agent: Agent;
  socket: SipSocket;
  /** Whom to ask; whatever is answered is a sign of life. */
  target: string;
  now: () => number;
}

/**
 * Asks the server every 15 s for a sign of life and gives the connection up when it has not heard one within 5 s: JsSIP itself does
 * not notice a half-open connection for minutes. @returns how to ask at once, where there is reason for doubt and an answer is waited for
 * no more than 2 s; and how to stop
 */
export function watchConnection({ agent, socket, target, now }: Deps): { ask: () => void; stop: () => void } {
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const ask = (within: number): void => {
    if (!agent.isConnected() || timeout !== undefined) return;
    const askedAt = now();
    const heard = (): void => {
      clearTimeout(timeout);
      timeout = undefined;
    };
    timeout = setTimeout(() => {
      timeout = undefined;
      // Timers of a hidden page come late, messages do not.
      if (socket.lastHeard() <= askedAt) socket.drop();
    }, within);
    agent.sendOptions(target, null, { eventHandlers: { succeeded: heard, failed: heard } });
  };
  const timer = setInterval(() => ask(sipConstants.keepAliveAnswer), sipConstants.keepAlive);
  return {
    ask: () => ask(sipConstants.doubtAnswer),
    stop() {
      clearInterval(timer);
      clearTimeout(timeout);
    },
  };
}
