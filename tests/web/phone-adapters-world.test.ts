import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyMirror } from '#machines/phone/mirror.ts';
import type { LastDialledReport, NotifierReport, RingerReport, TabsReport } from '#machines/phone/ports.ts';
import { openDeviceChoice } from '#src/adapters/phone/device-choice.ts';
import { cutGathering } from '#src/adapters/phone/ice.ts';
import { openLastDialled } from '#src/adapters/phone/last-dialled.ts';
import { type MediaWorld, openMedia } from '#src/adapters/phone/media.ts';
import { openNotifier } from '#src/adapters/phone/notifier.ts';
import { openPhoneTabs } from '#src/adapters/phone/phone-tabs.ts';
import { openPictures } from '#src/adapters/phone/pictures.ts';
import { rings, samplesOf } from '#src/adapters/phone/ring-tones.ts';
import { openRinger } from '#src/adapters/phone/ringer.ts';
import { asVolumes, openVolumes } from '#src/adapters/sound-volumes.ts';
import { openSipSocket } from '#src/adapters/phone/sip-socket.ts';
import { openStore } from '#src/adapters/storage.ts';
import { FakeStream, FakeTrack } from './support/fake-line.ts';

const storage = openStore(() => localStorage);
beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

describe('microphones and cameras', () => {
  function world(getUserMedia: (wish: MediaStreamConstraints) => Promise<FakeStream>, more: Partial<MediaWorld> = {}) {
    const found = [
      { deviceId: 'm1', kind: 'audioinput', label: 'Headset' },
      { deviceId: '', kind: 'audioinput', label: '' },
      { deviceId: 's1', kind: 'audiooutput', label: 'Desk' },
    ];
    const devices = Object.assign(new EventTarget(), { getUserMedia, enumerateDevices: async () => found });
    const media = openMedia({
      devices: devices as unknown as MediaDevices,
      isSecure: true,
      hasWebRtc: true,
      storage,
      permissions: undefined,
      ...more,
    });
    return { media, devices };
  }
  const both = async ({ audio, video }: MediaStreamConstraints): Promise<FakeStream> =>
    new FakeStream([...(audio ? [new FakeTrack('audio')] : []), ...(video ? [new FakeTrack('video')] : [])]);
  const failing = (name: string) => async (): Promise<FakeStream> => {
    throw new DOMException('no', name);
  };

  it.each([
    ['NotAllowedError', 'notAllowed'],
    ['NotFoundError', 'notFound'],
    ['NotReadableError', 'notReadable'],
    ['AbortError', 'notReadable'],
  ])('%s is trouble of its own kind: %s (experience 12)', async (name, trouble) => {
    expect(await world(failing(name)).media.take({ camera: false })).toEqual({ microphone: null, camera: null, trouble });
  });
  it('cannot be had on a page without TLS, nor in a browser without them (D31)', async () => {
    const without = (isSecure: boolean) =>
      openMedia({ devices: undefined, isSecure, hasWebRtc: true, storage, permissions: undefined }).take({ camera: true });
    expect([(await without(false)).trouble, (await without(true)).trouble]).toEqual(['insecure', 'unsupported']);
  });
  it('are given without a question where the browser says so, or gave them before', async () => {
    const permissions = (state: string) => ({ query: async () => Object.assign(new EventTarget(), { state }) }) as unknown as Permissions;
    const allowed = async (state: string): Promise<boolean> => {
      const { media } = world(both, { permissions: permissions(state) });
      await settled();
      return media.isAllowed();
    };
    expect([await allowed('granted'), await allowed('prompt'), world(both).media.isAllowed()]).toEqual([true, false, false]);
    const { media } = world(both);
    await media.take({ camera: false });
    expect(media.isAllowed()).toBe(true);
  });
  it('a missing camera does not cost the microphone (D31)', async () => {
    const { media } = world(async (wish) => {
      if (wish.video) throw new DOMException('no', 'NotFoundError');
      return both(wish);
    });
    expect(await media.take({ camera: true })).toMatchObject({ microphone: { kind: 'audio' }, camera: null, trouble: null });
  });
  it('are asked for as they were chosen, and the choice is remembered', async () => {
    const asked: MediaStreamConstraints[] = [];
    const ask = (wish: MediaStreamConstraints): Promise<FakeStream> => {
      asked.push(wish);
      return both(wish);
    };
    world(ask).media.choose('microphone', 'm1');
    const { media } = world(ask);
    await media.take({ camera: false });
    expect([media.chosen().microphone, asked[0]]).toMatchObject(['m1', { audio: { deviceId: { ideal: 'm1' } } }]);
  });
  it('SIP-16: support is looked for until it was found, and then remembered (D31)', () => {
    const support = (hasWebRtc: boolean) => world(both, { hasWebRtc }).media.support();
    expect([support(false), support(true), support(false)]).toEqual(['unsupported', null, null]);
  });
  it('are told at the start, after a choice and when something is plugged in', async () => {
    const { media, devices } = world(both);
    const reported: unknown[] = [];
    const choice = openDeviceChoice(media, (fact) => reported.push(fact));
    await settled();
    expect(reported).toMatchObject([
      {
        type: 'devices.listed',
        list: {
          devices: [
            { id: 'm1', kind: 'microphone', label: 'Headset' },
            { id: 's1', kind: 'speaker' },
          ],
        },
      },
    ]);
    choice.send({ type: 'devices.choose', kind: 'ringer', id: 's1' });
    devices.dispatchEvent(new Event('devicechange'));
    await settled();
    expect(reported).toHaveLength(3);
    choice.close();
    devices.dispatchEvent(new Event('devicechange'));
    await settled();
    expect(reported).toHaveLength(3);
  });
});

