import { gathered } from './ice.ts';
import type { Agent, Session, SipMessage, Transaction, UserAgentEvents } from './jssip-parts.ts';

/**
 * How an offer inside a call ended. `glare`: the far side offered at the same time (491); `unreachable`: the connection to the
 * server broke; `gone`: the far side no longer knows the call.
 */
export type ReofferOutcome = 'agreed' | 'refused' | 'glare' | 'unreachable' | 'gone';

const glare = 491;
const gone = [408, 481];

/**
 * Hands the first refusal by 491 to us: JsSIP repeats such a request with the sequence number it had and then acknowledges
 * another, which no far side takes. @returns how to stop
 */
function catchGlare(agent: Agent, callId: () => string | undefined, caught: () => void): () => void {
  const watch: UserAgentEvents['newTransaction'] = ({ transaction }) => {
    if (transaction.type !== 'ict' || (callId() !== undefined && transaction.request.call_id !== callId())) return;
    withholdFrom(transaction);
  };
  const withholdFrom = ({ eventHandlers }: Transaction): void => {
    const pass = eventHandlers.onReceiveResponse;
    eventHandlers.onReceiveResponse = (response) => (response.status_code === glare ? caught() : pass(response));
  };
  agent.on('newTransaction', watch);
  return () => void agent.off('newTransaction', watch);
}

type Answer = { outcome: Exclude<ReofferOutcome, 'agreed'> } | { outcome: 'agreed'; sdp: string | null };

/** Sends a re-INVITE; ours, because JsSIP ends the whole call when its own is refused. */
function invite(agent: Agent, session: Session, sdp: string): Promise<Answer> {
  return new Promise((resolve) => {
    let callId: string | undefined;
    const done = (answer: Answer): void => {
      stop();
      resolve(answer);
    };
    const stop = catchGlare(
      agent,
      () => callId,
      () => done({ outcome: 'glare' }),
    );
    const acknowledge = (response: SipMessage): void => {
      // A repeated 200 is acknowledged again.
      session.sendRequest('ACK');
      done({ outcome: 'agreed', sdp: response.body });
    };
    const request = session.sendRequest('INVITE', {
      extraHeaders: [`Contact: ${session.contact}`, 'Content-Type: application/sdp'],
      body: sdp,
      eventHandlers: {
        onSuccessResponse: acknowledge,
        onErrorResponse: ({ status_code: status = 0 }) => done({ outcome: gone.includes(status) ? 'gone' : 'refused' }),
        onDialogError: () => done({ outcome: 'gone' }),
        onRequestTimeout: () => done({ outcome: 'unreachable' }),
        onTransportError: () => done({ outcome: 'unreachable' }),
      },
    });
    callId = request?.call_id;
    if (!request) done({ outcome: 'gone' });
  });
}

/** Takes an offer back; a connection that is closed by now has none. */
const rollBack = (connection: RTCPeerConnection): Promise<void> => connection.setLocalDescription({ type: 'rollback' }).catch(() => {});

/** Offers what the connection's tracks and directions are now; `restart` begins ICE anew. The call stands whatever comes of it. */
export async function reoffer(agent: Agent, session: Session, connection: RTCPeerConnection, restart: boolean): Promise<ReofferOutcome> {
  try {
    const offer = await connection.createOffer({ iceRestart: restart });
    const enough = restart ? gathered(connection) : Promise.resolve();
    await connection.setLocalDescription(offer);
    await enough;
  } catch {
    return 'refused';
  }
  const sdp = connection.localDescription?.sdp;
  if (session.isEnded() || sdp === undefined) return 'gone';
  const answer = await invite(agent, session, sdp);
  if (answer.outcome === 'agreed' && answer.sdp !== null)
    return connection.setRemoteDescription({ type: 'answer', sdp: answer.sdp }).then(
      () => 'agreed',
      () => 'refused',
    );
  await rollBack(connection);
  return answer.outcome === 'agreed' ? 'refused' : answer.outcome;
}
