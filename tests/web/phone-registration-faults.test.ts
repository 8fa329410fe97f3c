import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor, fromCallback } from 'xstate';
import { registrationMachine } from '#machines/phone/registration.machine.ts';
import type { UserAgentCommand, UserAgentReport } from '#machines/phone/ports.ts';
import { createAgent } from '#src/adapters/phone/jssip.ts';
import type { SipSocket } from '#src/adapters/phone/sip-socket.ts';
import { openUserAgent } from '#src/adapters/phone/user-agent.ts';
import { silent } from '#tests/support/streams.ts';

const header = (text: string, name: string): string => new RegExp(`^${name}: *(.*)$`, 'im').exec(text)?.[1]?.trim() ?? '';
const challenge = 'WWW-Authenticate: Digest realm="desk.example", nonce="4f1c", algorithm=MD5, qop="auth"';

/** A SIP server of one socket: asks who registers, then answers with a status; `REGISTER`s are kept by when they came, ms. */
function scriptedServer(statusOf: () => number) {
  const registers: { at: number; proven: boolean }[] = [];
  let isOpen = false;
  const answer = (text: string): void => {
    if (!text.startsWith('REGISTER ')) return;
    const proven = header(text, 'Authorization') !== '';
    registers.push({ at: Date.now(), proven });
    const status = proven ? statusOf() : 401;
    const lines = [
      `SIP/2.0 ${status} Word`,
      `Via: ${header(text, 'Via')}`,
      `From: ${header(text, 'From')}`,
      `To: ${header(text, 'To')};tag=s`,
      `Call-ID: ${header(text, 'Call-ID')}`,
      `CSeq: ${header(text, 'CSeq')}`,
      ...(proven ? [] : [challenge]),
      ...(status === 200 ? [`Contact: ${header(text, 'Contact')}`] : []),
      'Content-Length: 0',
    ];
    queueMicrotask(() => self.ondata(`${lines.join('\r\n')}\r\n\r\n`));
  };
  const self: SipSocket = {
    via_transport: 'WSS',
    url: 'wss://desk.example:8443',
    sip_uri: 'sip:desk.example:8443;transport=ws',
    connect: () =>
      queueMicrotask(() => {
        isOpen = true;
        self.onconnect();
      }),
    disconnect: () => (isOpen = false),
    send(message) {
      if (typeof message === 'string') answer(message);
      return isOpen;
    },
    isConnected: () => isOpen,
    isConnecting: () => false,
    onconnect: () => {},
    ondisconnect: () => {},
    ondata: () => {},
    lastHeard: () => Date.now(),
    drop() {
      isOpen = false;
      self.ondisconnect(true, 4000, 'lost');
    },
  };
  return { socket: self, registers };
}

/** The registration of 1001 as it is composed in a page, before a server of the test. `chance`: 0 to 1, of each pause. */
function atDesk(statusOf: () => number, chance = 0.5) {
  const { socket, registers } = scriptedServer(statusOf);
  const world = {
    settings: () =>
      Promise.resolve({ sip: { host: null, port: 8443, secure: true, realm: null }, nodes: [], ice_servers: [], queues: [], recall_seconds: 60 }),
    secret: { of: () => ({ name: 'Front desk', password: 'Sip-Secret' }) },
    host: 'desk.example',
    createAgent,
    createSocket: () => socket,
    createConnection: () => {
      throw new Error('nobody calls here');
    },
    page: new EventTarget() as unknown as Window,
    now: () => Date.now(),
    chance: () => chance,
    freshId: () => crypto.randomUUID(),
    warn: () => {},
  };
  const userAgent = fromCallback<UserAgentCommand, { number: string }>(({ input, sendBack, receive }) => {
    const ua = openUserAgent(world, input.number, (fact: UserAgentReport) => sendBack(fact));
    receive(ua.obey);
    return ua.close;
  });
  const actor = createActor(registrationMachine.provide({ actors: { userAgent: userAgent as never, wakeups: silent() } }), {
    input: { number: '1001' },
  });
  actor.start();
  return { actor, registers, socket, is: (state: string) => actor.getSnapshot().hasTag(state as never) };
}
beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe('a registration that fails', () => {
  it.each([0, 0.5, 1])('by 503 is tried again every 5 s, 10 %% more or less, once each time, until it succeeds (D3)', async (chance) => {
    let status = 503;
    const desk = atDesk(() => status, chance);
    await pass(100);
    expect(desk.is('error')).toBe(true);
    await pass(26_000);
    const tries = desk.registers.filter(({ proven }) => proven).map(({ at }) => at);
    const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(pauses.length).toBeGreaterThanOrEqual(4);
    for (const ms of pauses) expect(Math.abs(ms - 5_000)).toBeLessThanOrEqual(505);
    status = 200;
    await pass(5_600);
    expect(desk.is('registered')).toBe(true);
    const many = desk.registers.length;
    await pass(60_000);
    expect(desk.registers).toHaveLength(many);
  });

  it('by a wrong password is shown at once and tried again after 30 s, with two messages (D3, D4)', async () => {
    const desk = atDesk(() => 403);
    await pass(1_000);
    expect(desk.is('invalid_registration')).toBe(true);
    expect(desk.registers.map(({ proven }) => proven)).toEqual([false, true]);
    await pass(26_000);
    expect(desk.registers).toHaveLength(2);
    await pass(6_000);
    expect(desk.registers).toHaveLength(4);
    const [, first, , second] = desk.registers.map(({ at }) => at);
    expect(Math.abs((second ?? 0) - (first ?? 0) - 30_000)).toBeLessThanOrEqual(3_000);
  });

  it('is not tried again by who has gone off duty (D3)', async () => {
    const desk = atDesk(() => 503);
    await pass(100);
    desk.actor.send({ type: 'phone.unregister' });
    await pass(5_000);
    const many = desk.registers.length;
    await pass(60_000);
    expect([desk.is('unregistered'), desk.registers.length]).toEqual([true, many]);
  });

  it('or is lost is tried again after 5 s; at once where the network has just changed (D1, D2)', async () => {
    const desk = atDesk(() => 200);
    await pass(100);
    expect(desk.is('registered')).toBe(true);
    desk.socket.drop();
    expect(desk.is('error')).toBe(true);
    await pass(5_600);
    expect(desk.is('registered')).toBe(true);
    desk.actor.send({ type: 'link.nudged' });
    desk.socket.drop();
    await pass(10);
    expect(desk.is('registered')).toBe(true);
  });
});