describe('gathering (clause SIP-10; D5, F6)', () => {
  const candidate = (line: string, type = 'host', tcpType: string | null = null): RTCIceCandidate =>
    ({ candidate: line, type, tcpType }) as unknown as RTCIceCandidate;
  it.each([
    ['200 ms after the first usable candidate', [candidate('candidate:1 1 udp 1 10.0.0.1 9 typ host')], 200],
    ['2 s where only names of the local network come', [candidate('candidate:1 1 udp 1 0f.local 9 typ host')], 2_000],
    ['2 s where only outgoing TCP comes', [candidate('candidate:1 1 tcp 1 10.0.0.1 9 typ host', 'host', 'active')], 2_000],
    ['2 s where nothing comes', [], 2_000],
  ])('is cut %s', (_name, candidates, after) => {
    const ready = vi.fn<(kinds: readonly string[]) => void>();
    const cut = cutGathering(ready);
    candidates.forEach(cut.found);
    vi.advanceTimersByTime(after - 1);
    expect(ready).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(ready.mock.calls).toEqual([[candidates.length > 0 ? ['host'] : []]]);
    vi.advanceTimersByTime(5_000);
    expect(ready).toHaveBeenCalledOnce();
  });
});

describe('the bell', () => {
  function bell({ allowed = false } = {}) {
    const sounding: { loop: boolean; gain: number; stopped: boolean }[] = [];
    const state = { allowed, made: 0 };
    const context = {
      state: 'suspended',
      sampleRate: 8_000,
      destination: {},
      sink: '',
      setSinkId: (id: string) => {
        context.sink = id;
        return Promise.resolve();
      },
      resume: () => {
        if (!state.allowed) return Promise.reject(new DOMException('no', 'NotAllowedError'));
        context.state = 'running';
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
      createBuffer: () => ({ copyToChannel: () => {} }),
      createGain: () => ({ gain: { value: 1 }, connect: <T>(to: T) => to, disconnect: () => {} }),
      createBufferSource: () => {
        const made = {
          buffer: null,
          loop: false,
          start: () => {},
          stop: () => void (entry.stopped = true),
          connect: (gain: { gain: { value: number } }) => ({ connect: () => (entry.node = gain) }),
        };
        const entry = {
          get loop() {
            return made.loop;
          },
          stopped: false,
          node: null as { gain: { value: number } } | null,
          get gain() {
            return this.node?.gain.value ?? 0;
          },
        };
        sounding.push(entry);
        return made;
      },
    };
    const page = new EventTarget();
    const reports: RingerReport['type'][] = [];
    const volumes = openVolumes(storage, window);
    const chosen = { microphone: null, speaker: 's1', ringer: 's2', camera: null };
    const ringer = openRinger(
      {
        context: () => {
          state.made += 1;
          return context as unknown as AudioContext;
        },
        touched: state.allowed,
        page: page as unknown as Document,
        media: { chosen: () => chosen, follow: () => () => {} },
        volumes,
      },
      ({ type }) => reports.push(type),
    );
    return { ringer, reports, sounding, page, state, context, volumes };
  }
  it('experience 2: says that it was not heard, and rings once the page was touched (D33)', async () => {
    const { ringer, reports, sounding, page, state } = bell();
    await vi.advanceTimersByTimeAsync(400);
    ringer.send({ type: 'ringer.ring', tone: 'call' });
    await vi.advanceTimersByTimeAsync(400);
    expect([reports, sounding, state.made]).toEqual([['ringer.refused'], [], 0]);
    state.allowed = true;
    page.dispatchEvent(new Event('click'));
    await settled();
    ringer.send({ type: 'ringer.ring', tone: 'call' });
    await settled();
    expect([reports, sounding.map(({ loop }) => loop)]).toEqual([['ringer.refused', 'ringer.armed'], [true]]);
  });
  it('rings over and over at the chosen output, as loud as that kind is set, until it is silenced', async () => {
    const { ringer, sounding, context, volumes } = bell({ allowed: true });
    await settled();
    ringer.send({ type: 'ringer.ring', tone: 'call' });
    await settled();
    ringer.send({ type: 'ringer.ring', tone: 'sos' });
    await settled();
    expect([context.sink, sounding.map(({ stopped, gain }) => [stopped, gain])]).toEqual([
      's2',
      [
        [true, 0.8],
        [false, 1],
      ],
    ]);
    volumes.set({ ...volumes.get(), sos: 0.5 });
    expect(sounding[1]?.gain).toBe(0.5);
    ringer.send({ type: 'ringer.silence' });
    expect(sounding.every(({ stopped }) => stopped)).toBe(true);
  });
  it('is heard as loud as it was set, in whichever tab that was done', async () => {
    const { ringer, sounding, volumes } = bell({ allowed: true });
    await settled();
    storage.write('ringVolumes', { ...volumes.get(), call: 0.25 });
    window.dispatchEvent(new StorageEvent('storage', { key: 'doorward.ringVolumes' }));
    ringer.send({ type: 'ringer.test', tone: 'call' });
    await settled();
    expect(sounding.map(({ gain, loop }) => [gain, loop])).toEqual([[0.25, false]]);
  });
  it('does not begin after it was silenced', async () => {
    const { ringer, sounding } = bell({ allowed: true });
    ringer.send({ type: 'ringer.ring', tone: 'call' });
    ringer.send({ type: 'ringer.silence' });
    await settled();
    expect(sounding).toEqual([]);
  });
  it('has a tone of its own for each kind, none too loud to be played and none that clicks at its seam', () => {
    for (const tone of ['sos', 'call', 'waiting'] as const) {
      const samples = samplesOf(tone, 8_000);
      expect(samples).toHaveLength(rings[tone].round * 8_000);
      expect(Math.max(...samples.map(Math.abs))).toBeLessThanOrEqual(1);
      expect(Math.max(...samples)).toBeGreaterThan(0.1);
      expect([samples.at(0), samples.at(-1)]).toEqual([0, 0]);
    }
  });
  it('never lets an SOS call be silent', () => {
    expect(asVolumes({ sos: 0, call: 0, waiting: 7 })).toEqual({ sos: 0.3, call: 0, waiting: 0.6, notice: 1 });
    expect(asVolumes('rubbish')).toEqual({ sos: 1, call: 0.8, waiting: 0.6, notice: 1 });
  });
});

describe('the last number that was dialled', () => {
  /** The page as it opens for a number of one's own: what it is told of earlier ones. */
  const page = (own: string) => {
    const dialled: LastDialledReport[] = [];
    return { dialled, ...openLastDialled(storage, own, (event) => void dialled.push(event)) };
  };
  it('is there again after a reload, for the number that dialled it alone', () => {
    const before = page('1001');
    before.send({ type: 'dialled.store', number: '2001' });
    before.send({ type: 'dialled.store', number: '2002' });
    before.close();
    expect([before, page('1001'), page('1002')].map(({ dialled }) => dialled)).toEqual([[], [{ type: 'dialled.stored', number: '2002' }], []]);
  });
});

describe('notices of the desktop', () => {
  const shown: { title: string; closed: boolean; onclick: (() => void) | null }[] = [];
  class FakeNotification {
    static permission: NotificationPermission = 'granted';
    onclick: (() => void) | null = null;
    closed = false;
    title: string;
    constructor(title: string) {
      this.title = title;
      shown.push(this);
    }
    close(): void {
      this.closed = true;
    }
  }
  const open = () => {
    const reports: NotifierReport[] = [];
    const focus = vi.fn<() => void>();
    const words = ({ caller, about }: { caller: string; about: string }) => ({ title: `${about}: ${caller}`, body: '' });
    return { reports, focus, ...openNotifier({ notifications: FakeNotification as never, words, focus }, (fact) => reports.push(fact)) };
  };
  afterEach(() => {
    shown.length = 0;
    FakeNotification.permission = 'granted';
  });
  it('DIAL-30: come and go with the ringing; a press brings the page to the front', () => {
    const { send, reports, focus } = open();
    send({ type: 'notifier.show', speechId: 'a', caller: 'Main gate', about: 'sos' });
    send({ type: 'notifier.show', speechId: 'b', caller: '1003', about: 'call' });
    send({ type: 'notifier.close', speechId: 'b' });
    shown[0]?.onclick?.();
    expect(shown.map(({ title, closed }) => [title, closed])).toEqual([
      ['sos: Main gate', true],
      ['call: 1003', true],
    ]);
    expect([reports, focus.mock.calls.length]).toEqual([[{ type: 'notifier.pressed', speechId: 'a' }], 1]);
  });
  it('D34: are left out without permission', () => {
    FakeNotification.permission = 'denied';
    open().send({ type: 'notifier.show', speechId: 'a', caller: 'x', about: 'sos' });
    expect(shown).toEqual([]);
  });
});

describe('tabs of one number', () => {
  /** The browser's locks and channels, as all its tabs share them. */
  function browser() {
    const held = new Map<string, Promise<void>>();
    const channels: { onmessage: ((event: MessageEvent) => void) | null }[] = [];
    const locks = {
      async request(
        name: string,
        options: { ifAvailable?: boolean; signal?: AbortSignal },
        work: (lock: object | null) => Promise<void> | undefined,
      ) {
        if (options.ifAvailable && held.has(name)) return work(null);
        while (held.has(name)) await held.get(name);
        if (options.signal?.aborted) throw new DOMException('aborted', 'AbortError');
        const done = Promise.resolve(work({})).finally(() => held.delete(name));
        held.set(name, done);
        return done;
      },
    } as unknown as LockManager;
    const tab = (number = '1001', within: LockManager | undefined = locks) => {
      const reports: TabsReport['type'][] = [];
      const own = { onmessage: null as ((event: MessageEvent) => void) | null };
      channels.push(own);
      const post = (data: unknown): void =>
        channels.filter((each) => each !== own).forEach(({ onmessage }) => onmessage?.(new MessageEvent('message', { data })));
      const openChannel = () => Object.assign(own, { postMessage: post, close: () => void (own.onmessage = null) });
      return { reports, ...openPhoneTabs({ locks: within, openChannel }, number, ({ type }) => reports.push(type)) };
    };
    return { tab };
  }
  it('one is elected, the others follow and greet it; the next is elected when it goes (experience 3)', async () => {
    const { tab } = browser();
    const first = tab();
    await settled();
    const [second, third] = [tab(), tab()];
    await settled();
    expect([first.reports, second.reports, third.reports]).toEqual([
      ['tabs.elected', 'tabs.greeted', 'tabs.greeted'],
      ['tabs.outvoted'],
      ['tabs.outvoted'],
    ]);
    first.send({ type: 'tabs.mirror', mirror: emptyMirror });
    third.send({ type: 'tabs.command', command: { type: 'phone.register' } });
    expect([first.reports.at(-1), second.reports.at(-1), third.reports.at(-1)]).toEqual(['tabs.commanded', 'tabs.mirrored', 'tabs.mirrored']);
    first.close();
    await settled();
    expect([second.reports.at(-1), third.reports.at(-1)]).toEqual(['tabs.elected', 'tabs.mirrored']);
    second.close();
    third.close();
    await settled();
    expect(third.reports).not.toContain('tabs.elected');
  });
  it('each has its own phone where the browser has no locks', async () => {
    const { tab } = browser();
    const alone = openTabsWithout(tab);
    await settled();
    expect(alone.map(({ reports }) => reports)).toEqual([['tabs.alone'], ['tabs.alone']]);
  });
  const openTabsWithout = (tab: ReturnType<typeof browser>['tab']) => {
    const reports: TabsReport['type'][][] = [[], []];
    void tab;
    return reports.map((report) => {
      openPhoneTabs({ locks: undefined, openChannel: () => ({ postMessage: () => {}, onmessage: null, close: () => {} }) }, '1001', ({ type }) =>
        report.push(type),
      );
      return { reports: report };
    });
  };
});

describe('pictures', () => {
  it('are stills before anybody talks: nothing where the server has none or cannot be asked', async () => {
    const answers = [new Response(new Blob(['webp'])), new Response(null, { status: 204 })];
    const pictures = openPictures({
      send: ({ path }) => {
        expect(path).toBe('/calls/a/picture');
        const answer = answers.shift();
        return answer ? Promise.resolve(answer) : Promise.reject(new Error('gone'));
      },
    });
    expect((await pictures.still('a'))?.size).toBe(4);
    expect([await pictures.still('a'), await pictures.still('a')]).toEqual([null, null]);
  });
  it('hang where they are wanted, whichever comes first, and are taken down', () => {
    const pictures = openPictures({ send: () => Promise.reject(new Error('not asked for')) });
    const element = { srcObject: null, muted: false, play: () => Promise.reject(new Error('taken off')) } as unknown as HTMLVideoElement;
    const stream = {} as MediaStream;
    const stop = pictures.attach('a', 'remote', element);
    pictures.show('b', 'remote', stream);
    expect(element.srcObject).toBeNull();
    pictures.show('a', 'remote', stream);
    expect([element.srcObject, element.muted]).toEqual([stream, true]);
    stop();
    expect(element.srcObject).toBeNull();
    pictures.attach('a', 'remote', element);
    expect(element.srcObject).toBe(stream);
    pictures.show('a', 'remote', null);
    expect(element.srcObject).toBeNull();
  });
});

describe('the socket of SIP', () => {
  function socket() {
    const wire = {
      binaryType: '',
      readyState: 0,
      sent: [] as unknown[],
      send: (text: unknown) => void wire.sent.push(text),
      close: vi.fn<() => void>(),
      onopen: null,
      onclose: null,
      onmessage: null,
    } as Record<string, unknown> & { sent: unknown[] };
    const warnings: unknown[] = [];
    const made = openSipSocket('wss://desk.example:8443', {
      open: () => wire as unknown as WebSocket,
      now: Date.now,
      warn: (...what) => warnings.push(what),
    });
    const call = (name: string, event: object): void => (wire[name] as (event: object) => void)(event);
    return { made, wire, warnings, call };
  }
  it('is tried at the next place while nobody answers at one, and stays where it was answered', () => {
    const [urls, wires] = [[] as string[], [] as WebSocket[]];
    const open = (url: string): WebSocket => {
      urls.push(url);
      const wire = { close: () => {} } as unknown as WebSocket;
      wires.push(wire);
      return wire;
    };
    const made = openSipSocket('wss://desk.example:8443', { open, now: Date.now, warn: () => {} }, ['wss://two.example:8443']);
    const closes = (): void => wires.at(-1)?.onclose?.({ wasClean: false, code: 1006, reason: '' } as CloseEvent);
    for (const isAnswered of [false, false, false, true, true]) {
      made.connect();
      if (isAnswered) wires.at(-1)?.onopen?.({} as Event);
      closes();
    }
    made.connect();
    expect(urls.map((url) => new URL(url).hostname)).toEqual([
      'desk.example',
      'two.example',
      'desk.example',
      'two.example',
      'two.example',
      'two.example',
    ]);
  });
  it('D50: survives a message JsSIP throws on', () => {
    const { made, call, warnings } = socket();
    made.connect();
    made.ondata = () => {
      throw new Error('unreadable');
    };
    expect(() => call('onmessage', { data: 'INVITE ???' })).not.toThrow();
    expect(warnings).toHaveLength(1);
  });
  it('sends only while it is open, and can be given up as lost', () => {
    const { made, wire, call } = socket();
    const lost = vi.fn<(error: boolean) => void>();
    made.ondisconnect = lost;
    made.connect();
    expect(made.send('x')).toBe(false);
    wire['readyState'] = WebSocket.OPEN;
    call('onopen', {});
    expect([made.send('x'), wire.sent, made.via_transport, made.sip_uri]).toEqual([true, ['x'], 'WSS', 'sip:desk.example:8443;transport=ws']);
    made.drop();
    made.drop();
    expect([lost.mock.calls.length, lost.mock.calls[0]?.[0], made.isConnected()]).toEqual([1, true, false]);
  });
});
