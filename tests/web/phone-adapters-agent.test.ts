import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserAgentReport } from '#machines/phone/ports.ts';
import type { PhoneSettings } from '#models/phone-calls.ts';
import { sosOf } from '#src/adapters/phone/incoming.ts';
import type { SipSocket } from '#src/adapters/phone/sip-socket.ts';
import { openUserAgent } from '#src/adapters/phone/user-agent.ts';
import { FakeConnection, fakeAgent, message } from './support/fake-line.ts';

const settings: PhoneSettings = {
  sip: { host: null, port: 8443, secure: true, realm: null },
  nodes: [],
  ice_servers: [],
  queues: [],
  recall_seconds: 60,
};
const speechId = '5b0c0a6e-7a3f-4f5e-9a51-3f2f0e8f1d11';

function open({ host = 'desk.example', found = settings as PhoneSettings | null, password = 'Sip-Secret' as string | null } = {}) {
  const fake = fakeAgent();
  const page = new EventTarget();
  const reports: UserAgentReport[] = [];
  const warnings: unknown[] = [];
  const urls: string[] = [];
  const connections: FakeConnection[] = [];
  const socket = { heardAt: 0, drop: vi.fn<() => void>(fake.lose) };
  const agent = openUserAgent(
    {
      settings: () => (found ? Promise.resolve(found) : Promise.reject(new Error('no'))),
      secret: { of: () => (password === null ? null : { name: 'Front desk', password }) },
      host,
      createAgent: fake.create,
      createSocket: (url, others) => {
        urls.push(url, ...others);
        return { lastHeard: () => socket.heardAt, drop: socket.drop } as unknown as SipSocket;
      },
      createConnection: () => {
        const made = new FakeConnection();
        made.addTransceiver('audio', { direction: 'recvonly' });
        connections.push(made);
        return made as unknown as RTCPeerConnection;
      },
      page: page as unknown as Window,
      now: () => Date.now(),
      chance: () => 0.5,
      freshId: () => crypto.randomUUID(),
      warn: (...what) => void warnings.push(what),
    },
    '1001',
    (fact) => void reports.push(fact),
  );
  const register = async (): Promise<void> => {
    agent.obey({ type: 'sip.register' });
    await vi.advanceTimersByTimeAsync(0);
  };
  const onDuty = async (): Promise<void> => {
    await register();
    fake.connect();
    fake.registered();
    reports.length = 0;
  };
  return { ...fake, ua: agent, page, reports, warnings, urls, connections, socket, register, onDuty };
}
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('registering', () => {
  it('SIP-01, SIP-02: over secure WebSocket to port 8443, by number, name and password', async () => {
    const { register, urls, setups } = open();
    await register();
    expect(urls).toEqual(['wss://desk.example:8443']);
    expect(setups[0]).toMatchObject({ uri: 'sip:1001@desk.example', name: 'Front desk', password: 'Sip-Secret', registerSeconds: 600 });
  });
  it.each([
    [{ host: null, port: 9000, secure: false }, '127.0.0.1', 'ws://127.0.0.1:9000'],
    [{ host: 'sip.example', port: 8443, secure: true }, 'desk.example', 'wss://sip.example:8443'],
    [{ host: '::1', port: 8443, secure: false }, 'desk.example', 'ws://[::1]:8443'],
  ])('goes where the settings say: %j', async (sip, host, url) => {
    const { register, urls } = open({ host, found: { ...settings, sip: { realm: null, ...sip } } });
    await register();
    expect(urls).toEqual([url]);
  });
  it('knows where else to try while the server cannot be reached', async () => {
    const { register, urls } = open({ found: { ...settings, nodes: ['sip2.example.org:8443'] } });
    await register();
    expect(urls).toEqual(['wss://desk.example:8443', 'wss://sip2.example.org:8443']);
  });
  it('is a number of the realm that another server names', async () => {
    const { register, urls, setups } = open({ found: { ...settings, sip: { host: 'edge.example', port: 443, secure: true, realm: 'pbx.example' } } });
    await register();
    expect([urls, setups.map(({ uri }) => uri)]).toEqual([['wss://edge.example:443'], ['sip:1001@pbx.example']]);
  });
  it('registers with every connection, once each time', async () => {
    const { register, connect, registered, agent, reports, lose } = open();
    await register();
    expect([agent.start.mock.calls.length, agent.register.mock.calls.length]).toEqual([1, 0]);
    connect();
    registered();
    expect(agent.register).toHaveBeenCalledTimes(1);
    lose();
    await register();
    expect(agent.transport.connect).toHaveBeenCalledTimes(1);
    connect();
    expect(agent.register).toHaveBeenCalledTimes(2);
    expect(reports.map(({ type }) => type)).toEqual(['sip.registered', 'sip.failed']);
  });
  it('is no longer asked for twice while it begins', async () => {
    const { ua, setups } = open();
    ua.obey({ type: 'sip.register' });
    ua.obey({ type: 'sip.register' });
    await vi.advanceTimersByTimeAsync(0);
    expect(setups).toHaveLength(1);
  });
  it.each([
    [401, true],
    [403, true],
    [404, true],
    [503, false],
    [500, false],
  ])('%i is invalid: %s (SIP-11)', async (status, isInvalid) => {
    const { register, connect, emit, reports } = open();
    await register();
    connect();
    emit('registrationFailed', { response: message({}, { status_code: status }), cause: 'x' });
    expect(reports).toEqual([{ type: 'sip.failed', invalid: isInvalid, chance: 0.5 }]);
  });
  it('fails once where the connection is lost in the middle of it', async () => {
    const { register, connect, emit, lose, reports } = open();
    await register();
    connect();
    lose();
    emit('registrationFailed', { response: null, cause: 'Connection Error' });
    emit('unregistered', {});
    expect(reports).toEqual([{ type: 'sip.failed', invalid: false, chance: 0.5 }]);
  });
  it('fails without a password, and without settings', async () => {
    const [nobody, nowhere] = [open({ password: null }), open({ found: null })];
    await nobody.register();
    await nowhere.register();
    expect([nobody.reports, nowhere.reports]).toMatchObject([[{ invalid: false }], [{ invalid: false }]]);
  });
  it('unregisters, and says so also where there is nothing to unregister', async () => {
    const { onDuty, ua, agent, emit, reports } = open();
    await onDuty();
    ua.obey({ type: 'sip.unregister' });
    expect(agent.unregister).toHaveBeenCalledOnce();
    emit('unregistered', {});
    expect(reports).toEqual([{ type: 'sip.unregistered' }]);
    const other = open();
    other.ua.obey({ type: 'sip.unregister' });
    expect(other.reports).toEqual([{ type: 'sip.unregistered' }]);
  });
});

