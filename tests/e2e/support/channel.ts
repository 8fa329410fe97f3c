import type { Page, WebSocketRoute } from 'playwright-core';

/** What a page's live channel did, as seen from outside. */
export interface WatchedChannel {
  /** Sockets opened so far, with the frames the page sent on each. */
  sockets: { sent: string[]; open: boolean }[];
  /** Topics the page asked for on its newest socket, one entry for each time. */
  asked: () => string[];
}

/** Watches the channel of a page; begin before it loads. */
export function watchChannel(page: Page): WatchedChannel {
  const sockets: WatchedChannel['sockets'] = [];
  page.on('websocket', (ws) => {
    // The phone has one of its own.
    if (!ws.url().includes('/api/v0/ws')) return;
    const socket = { sent: [] as string[], open: true };
    sockets.push(socket);
    ws.on('framesent', ({ payload }) => socket.sent.push(String(payload)));
    ws.on('close', () => {
      socket.open = false;
    });
  });
  const asked = () =>
    (sockets.at(-1)?.sent ?? []).flatMap((text) => {
      const frame = JSON.parse(text) as { command: string; topic: string };
      return frame.command === 'subscribe' ? [frame.topic] : [];
    });
  return { sockets, asked };
}

/** The page hears of no changed rows; begin before it loads. What it reads again is then decided by the test alone. */
export async function hideChanges(page: Page): Promise<void> {
  await page.routeWebSocket(/\/api\/v0\/ws/, (ws) => {
    ws.connectToServer().onMessage((frame) => String(frame).includes('"RowsChanged"') || ws.send(frame));
  });
}

/** Puts the test between page and server: frames go through, and the test may add its own. */
export async function tapChannel(page: Page): Promise<{ tell: (frame: string) => void }> {
  let tapped: WebSocketRoute | undefined;
  await page.routeWebSocket(/\/api\/v0\/ws/, (ws) => {
    tapped = ws;
    ws.connectToServer();
  });
  return {
    tell: (frame) => {
      if (!tapped) throw new Error('the page has opened no channel');
      tapped.send(frame);
    },
  };
}
