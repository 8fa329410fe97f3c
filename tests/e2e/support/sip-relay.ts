import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** What a browser sent, and when, in ms of the process. */
interface Sent {
  text: string;
  at: number;
}
/** The way between phones in browsers and the SIP server, in the hands of a test. */
export interface SipRelay {
  /** A script for a page that makes its phone go this way. */
  script: string;
  sent: Sent[];
  /** Every connection breaks, and nobody gets another. */
  breakOff: () => void;
  /** Nothing passes over the connections there are any more, and none of them ends: half open. Nobody gets another. */
  freeze: () => void;
  /** Connections can be had again; frozen ones stay as they are. */
  mend: () => void;
  close: () => void;
}

const isSession = (text: string): boolean => /^Content-Type: *application\/sdp/im.test(text);

/** A message with its session description changed. */
async function withSession(text: string, change: (sdp: string) => Promise<string>): Promise<string> {
  if (!isSession(text)) return text;
  const at = text.indexOf('\r\n\r\n') + 4;
  const body = await change(text.slice(at));
  return text.slice(0, at).replace(/^Content-Length:.*$/im, `Content-Length: ${Buffer.byteLength(body)}`) + body;
}

/**
 * Opens a way to a SIP server that listens on this machine; `server` is asked for its port with each connection, `through` changes the
 * descriptions of sessions that it sends.
 */
export async function openSipRelay(server: () => number, through: (sdp: string) => Promise<string>): Promise<SipRelay> {
  const sent: Sent[] = [];
  const pairs = new Set<{ here: WebSocket; there: WebSocket; isFrozen: boolean }>();
  let isAway = false;
  const relay = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    handleProtocols: () => 'sip',
    verifyClient: () => !isAway,
  });
  await new Promise((done) => relay.once('listening', done));
  relay.on('connection', (here, { headers }) => {
    const there = new WebSocket(`ws://127.0.0.1:${server()}`, 'sip', { headers: { origin: headers.origin ?? '' } });
    const pair = { here, there, isFrozen: false };
    pairs.add(pair);
    const open = new Promise((done) => there.once('open', done));
    // One message after the other, as they came.
    let [up, down]: Promise<unknown>[] = [open, Promise.resolve()];
    here.on('message', (data) => {
      const text = (data as Buffer).toString();
      sent.push({ text, at: performance.now() });
      up = up?.then(() => pair.isFrozen || there.send(text));
    });
    there.on('message', (data) => {
      down = down?.then(async () => {
        const text = await withSession((data as Buffer).toString(), through);
        if (!pair.isFrozen) here.send(text);
      });
    });
    there.on('error', () => undefined);
    here.on('error', () => undefined);
    for (const [one, other] of [
      [here, there],
      [there, here],
    ] as const)
      one.on('close', () => {
        if (!pair.isFrozen) other.terminate();
        pairs.delete(pair);
      });
  });
  const { port } = relay.address() as AddressInfo;
  return {
    script: `{ const Own = WebSocket; window.WebSocket = class extends Own { constructor(url, protocols) { super(protocols === 'sip' ? 'ws://127.0.0.1:${port}' : url, protocols); } }; }`,
    sent,
    breakOff() {
      isAway = true;
      for (const { here } of pairs) here.terminate();
    },
    freeze() {
      isAway = true;
      for (const pair of pairs) pair.isFrozen = true;
    },
    mend() {
      isAway = false;
    },
    close() {
      for (const { here, there } of pairs) {
        here.terminate();
        there.terminate();
      }
      relay.close();
    },
  };
}