describe('a half-open connection (D2, F1)', () => {
  it('is given up 20 s after it fell silent', async () => {
    const { onDuty, agent, socket, reports } = open();
    await onDuty();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(agent.sendOptions).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(4_900);
    expect(reports).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(socket.drop).toHaveBeenCalledOnce();
    expect(reports).toMatchObject([{ type: 'sip.failed', invalid: false }]);
  });
  it('is kept when the answer, or anything else, comes', async () => {
    const { onDuty, asked, socket, agent } = open();
    await onDuty();
    await vi.advanceTimersByTimeAsync(15_000);
    asked[0]?.();
    await vi.advanceTimersByTimeAsync(15_000);
    socket.heardAt = Date.now() + 1;
    await vi.advanceTimersByTimeAsync(14_000);
    expect(agent.sendOptions).toHaveBeenCalledTimes(2);
    expect(socket.drop).not.toHaveBeenCalled();
  });
  it('is looked for at once when the machine asks, and given up after 2 s', async () => {
    const { onDuty, ua, agent, socket } = open();
    await onDuty();
    ua.obey({ type: 'sip.probe' });
    expect(agent.sendOptions).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1_900);
    expect(socket.drop).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(100);
    expect(socket.drop).toHaveBeenCalledOnce();
  });
});

describe('a call that comes in', () => {
  it('SIP-06: is told with all that its headers say', async () => {
    const { onDuty, incoming, reports } = open();
    await onDuty();
    incoming(
      message(
        { 'X-Speech-Id': speechId.toUpperCase(), 'X-Speech-Type': 'awaiting', 'X-Target-Callee': '700', 'X-SOS-Call': '1' },
        { body: 'v=0\r\nm=audio 9 RTP/AVP 0\r\nm=video 9 RTP/AVP 96\r\na=sendonly\r\n' },
      ),
      'Entrance 1',
    );
    expect(reports).toMatchObject([
      { type: 'sip.incoming', call: { speechId, number: '2001', name: 'Entrance 1', callee: '700', type: 'awaiting', sos: 'yes', video: true } },
    ]);
  });
  it('gets a speech id where the server sends none, and is plain where it says nothing', async () => {
    const { onDuty, incoming, reports } = open();
    await onDuty();
    incoming(message({ To: '<sip:1001@desk.example>' }, { body: 'm=audio 9 RTP/AVP 0\r\nm=video 0 RTP/AVP 96\r\n' }));
    const [fact] = reports;
    expect(fact).toMatchObject({ call: { name: null, callee: '1001', type: 'normal', sos: 'no', video: false } });
    expect(fact?.type === 'sip.incoming' && fact.call.speechId).toMatch(/^[\da-f-]{36}$/);
  });
  it('SIP-07: an SOS header that cannot be read is only logged; the call is marked as unclear (D41)', () => {
    const logged: unknown[] = [];
    const warn = (...what: unknown[]): void => void logged.push(what);
    expect([undefined, '0', ' 1 ', 'true'].map((value) => sosOf({ getHeader: () => value }, warn))).toEqual(['no', 'no', 'yes', 'yes']);
    expect(logged).toEqual([]);
    const throwing = {
      getHeader: (): string => {
        throw new Error('unreadable');
      },
    };
    expect([sosOf({ getHeader: () => '\u0001?' }, warn), sosOf(throwing, warn)]).toEqual(['unclear', 'unclear']);
    expect(logged).toHaveLength(2);
  });
  it('is refused as busy where nobody takes it, unless it has gone', async () => {
    const { onDuty, incoming, reports, ua } = open();
    await onDuty();
    const [here, gone] = [incoming(message()), incoming(message())];
    gone.end('Canceled');
    for (const fact of reports) if (fact.type === 'sip.incoming') ua.obey({ type: 'sip.refuse', sipId: fact.call.sipId });
    expect(here.session.terminate).toHaveBeenCalledWith({ status_code: 486 });
    expect(gone.session.terminate).not.toHaveBeenCalled();
  });
});

