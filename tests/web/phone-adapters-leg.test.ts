import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LegInput, LegReport } from '#machines/phone/ports.ts';
import type { MediaTrouble } from '#machines/phone/types.ts';
import { constants } from '#models/constants.ts';
import { openLeg } from '#src/adapters/phone/leg.ts';
import { legEndOf } from '#src/adapters/phone/leg-end.ts';
import { openLegMedia } from '#src/adapters/phone/leg-media.ts';
import type { Line } from '#src/adapters/phone/leg-session.ts';
import type { Readied } from '#src/adapters/phone/readied.ts';
import { countOf, qualityOf } from '#src/adapters/phone/leg-watch.ts';
import type { Media, Taken } from '#src/adapters/phone/media.ts';
import { FakeConnection, type FakeSession, FakeStream, FakeTrack, fakeAgent, message } from './support/fake-line.ts';

const speechId = '5b0c0a6e-7a3f-4f5e-9a51-3f2f0e8f1d11';

function open(kind: 'dial' | 'join' | 'incoming', { video = false, taken = {} as Partial<Record<'trouble', MediaTrouble>> } = {}) {
  const fake = fakeAgent();
  fake.connect();
  const microphone = new FakeTrack('audio');
  const camera = new FakeTrack('video');
  const next: { track: FakeTrack | MediaTrouble } = { track: new FakeTrack('audio') };
  let ready: (() => void) | undefined;
  const gate = { closed: false };
  const given = { allowed: false, readied: null as Readied | null };
  const subscribers = new Set<(what: 'chosen' | 'plugged') => void>();
  const chosen = { microphone: null as string | null, camera: null, speaker: null, ringer: null };
  const media = {
    chosen: () => chosen,
    follow: (heard: (what: 'chosen' | 'plugged') => void) => {
      subscribers.add(heard);
      return () => void subscribers.delete(heard);
    },
    isAllowed: () => given.allowed,
    takeOne: async () => next.track,
    take: async ({ camera: wanted }: { camera: boolean }) => {
      if (gate.closed) await new Promise<void>((resolve) => (ready = resolve));
      const trouble = taken.trouble ?? null;
      return { microphone: trouble ? null : microphone, camera: wanted && !trouble ? camera : null, trouble } as unknown as Taken;
    },
  };
  const speaker = { play: vi.fn<(stream: MediaStream) => void>(), volume: vi.fn<(level: number) => void>(), close: vi.fn<() => void>() };
  const later: (() => void)[] = [];
  const incoming = kind === 'incoming' ? fake.incoming(message(), 'Entrance') : undefined;
  const line: Line = {
    agent: fake.agent,
    incoming: () => incoming?.session,
    ready: () => given.readied,
    target: (number) => `sip:${number}@desk.example`,
    own: 'sip:1001@desk.example',
    iceServers: () => [],
    whenConnected: (work) => void later.push(work),
    now: () => 7,
    chance: () => 0.5,
  };
  const reports: LegReport[] = [];
  const input: LegInput = kind === 'incoming' ? { kind, speechId, video, sipId: 's' } : { kind, speechId, video, number: '1003' };
  const start = () =>
    openLeg({
      line,
      input,
      openMedia: (offer) =>
        openLegMedia({ media: media as unknown as Media, loudspeaker: speaker, show: () => {}, offer, report: (fact) => void reports.push(fact) }),
      other: () => null,
      report: (fact) => void reports.push(fact),
    });
  return {
    ...fake,
    start,
    microphone,
    camera,
    next,
    gate,
    given,
    ready: () => ready?.(),
    subscribers,
    chosen,
    speaker,
    later,
    incomingSession: incoming,
    reports,
    types: () => reports.map(({ type }) => type),
  };
}
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

