import type { Page, WebSocketRoute } from 'playwright-core';
import { readServerFrame } from '#models/realtime.ts';

/** What a page's live channel did, as seen from outside. */
export interface WatchedChannel {
  /** Sockets opened so far, with the frames the page sent on each. */
  sockets: { sent: { text: string; at: number }[]; open: boolean }[];
  /** Topics the page asked for on its newest socket. */
  asked: () => string[];
  /** Those of them asked for again before the server had its 5 s to answer. */
  askedInHaste: () => string[];
}

/** A server that has not answered for so long (ms) is asked again; less a little, for the clocks are two. */
const answerTime = 4_800;

/** Watches the channel of a page; begin before it loads. */
export function watchChannel(page: Page): WatchedChannel {
  const sockets: WatchedChannel['sockets'] = [];
  page.on('websocket', (ws) => {
    // The phone has one of its own.
    if (!ws.url().includes('/api/v0/ws')) return;
    const socket = { sent: [] as { text: string; at: number }[], open: true };
    sockets.push(socket);
    ws.on('framesent', ({ payload }) => socket.sent.push({ text: String(payload), at: performance.now() }));
    ws.on('close', () => {
      socket.open = false;
    });
  });
  const asks = () =>
    (sockets.at(-1)?.sent ?? []).flatMap(({ text, at }) => {
      const frame = JSON.parse(text) as { command: string; topic: string };
      return frame.command === 'subscribe' ? [{ topic: frame.topic, at }] : [];
    });
  const asked = () => [...new Set(asks().map(({ topic }) => topic))];
  const askedInHaste = () =>
    asks().flatMap(({ topic, at }, index) =>
      asks().some((before, place) => place < index && before.topic === topic && at - before.at < answerTime) ? [topic] : [],
    );
  return { sockets, asked, askedInHaste };
}

/** The page hears of no changed rows; begin before it loads. What it reads again is then decided by the test alone. */
export async function hideChanges(page: Page): Promise<void> {
  await page.routeWebSocket(/\/api\/v0\/ws/, (ws) => {
    ws.connectToServer().onMessage((frame) => {
      if (readServerFrame(String(frame))?.name !== 'RowsChanged') ws.send(frame);
    });
  });
}

/** Puts the test between page and server: frames go through, and the test may add its own. */
export async function tapChannel(page: Page): Promise<{ sendFrame: (frame: string) => void }> {
  let tapped: WebSocketRoute | undefined;
  await page.routeWebSocket(/\/api\/v0\/ws/, (ws) => {
    tapped = ws;
    ws.connectToServer();
  });
  return {
    sendFrame: (frame) => {
      if (!tapped) throw new Error('the page has opened no channel');
      tapped.send(frame);
    },
  };
}
