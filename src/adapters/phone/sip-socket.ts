import type { Socket } from 'jssip';

/** What JsSIP calls on its socket, and what it sets there to be told. */
export interface SipSocket extends Socket {
  /** Milliseconds on the page's clock at which something was heard last. */
  lastHeard: () => number;
  /** Gives the connection up as lost, as if it had broken by itself. */
  drop: () => void;
}

interface Around {
  open: (url: string) => WebSocket;
  now: () => number;
  /** Told of messages that JsSIP could not read; the connection goes on. */
  warn: (what: string, error: unknown) => void;
}

const lost = 4000;

/**
 * SIP over one WebSocket (RFC 7118) in the shape JsSIP wants. JsSIP's own throws out of the message handler on some malformed
 * messages and cannot be given up from outside while half open; this one survives the first and offers the second.
 */
export function openSipSocket(url: string, { open, now, warn }: Around): SipSocket {
  const { host, protocol } = new URL(url);
  let socket: WebSocket | null = null;
  let heardAt = now();

  const forget = (): void => {
    if (!socket) return;
    socket.onopen = socket.onclose = socket.onmessage = socket.onerror = null;
    socket.close();
    socket = null;
  };
  const heard = ({ data }: MessageEvent): void => {
    heardAt = now();
    try {
      self.ondata(data);
    } catch (error) {
      warn('a SIP message could not be read', error);
    }
  };
  const connect = (): void => {
    forget();
    const opening = open(url);
    opening.binaryType = 'arraybuffer';
    opening.onopen = () => {
      heardAt = now();
      self.onconnect();
    };
    opening.onclose = ({ wasClean, code, reason }) => {
      forget();
      self.ondisconnect(!wasClean, code, reason);
    };
    opening.onmessage = heard;
    // What an error means is told by the close that follows it.
    opening.onerror = null;
    socket = opening;
  };
  const self: SipSocket = {
    via_transport: protocol === 'wss:' ? 'WSS' : 'WS',
    url,
    sip_uri: `sip:${host};transport=ws`,
    connect,
    disconnect: forget,
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(message as string);
      return true;
    },
    isConnected: () => socket?.readyState === WebSocket.OPEN,
    isConnecting: () => socket?.readyState === WebSocket.CONNECTING,
    onconnect: () => {},
    ondisconnect: () => {},
    ondata: () => {},
    lastHeard: () => heardAt,
    drop() {
      if (!socket) return;
      forget();
      self.ondisconnect(true, lost, 'no answer');
    },
  };
  return self;
}