/** A call that was dialled and is confirmed. */
async function talking(options: Parameters<typeof open>[1] = {}) {
  const stage = open('dial', options);
  const leg = stage.start();
  await settled();
  const [call] = stage.calls as [FakeSession];
  const connection = call.connect();
  call.confirm();
  connection.become('connected');
  await settled();
  stage.reports.length = 0;
  return { ...stage, leg, call, connection };
}
const last = ({ requests }: FakeSession) => {
  const request = requests.findLast(({ method }) => method === 'INVITE');
  if (!request) throw new Error('nothing was offered');
  return request;
};
const agree = async (call: FakeSession): Promise<void> => {
  last(call).handlers?.onSuccessResponse(message({}, { status_code: 200, body: 'answer' }));
  await settled();
};
const refuse = async (call: FakeSession, status: number): Promise<void> => {
  last(call).handlers?.onErrorResponse(message({}, { status_code: status }));
  await settled();
};
const invites = ({ requests }: FakeSession): number => requests.filter(({ method }) => method === 'INVITE').length;
const nothingLeft = (connection: FakeConnection, ...tracks: FakeTrack[]): void =>
  expect([connection.connectionState, ...tracks.map(({ readyState }) => readyState)]).toEqual(['closed', ...tracks.map(() => 'ended')]);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('MediaStream', FakeStream);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a call out', () => {
  it('SIP-05: carries its speech id, and sound in one line', async () => {
    const { agent, call, connection } = await talking();
    expect(agent.call.mock.calls[0]).toMatchObject(['sip:1003@desk.example', { extraHeaders: [`X-Speech-Id: ${speechId}`] }]);
    expect(connection.lines.map(({ receiver, direction }) => [receiver.track.kind, direction])).toEqual([['audio', 'sendrecv']]);
    expect(call.session.terminate).not.toHaveBeenCalled();
  });
  it.each([
    ['dial', ['audio', 'sendrecv', 'video', 'sendrecv']],
    ['join', ['audio', 'sendrecv', 'video', 'recvonly']],
  ] as const)('with picture: %s', async (kind, lines) => {
    const { start, calls } = open(kind, { video: true });
    start();
    await settled();
    expect(calls[0]?.connect().lines.flatMap(({ receiver, direction }) => [receiver.track.kind, direction])).toEqual(lines);
  });
  it('without a microphone only listens, and says why (D30, D31, experience 12)', async () => {
    const { start, calls, reports } = open('dial', { taken: { trouble: 'notAllowed' } });
    start();
    await settled();
    expect(calls[0]?.connect().lines.map(({ direction }) => direction)).toEqual(['recvonly']);
    expect(reports).toContainEqual({ type: 'leg.microphone', trouble: 'notAllowed' });
  });
  it('D21: hung up while the browser still asks, sends nothing and lets the microphone go', async () => {
    const { start, gate, ready, calls, microphone, types } = open('dial');
    gate.closed = true;
    const leg = start();
    leg.obey({ type: 'leg.hangUp' });
    ready();
    await settled();
    expect([calls.length, microphone.readyState, types()]).toEqual([0, 'ended', ['leg.ended']]);
  });
  it('gathers its paths while a microphone comes that is given without a question, and goes out with it', async () => {
    const { start, gate, given, ready, calls, microphone } = open('dial');
    gate.closed = given.allowed = true;
    start();
    const [call] = calls as [FakeSession];
    const connection = call.connect();
    const said = vi.fn<(sdp: string) => void>();
    void call.session._createLocalDescription('offer').then(said);
    await settled();
    expect([connection.lines[0]?.direction, said.mock.calls]).toEqual(['sendrecv', []]);
    ready();
    await settled();
    expect([connection.lines[0]?.sender.track, said.mock.calls]).toEqual([microphone, [['gathered']]]);
  });
  it('D21: given up before that microphone has come, sends nothing either', async () => {
    const { start, gate, given, ready, calls, microphone } = open('dial');
    gate.closed = given.allowed = true;
    const leg = start();
    const [call] = calls as [FakeSession];
    const connection = call.connect();
    const said = vi.fn<(sdp: string) => void>();
    void call.session._createLocalDescription('offer').then(said);
    leg.obey({ type: 'leg.hangUp' });
    await settled();
    expect([said.mock.calls.length, call.session.terminate.mock.calls.length, connection.connectionState]).toEqual([0, 1, 'closed']);
    ready();
    await settled();
    expect(microphone.readyState).toBe('ended');
  });
  it('is not tried without a connection to the server', async () => {
    const { start, lose, reports } = open('dial');
    lose();
    start();
    await settled();
    expect(reports).toMatchObject([{ type: 'leg.ended', end: { cause: 'transport' } }]);
  });
  it('is active when confirmed, not when accepted; and confirmed once', async () => {
    const { start, calls, types } = open('dial');
    start();
    await settled();
    const [call] = calls as [FakeSession];
    call.connect();
    call.emit('progress', { originator: 'remote', response: null });
    expect(types()).toEqual(['leg.progress']);
    call.confirm();
    call.confirm();
    expect(types()).toEqual(['leg.progress', 'leg.confirmed']);
  });
});