it('a page that goes closes its connection without a refusal; one that signs out unregisters (D35, F4)', async () => {
  const { onDuty, page, agent, ua } = open();
  await onDuty();
  page.dispatchEvent(new Event('pagehide'));
  expect([agent.transport.disconnect, agent.stop].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  ua.close();
  page.dispatchEvent(new Event('pagehide'));
  expect([agent.transport.disconnect, agent.stop].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

describe('a call that rings is readied', () => {
  const anchored = (): ReturnType<typeof message> => message({}, { body: 'v=0\r\na=ice-lite\r\n' });
  async function ringing(...offers: ReturnType<typeof message>[]) {
    const stage = open();
    await stage.onDuty();
    for (const offer of offers) stage.incoming(offer);
    const ids = stage.reports.flatMap((fact) => (fact.type === 'sip.incoming' ? [fact.call.sipId] : []));
    return { ...stage, ready: (at: number) => stage.ua.line()?.ready(ids[at] ?? '') ?? null };
  }
  it('without a microphone, its answer agreed on before anybody gives it', async () => {
    const { ready, connections } = await ringing(anchored());
    expect(await ready(0)?.usable()).toBe(connections[0]);
    expect(connections[0]?.lines.map(({ direction, sender }) => [direction, sender.track])).toEqual([['sendrecv', null]]);
    expect(connections[0]?.localDescription?.sdp).toBe('answer');
  });
  it('towards a server only: nobody else learns where we are', async () => {
    const { ready, connections } = await ringing(message({}, { body: 'v=0\r\n' }), message());
    expect([ready(0), ready(1), connections]).toEqual([null, null, []]);
  });
  it('one of many, and the next when that is over', async () => {
    const { ready, connections } = await ringing(anchored(), anchored());
    const first = ready(0);
    expect(ready(1)).toBeNull();
    first?.close();
    expect([connections[0]?.connectionState, ready(1) !== null]).toEqual(['closed', true]);
  });
  it('is not used where its path was lost meanwhile', async () => {
    const { ready, connections } = await ringing(anchored());
    const readied = ready(0);
    connections[0]?.become('failed');
    expect(await readied?.usable()).toBeNull();
  });
});
