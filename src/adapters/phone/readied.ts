import type { Session } from './jssip-parts.ts';

/** A connection made while the phone rings, so that whoever answers is heard at once. No microphone is on it before. */
export interface Readied {
  /** The connection with its answer agreed on; null where it could not be made, or is lost by now. */
  usable: () => Promise<RTCPeerConnection | null>;
  close: () => void;
}

/** The far side checks no paths by itself (RFC 8445 section 2.5): it is a server that anchors calls, not whoever calls. */
const isAnchored = (offer: string): boolean => /^a=ice-lite\s*$/m.test(offer);
const lost: readonly RTCPeerConnectionState[] = ['failed', 'closed', 'disconnected'];

async function agree(connection: RTCPeerConnection, offer: string): Promise<boolean> {
  try {
    await connection.setRemoteDescription({ type: 'offer', sdp: offer });
    for (const line of connection.getTransceivers()) if (line.receiver.track.kind === 'audio') line.direction = 'sendrecv';
    await connection.setLocalDescription(await connection.createAnswer());
    return true;
  } catch {
    return false;
  }
}

/**
 * Readies the connection of a call that rings: path and keys are there when somebody answers. Only towards a server, which has our address
 * anyway: before a call is answered nobody else learns where we are.
 * @returns null where it is not to be done; `over` is told when the connection was closed
 */
export function readyConnection(offer: string | null, make: () => RTCPeerConnection, over: () => void): Readied | null {
  if (offer === null || !isAnchored(offer)) return null;
  const connection = make();
  const agreed = agree(connection, offer);
  return {
    usable: async () => ((await agreed) && !lost.includes(connection.connectionState) ? connection : null),
    close() {
      connection.close();
      over();
    },
  };
}

/** Has the next description of a session made in another way; `usual` is JsSIP's own. */
function describeOnce(session: Session, make: (usual: () => Promise<string>) => Promise<string>): void {
  const describe = session._createLocalDescription.bind(session);
  session._createLocalDescription = (type, constraints) => {
    session._createLocalDescription = describe;
    return make(() => describe(type, constraints));
  };
}

/** Answers with a connection whose answer is agreed on already: JsSIP neither makes one of its own nor describes it anew. */
export function answerWith(session: Session, connection: RTCPeerConnection): void {
  const agreed = connection.localDescription?.sdp ?? '';
  session._createRTCConnection = () => {
    session._connection = connection;
    session.emit('peerconnection', { peerconnection: connection });
  };
  // Only this once: offers that follow are taken as they come.
  connection.setRemoteDescription = () => {
    Reflect.deleteProperty(connection, 'setRemoteDescription');
    return Promise.resolve();
  };
  describeOnce(session, () => Promise.resolve(agreed));
  session.answer({ mediaStream: new MediaStream() });
}

/** Lets the first description of a call go out only when `until` has come to its end; paths are gathered meanwhile. */
export function describeAfter(session: Session, until: Promise<unknown>): void {
  describeOnce(session, async (usual) => (await Promise.all([usual(), until]))[0]);
}
