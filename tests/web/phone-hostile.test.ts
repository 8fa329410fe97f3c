import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAgent } from '#src/adapters/phone/jssip.ts';
import { openSipSocket } from '#src/adapters/phone/sip-socket.ts';
import { makeRandom, mutate } from '#tests/server/sip-mutations.ts';
import { torture } from '#tests/server/sip-messages.ts';
import { isFull } from '#tests/support/extent.ts';

const count = isFull ? 20_000 : 2_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A WebSocket whose other end is this test. */
function openWire() {
  const sent: string[] = [];
  const wire = {
    binaryType: '',
    readyState: WebSocket.OPEN as number,
    send: (text: string) => void sent.push(text),
    close: () => {},
    onopen: null as ((event: object) => void) | null,
    onmessage: null as ((event: { data: string }) => void) | null,
  };
  return { sent, wire, hear: (data: string): void => wire.onmessage?.({ data }) };
}

const question = (at: number): string =>
  [
    'OPTIONS sip:1001@desk.example SIP/2.0',
    `Via: SIP/2.0/WSS desk.example;branch=z9hG4bKasked${at}`,
    'Max-Forwards: 70',
    'From: <sip:desk@desk.example>;tag=asked',
    'To: <sip:1001@desk.example>',
    `Call-ID: asked-${at}`,
    `CSeq: ${at} OPTIONS`,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');

it(`${count} spoilt messages of a server leave JsSIP able to answer the next good one (D50)`, () => {
  const { sent, wire, hear } = openWire();
  const warnings: unknown[] = [];
  const socket = openSipSocket('wss://desk.example:8443', {
    open: () => wire as unknown as WebSocket,
    now: Date.now,
    warn: (...what) => void warnings.push(what),
  });
  const agent = createAgent({ socket, uri: 'sip:1001@desk.example', name: 'Desk', password: 'Sip-Secret', registerSeconds: 600 });
  agent.start();
  wire.onopen?.({});
  const random = makeRandom(4475);
  for (let at = 0; at < count; at += 1) {
    hear(mutate(torture[at % torture.length]?.[1] ?? '', random));
    if (at % 100 !== 99) continue;
    hear(question(at));
    expect(sent.some((text) => text.startsWith('SIP/2.0 200 ') && text.includes(`Call-ID: asked-${at}`))).toBe(true);
    expect(agent.isConnected()).toBe(true);
    sent.length = 0;
    vi.advanceTimersByTime(40_000);
  }
  // It is known to throw on some of them: they are told of, and nothing else comes of it.
  expect(warnings.length).toBeGreaterThan(0);
  agent.stop();
});