describe('a call in', () => {
  it('is answered once, whatever is pressed (D27)', async () => {
    const { start, incomingSession } = open('incoming');
    const leg = start();
    leg.obey({ type: 'leg.answer', video: false });
    leg.obey({ type: 'leg.answer', video: false });
    await settled();
    expect(incomingSession?.session.answer).toHaveBeenCalledOnce();
  });
  describe('that was readied while it rang', () => {
    function readied(isAllowed: boolean) {
      const stage = open('incoming');
      const connection = new FakeConnection();
      connection.addTransceiver('audio', { direction: 'sendrecv' });
      connection.localDescription = { sdp: 'agreed' };
      const close = vi.fn<() => void>(() => connection.close());
      stage.given.readied = { usable: async () => connection as unknown as RTCPeerConnection, close };
      stage.given.allowed = isAllowed;
      stage.gate.closed = true;
      const session = stage.incomingSession?.session;
      session?.answer.mockImplementation(() => session._createRTCConnection());
      return { ...stage, session, connection, close };
    }
    it('is answered at once with what was agreed on, its microphone follows', async () => {
      const { start, session, connection, ready, microphone } = readied(true);
      start().obey({ type: 'leg.answer', video: false });
      await settled();
      expect(await session?._createLocalDescription('answer')).toBe('agreed');
      expect(connection.lines[0]?.sender.track).toBeNull();
      ready();
      await settled();
      expect([session?.answer.mock.calls.length, connection.lines[0]?.sender.track]).toEqual([1, microphone]);
      expect(await session?._createLocalDescription('offer')).toBe('gathered');
    });
    it('is not answered before the browser has asked for the microphone (experience 12)', async () => {
      const { start, session, connection, ready, microphone } = readied(false);
      start().obey({ type: 'leg.answer', video: false });
      await settled();
      expect(session?.answer).not.toHaveBeenCalled();
      ready();
      await settled();
      expect([session?.answer.mock.calls.length, connection.lines[0]?.sender.track]).toEqual([1, microphone]);
    });
    it('leaves no connection behind when its caller gives up, nor a microphone that comes late (D22)', async () => {
      const { start, incomingSession, connection, ready, microphone } = readied(true);
      start().obey({ type: 'leg.answer', video: false });
      await settled();
      incomingSession?.end('Canceled');
      ready();
      await settled();
      expect([connection.connectionState, microphone.readyState]).toEqual(['closed', 'ended']);
    });
    it('is answered on a new connection where that one is lost', async () => {
      const { start, given, session, ready, close } = readied(true);
      given.readied = { usable: async () => null, close };
      start().obey({ type: 'leg.answer', video: false });
      await settled();
      expect([session?.answer.mock.calls.length, close.mock.calls.length]).toEqual([0, 1]);
      ready();
      await settled();
      expect(session?.answer.mock.calls[0]?.[0]).toMatchObject({ pcConfig: { iceServers: [] } });
    });
  });
  it.each([
    ['leg.decline', 486],
    ['leg.hangUp', 480],
  ] as const)('%s refuses with %i', (type, status) => {
    const { start, incomingSession, types } = open('incoming');
    start().obey({ type });
    expect(incomingSession?.session.terminate).toHaveBeenCalledWith({ status_code: status });
    expect(types()).toEqual(['leg.ended']);
  });
  it('tells the server of an answer taken back before there was talk; the end of a talk needs no reason', async () => {
    for (const talked of [false, true]) {
      const { start, incomingSession } = open('incoming');
      const leg = start();
      leg.obey({ type: 'leg.answer', video: false });
      await settled();
      if (talked) incomingSession?.confirm();
      else if (incomingSession) incomingSession.state.established = true;
      leg.obey({ type: 'leg.hangUp' });
      expect(incomingSession?.session.terminate).toHaveBeenCalledWith(talked ? undefined : { status_code: 487 });
    }
  });
  it('that is gone before the answer ends, and lets the microphone go (D22)', async () => {
    const { start, gate, ready, incomingSession, microphone, reports } = open('incoming');
    gate.closed = true;
    const leg = start();
    leg.obey({ type: 'leg.answer', video: false });
    incomingSession?.end('Canceled');
    ready();
    await settled();
    expect(incomingSession?.session.answer).not.toHaveBeenCalled();
    expect([microphone.readyState, reports]).toMatchObject(['ended', [{ type: 'leg.ended', end: { by: 'them', cause: 'cancelled' } }]]);
  });
  it('that only rings is over when the connection is lost', () => {
    const { start, reports } = open('incoming');
    start().disconnected();
    expect(reports).toMatchObject([{ type: 'leg.ended', end: { by: 'them', cause: 'transport' } }]);
  });
});

it('a call that rings while its page goes is not refused, for it rings on at the next page (D35)', async () => {
  const { start, incomingSession, types } = open('incoming');
  const leg = start();
  leg.leave();
  leg.disconnected();
  leg.close();
  expect([incomingSession?.session.terminate.mock.calls, types()]).toEqual([[], []]);
});

describe('a hold', () => {
  it('cuts the microphone at the click, and is told when it is agreed (experience 5)', async () => {
    const { leg, call, microphone, reports, connection } = await talking();
    leg.obey({ type: 'leg.hold', on: true });
    expect([microphone.enabled, reports]).toEqual([false, []]);
    await settled();
    expect(connection.lines[0]?.direction).toBe('sendonly');
    await agree(call);
    expect(reports).toEqual([{ type: 'leg.held', by: 'us', on: true }]);
    leg.obey({ type: 'leg.hold', on: false });
    await settled();
    expect(microphone.enabled).toBe(false);
    await agree(call);
    expect([microphone.enabled, connection.lines[0]?.direction]).toEqual([true, 'sendrecv']);
  });
  it('that is refused ends neither the call nor the talk', async () => {
    const { leg, call, microphone, reports, connection } = await talking();
    leg.obey({ type: 'leg.hold', on: true });
    await settled();
    await refuse(call, 488);
    expect(reports).toEqual([{ type: 'leg.holdFailed' }]);
    expect([microphone.enabled, connection.signalingState, connection.lines[0]?.direction]).toEqual([true, 'stable', 'sendrecv']);
    expect(call.session.terminate).not.toHaveBeenCalled();
  });
  it('D18: asked by both at once is asked again', async () => {
    const { leg, call, reports } = await talking();
    leg.obey({ type: 'leg.hold', on: true });
    await settled();
    const reject = vi.fn<(options: { status_code: number }) => void>();
    call.emit('reinvite', { request: message(), reject });
    expect(reject).toHaveBeenCalledWith({ status_code: 491 });
    last(call).transaction.eventHandlers.onReceiveResponse(message({}, { status_code: 491 }));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(invites(call)).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(invites(call)).toBe(2);
    await agree(call);
    expect(reports).toContainEqual({ type: 'leg.held', by: 'us', on: true });
  });
  it('D19: on and off fifty times asks one thing at a time and ends where it was left', async () => {
    const { leg, call, microphone } = await talking();
    for (let round = 0; round < 50; round += 1) leg.obey({ type: 'leg.hold', on: round % 2 === 0 });
    await settled();
    expect(invites(call)).toBe(1);
    await agree(call);
    await agree(call);
    expect([invites(call), microphone.enabled]).toEqual([2, true]);
  });
  it('waits for a connection that is lost', async () => {
    const { leg, call, lose, connect, reports } = await talking();
    lose();
    leg.obey({ type: 'leg.hold', on: true });
    await settled();
    expect(invites(call)).toBe(0);
    connect();
    leg.reconnected();
    await settled();
    await agree(call);
    expect(reports).toEqual([{ type: 'leg.held', by: 'us', on: true }]);
  });
  it('by the far side leaves our own cuts as they are', async () => {
    const { leg, call, microphone, reports } = await talking();
    leg.obey({ type: 'leg.mute', on: true });
    microphone.enabled = true;
    call.emit('hold', { originator: 'remote' });
    call.emit('unhold', { originator: 'remote' });
    expect([microphone.enabled, reports]).toEqual([
      false,
      [
        { type: 'leg.held', by: 'them', on: true },
        { type: 'leg.held', by: 'them', on: false },
      ],
    ]);
  });
});

it('a far side that hands us on names the other: once, and only where it is another', async () => {
  const { call, reports } = await talking();
  const other = '7b0c0a6e-7a3f-4f5e-9a51-3f2f0e8f1d22';
  const named = (who: string, id = speechId) => message({ 'P-Asserted-Identity': who, 'X-Speech-Id': id });
  const offer = (request: ReturnType<typeof message>): void => call.emit('reinvite', { request, reject: () => {} });
  for (const request of [message(), named('<sip:2001@desk.example>'), named('"Mallory" <sip:x@desk.example>', other), named('nobody', other)])
    offer(request);
  expect(reports).toEqual([]);
  for (let time = 0; time < 2; time += 1) offer(named('"Nora \\"N.\\" Ash" <sip:1004@desk.example>', other));
  call.emit('update', { request: named('Lobby <sip:2002@desk.example>', 'no uuid') });
  expect(reports).toEqual([
    { type: 'leg.moved', number: '1004', name: 'Nora "N." Ash', speechId: other, video: null },
    { type: 'leg.moved', number: '2002', name: 'Lobby', speechId: null, video: null },
  ]);
});

describe('a call that is up', () => {
  it('D1: outlives the connection to the server; a hang-up meanwhile is said when it is back', async () => {
    const { leg, call, lose, later, microphone, connection, types } = await talking();
    lose();
    leg.disconnected();
    call.session.onTransportError();
    call.session.onRequestTimeout();
    expect(types()).toEqual([]);
    leg.obey({ type: 'leg.hangUp' });
    expect(types()).toEqual(['leg.ended']);
    nothingLeft(connection, microphone);
    expect(call.session.terminate).not.toHaveBeenCalled();
    later.forEach((work) => work());
    expect(call.session.terminate).toHaveBeenCalledOnce();
  });
  it.each(['hang-up', 'BYE', 'the end of its page', 'the end of its machine'])(
    'is over at once and leaves nothing behind after %s (D23, design 3.9)',
    async (how) => {
      const { leg, call, microphone, camera, connection, speaker, types } = await talking({ video: true });
      if (how === 'hang-up') leg.obey({ type: 'leg.hangUp' });
      else if (how === 'BYE') call.end('Terminated');
      else if (how === 'the end of its page') leg.leave();
      else leg.close();
      nothingLeft(connection, microphone, camera);
      expect(speaker.close).toHaveBeenCalledOnce();
      expect(types().filter((type) => type === 'leg.ended')).toHaveLength(1);
      leg.close();
      await vi.advanceTimersByTimeAsync(5_000);
      expect(types().at(-1)).toBe('leg.ended');
    },
  );
  it('tells of its path, and is not ended by ICE alone (F2, D7)', async () => {
    const { connection, reports, leg, call } = await talking();
    const heard = vi.fn<() => void>();
    connection.addEventListener('iceconnectionstatechange', heard);
    connection.iceConnectionState = 'failed';
    connection.dispatchEvent(new Event('iceconnectionstatechange'));
    connection.become('disconnected');
    connection.become('failed');
    expect(heard).not.toHaveBeenCalled();
    expect(reports).toEqual([
      { type: 'leg.path', state: 'disconnected' },
      { type: 'leg.path', state: 'failed' },
    ]);
    leg.obey({ type: 'leg.restartIce' });
    await settled();
    expect(connection.offers).toEqual([{ iceRestart: true }]);
    await agree(call);
  });
  it('is offered anew, and a way for its sound looked for anew, once the number is registered over another connection (D1, F3)', async () => {
    const { leg, call, connection, lose, connect, types } = await talking();
    lose();
    leg.disconnected();
    leg.obey({ type: 'leg.hold', on: true });
    await settled();
    expect(invites(call)).toBe(0);
    connect();
    leg.reconnected();
    await settled();
    expect([invites(call), connection.offers]).toEqual([1, [{ iceRestart: true }]]);
    await agree(call);
    expect(types()).toContain('leg.held');
    expect(types()).not.toContain('leg.ended');
  });
  it('stays held when ICE begins anew, by whomever it is held (D14)', async () => {
    const { leg, call, connection, reports, microphone } = await talking();
    call.emit('hold', { originator: 'remote' });
    leg.obey({ type: 'leg.hold', on: true });
    await settled();
    await agree(call);
    leg.obey({ type: 'leg.restartIce' });
    await settled();
    await agree(call);
    expect(connection.offers.at(-1)).toEqual({ iceRestart: true });
    expect(connection.lines.map(({ direction }) => direction)).toEqual(['sendonly']);
    expect(microphone.enabled).toBe(false);
    expect(reports.filter(({ type }) => type === 'leg.held')).toEqual([
      { type: 'leg.held', by: 'them', on: true },
      { type: 'leg.held', by: 'us', on: true },
    ]);
    leg.obey({ type: 'leg.hold', on: false });
    await settled();
    await agree(call);
    expect([connection.lines[0]?.direction, microphone.enabled]).toEqual(['sendrecv', true]);
  });
  it('says how its path stands when it is confirmed, though it was found before (D9)', async () => {
    const { start, calls, reports } = open('dial');
    start();
    await settled();
    const [call] = calls as [FakeSession];
    call.connect().become('connected');
    reports.length = 0;
    call.confirm();
    expect(reports.slice(0, 2)).toMatchObject([{ type: 'leg.confirmed' }, { type: 'leg.path', state: 'connected' }]);
  });
  it('is ended where the far side no longer knows it, and not as if somebody had hung up (D1)', async () => {
    const { leg, call, reports } = await talking();
    leg.obey({ type: 'leg.hold', on: true });
    await settled();
    last(call).handlers?.onDialogError(message({}, { status_code: 481 }));
    await settled();
    expect(call.session.terminate).toHaveBeenCalledOnce();
    expect(reports.filter(({ type }) => type === 'leg.ended')).toMatchObject([{ end: { by: 'them', cause: 'transport' } }]);
  });
  it('tells every second how good it is, and when nothing comes in any more', async () => {
    const { connection, reports } = await talking();
    const inbound = { type: 'inbound-rtp', kind: 'audio', timestamp: 1, packetsReceived: 100, packetsLost: 0, jitter: 0.004 };
    const outbound = { type: 'outbound-rtp', kind: 'audio', timestamp: 1, packetsSent: 100 };
    connection.stats = [inbound, outbound];
    await vi.advanceTimersByTimeAsync(1_000);
    inbound.packetsReceived = 145;
    inbound.packetsLost = 5;
    outbound.packetsSent = 150;
    await vi.advanceTimersByTimeAsync(1_000);
    outbound.packetsSent = 200;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reports).toEqual([
      { type: 'leg.quality', quality: { roundTrip: null, jitter: 4, loss: 0.1 } },
      { type: 'leg.quality', quality: { roundTrip: null, jitter: 4, loss: 0 } },
      { type: 'leg.flow', incoming: false, outgoing: true },
    ]);
  });
  it('D46: sends keys in the sound, and by INFO where that was not agreed', async () => {
    const { leg, call, connection } = await talking();
    leg.obey({ type: 'leg.dtmf', tone: '#', duration: 160 });
    expect(call.session.sendDTMF).toHaveBeenCalledWith('#', { duration: 160, transportType: 'INFO' });
    const insertDTMF = vi.fn<(...args: unknown[]) => void>();
    const [line] = connection.lines;
    if (line) line.sender.dtmf = { canInsertDTMF: true, toneBuffer: '1', insertDTMF };
    leg.obey({ type: 'leg.dtmf', tone: '2', duration: 1_000 });
    expect(insertDTMF).toHaveBeenCalledWith('12', 1_000, expect.any(Number));
  });
  it('keys pressed before there is a path wait for it, as long as somebody expects them', async () => {
    const { leg, connection } = await talking();
    const keys = { canInsertDTMF: true, toneBuffer: '', insertDTMF: vi.fn<(...args: unknown[]) => void>() };
    const [line] = connection.lines;
    if (line) line.sender.dtmf = keys;
    const pressed = (): unknown[] => keys.insertDTMF.mock.calls.map(([tone]) => tone);
    connection.connectionState = 'connecting';
    leg.obey({ type: 'leg.dtmf', tone: '1', duration: 160 });
    await vi.advanceTimersByTimeAsync(constants.dtmfTimeout - 1);
    leg.obey({ type: 'leg.dtmf', tone: '2', duration: 160 });
    expect(pressed()).toEqual([]);
    connection.become('connected');
    expect(pressed()).toEqual(['1', '2']);
    connection.become('disconnected');
    leg.obey({ type: 'leg.dtmf', tone: '3', duration: 160 });
    await vi.advanceTimersByTimeAsync(constants.dtmfTimeout);
    connection.become('connected');
    connection.become('disconnected');
    leg.obey({ type: 'leg.dtmf', tone: '4', duration: 160 });
    // On hold by then no key can be sent.
    keys.canInsertDTMF = false;
    connection.become('connected');
    expect(pressed()).toEqual(['1', '2']);
  });
  it('D32: gets another microphone where its own is unplugged, without a word to the far side', async () => {
    const { microphone, next, connection, call, reports } = await talking();
    microphone.readyState = 'ended';
    microphone.dispatchEvent(new Event('ended'));
    await settled();
    expect([connection.lines[0]?.sender.track, invites(call), reports]).toEqual([next.track, 0, []]);
  });
  it('goes on listening where there is no other microphone, until one is plugged in', async () => {
    const { microphone, next, reports, subscribers } = await talking();
    next.track = 'notFound';
    microphone.readyState = 'ended';
    microphone.dispatchEvent(new Event('ended'));
    await settled();
    next.track = new FakeTrack('audio');
    subscribers.forEach((heard) => heard('plugged'));
    await settled();
    expect(reports).toEqual([
      { type: 'leg.microphone', trouble: 'lost' },
      { type: 'leg.microphone', trouble: null },
    ]);
  });
  it('goes on listening where the person takes the microphone back, and says so (D30)', async () => {
    const { microphone, next, reports, connection, call } = await talking();
    next.track = 'notAllowed';
    microphone.readyState = 'ended';
    microphone.dispatchEvent(new Event('ended'));
    await settled();
    expect(reports).toEqual([{ type: 'leg.microphone', trouble: 'notAllowed' }]);
    expect([connection.lines[0]?.sender.track, call.session.terminate.mock.calls]).toEqual([null, []]);
  });
  it('D47: switches its camera on by a new offer, and off at once', async () => {
    const { leg, call, next, reports, connection } = await talking();
    const camera = new FakeTrack('video');
    next.track = camera;
    leg.obey({ type: 'leg.camera', on: true });
    await settled();
    expect([invites(call), connection.lines.map(({ receiver }) => receiver.track.kind)]).toEqual([1, ['audio', 'video']]);
    leg.obey({ type: 'leg.camera', on: false });
    await settled();
    expect([camera.readyState, reports]).toEqual([
      'ended',
      [
        { type: 'leg.camera', on: true },
        { type: 'leg.camera', on: false },
      ],
    ]);
  });
  it('that ends while its camera is switched on again throws nothing, and lets the camera go', async () => {
    const { leg, call, next, connection } = await talking();
    const camera = new FakeTrack('video');
    next.track = camera;
    const line = connection.addTransceiver('video', { direction: 'recvonly' });
    let replaced = (): void => {};
    line.sender.replaceTrack = () => new Promise((resolve) => (replaced = resolve));
    leg.obey({ type: 'leg.camera', on: true });
    await settled();
    connection.close();
    call.end('Terminated');
    replaced();
    await settled();
    nothingLeft(connection, camera);
    expect(invites(call)).toBe(0);
  });
  it('is not handed on where the other call is gone', async () => {
    const { leg, reports } = await talking();
    leg.obey({ type: 'leg.refer', to: '1004', replaces: speechId });
    expect(reports).toEqual([{ type: 'leg.transferFailed' }]);
  });
});

describe('how a leg ended', () => {
  const reason = (text: string) => message({ Reason: `SIP ;cause=200 ;text="${text}"` });
  it.each([
    ['Terminated', null, 'remote', { by: 'them', cause: 'bye' }],
    ['Terminated', reason('hung up'), 'remote', { by: 'them', cause: 'bye' }],
    ['Terminated', reason('answered by 1002'), 'remote', { by: 'them', cause: 'answeredElsewhere', takenBy: '1002' }],
    ['Canceled', null, 'remote', { by: 'them', cause: 'cancelled' }],
    ['Canceled', reason('Call completed elsewhere'), 'remote', { by: 'them', cause: 'answeredElsewhere', takenBy: null }],
    ['Busy', message({}, { status_code: 486 }), 'remote', { by: 'them', cause: 'refused', status: 486 }],
    ['Not Found', message({}, { status_code: 404 }), 'remote', { by: 'them', cause: 'refused', status: 404 }],
    ['Request Timeout', null, 'system', { by: 'them', cause: 'timeout' }],
    ['Connection Error', null, 'system', { by: 'them', cause: 'transport' }],
    ['WebRTC Error', null, 'local', { by: 'us', cause: 'media' }],
  ] as const)('%s (D25)', (cause, said, originator, end) => {
    expect(legEndOf({ cause, message: said, originator })).toMatchObject(end);
  });
});

it('quality is counted between two readings, whatever else getStats says', () => {
  const before = countOf([{ type: 'inbound-rtp', kind: 'audio', timestamp: 1, packetsReceived: 10, packetsLost: -1 }]);
  const now = countOf([
    { type: 'inbound-rtp', kind: 'audio', timestamp: 2, packetsReceived: 10, packetsLost: 0 },
    { type: 'inbound-rtp', kind: 'video', timestamp: 2, packetsReceived: 900 },
    { type: 'remote-inbound-rtp', timestamp: 2, roundTripTime: 0.02 },
    { type: 'candidate-pair', timestamp: 2, state: 'succeeded', currentRoundTripTime: 0.5 },
  ]);
  expect(qualityOf(before, now)).toEqual({ roundTrip: 20, jitter: null, loss: 0 });
});
