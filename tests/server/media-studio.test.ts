import { createSocket, type Socket } from 'node:dgram';
import { setTimeout as pause } from 'node:timers/promises';
import { Transformer } from '@napi-rs/image';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { constants } from '#models/constants.ts';
import { Studio } from '#server/telephony/media/studio.ts';
import { isFull } from '#tests/support/extent.ts';
import { callIn, callOut, heardFrom, until } from './media-support.ts';

const here = { all: ['127.0.0.1'], first: '127.0.0.1' } as const;
let server: Studio;
let far: Studio;
let heardNear: ReturnType<typeof heardFrom>;
let heardFar: ReturnType<typeof heardFrom>;
beforeEach(() => {
  server = new Studio(here);
  far = new Studio(here);
  heardNear = heardFrom(server);
  heardFar = heardFrom(far);
});
const phones: Socket[] = [];
afterEach(async () => {
  for (const phone of phones.splice(0)) phone.close();
  await Promise.all([server.shut(), far.shut()]);
});
const voice = { video: false, kind: 'webrtc' } as const;
const picture = { video: true, kind: 'webrtc' } as const;
const connected = (...legs: string[]) => until(() => legs.every((leg) => heardNear.of(leg, 'connected').length > 0));

describe('legs that encrypt', () => {
  it('a caller and a callee are joined: keys pass between them, each once and as long as it was pressed (D46)', async () => {
    await callIn(server, 'a', far, 'a', voice);
    await callOut(server, 'b', far, 'b', voice, 'a');
    await connected('a', 'b');
    await until(() => heardFar.of('a', 'connected').length + heardFar.of('b', 'connected').length === 2);
    await server.bridge('a', 'b');
    // Twenty presses of each in full; every one is heard once.
    const presses = isFull ? 20 : 1;
    for (let press = 0; press < presses; press += 1) {
      expect(await far.sendDtmf('a', '#', 160)).toBe(true);
      expect(await far.sendDtmf('a', '5', 400)).toBe(true);
      await until(() => heardFar.of('b', 'dtmf').length === 2 * (press + 1));
    }
    const pairs = Array.from({ length: presses }, () => [
      { type: 'dtmf', leg: 'a', digit: '#', duration: 160 },
      { type: 'dtmf', leg: 'a', digit: '5', duration: 400 },
    ]).flat();
    expect(heardNear.of('a', 'dtmf')).toEqual(pairs);
    // Behind the far side nobody is joined to it.
    expect(heardFar.of('b', 'dtmf')).toEqual(pairs.map((key) => ({ ...key, leg: 'b', unpassed: true })));
  });

  it('a key of one who is joined to nobody yet is told as not passed on', async () => {
    await callIn(server, 'a', far, 'a', voice);
    await connected('a');
    await until(() => heardFar.of('a', 'connected').length === 1);
    await far.sendDtmf('a', '#', 160);
    await until(() => heardNear.of('a', 'dtmf').length === 1);
    expect(heardNear.of('a', 'dtmf')).toEqual([{ type: 'dtmf', leg: 'a', digit: '#', duration: 160, unpassed: true }]);
  });

  it.each([
    ['waits for it', 0, ['#', '5']],
    ['is left out once it would be too late', constants.dtmfTimeout, ['5']],
  ])('a key for one who is joined but has no path yet %s', async (_, passed, heard) => {
    await callIn(server, 'a', far, 'a', voice);
    await connected('a');
    await until(() => heardFar.of('a', 'connected').length === 1);
    const offer = await server.offer('b', voice, 'a');
    // Until it hears where the server really is, the far side asks in vain.
    await server.accept('b', await far.answer('b', offer.replaceAll(/(candidate:.* )\d+( typ)/g, '$19$2')));
    await server.bridge('a', 'b');
    await far.sendDtmf('a', '#', 160);
    await until(() => heardNear.of('a', 'dtmf').length === 1);
    expect([heardNear.of('a', 'dtmf'), heardNear.of('b', 'connected')]).toEqual([[{ type: 'dtmf', leg: 'a', digit: '#', duration: 160 }], []]);
    const now = performance.now.bind(performance);
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
    await far.answer('b', offer);
    await connected('b');
    await until(() => heardFar.of('b', 'connected').length === 1);
    await far.sendDtmf('a', '5', 160);
    await until(() => heardFar.of('b', 'dtmf').some((event) => 'digit' in event && event.digit === '5'));
    later.mockRestore();
    expect(heardFar.of('b', 'dtmf').map((event) => 'digit' in event && event.digit)).toEqual(heard);
  });

  it('phones that ring are secured before they answer, which is told with the answer only; who leaves before is nothing lost', async () => {
    const legs = ['a', 'b', 'c', 'd', 'e', 'f'];
    const answers = await Promise.all(
      legs.map(async (leg) => far.answer(leg, (await server.offer(leg, voice)).replace('a=setup:actpass', 'a=setup:passive'))),
    );
    await until(() => legs.every((leg) => heardFar.of(leg, 'connected').length === 1));
    expect(heardNear.all).toEqual([]);
    await far.close('f');
    await Promise.all(legs.slice(0, 5).map((leg, at) => server.accept(leg, answers[at] ?? '')));
    expect(legs.map((leg) => heardNear.of(leg, 'connected').length)).toEqual([1, 1, 1, 1, 1, 0]);
  });

  it('a leg that says nothing for 4 s is silent, and heard again when it speaks', async () => {
    await callIn(server, 'a', far, 'a', voice);
    await connected('a');
    await until(() => heardNear.of('a', 'silent').length === 1);
    expect(heardNear.of('a', 'heard')).toEqual([]);
    await far.play('a', 'busy');
    await until(() => heardNear.of('a', 'heard').length === 1);
  });

  it('a leg on hold is not sent to, is not called silent, and is heard on after', async () => {
    await callIn(server, 'a', far, 'a', voice);
    await connected('a');
    await far.play('a', 'clip');
    const offer = await far.offer('a', { ...voice, checks: true });
    await server.answer('a', offer.replace('a=sendrecv', 'a=inactive'));
    await pause(5_000);
    expect(heardNear.of('a', 'silent')).toEqual([]);
    await server.answer('a', offer);
    await pause(800);
    expect(heardNear.of('a', 'silent')).toEqual([]);
  });

  it('a whole picture is asked for until one passes, nothing is shown before it, and another when it is asked for', async () => {
    await callIn(server, 'panel', far, 'panel', picture);
    const [phone, monitor] = await Promise.all([openPhone(), openPhone()]);
    const offer = await server.offer('desk', { video: true, kind: 'rtp' }, 'panel');
    await server.accept(
      'desk',
      phoneAnswer(`m=audio ${phone.port} RTP/AVP 111`, 'a=rtpmap:111 opus/48000/2', `m=video ${monitor.port} RTP/AVP 96`, 'a=rtpmap:96 VP8/90000'),
    );
    await connected('panel', 'desk');
    await far.play('panel', 'clip');
    // The clip begins its second picture and more before anybody looks.
    await pause(1_000);
    await server.bridge('panel', 'desk');
    const pictures = () => monitor.heard.filter((bytes) => bytes[12] === 0x10).map((bytes) => ((bytes[13] ?? 1) & 1) === 0);
    await until(() => pictures().length > 10);
    expect(pictures()[0]).toBe(true);
    expect(pictures().filter(Boolean)).toHaveLength(1);
    const seen = pictures().length;
    const loss = Buffer.from([0x81, 206, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2]);
    monitor.socket.send(loss, Number(/m=video (\d+)/.exec(offer)?.[1]), '127.0.0.1');
    await until(() => pictures().slice(seen).some(Boolean), 1_000);
  });

  it('a still of what a camera shows is a picture in a file, one for all who ask at once; without a camera there is none', async () => {
    await callIn(server, 'panel', far, 'panel', picture);
    await connected('panel');
    expect(await server.still('panel')).toBeNull();
    await far.play('panel', 'clip');
    const [still, other] = await Promise.all([server.still('panel'), server.still('panel')]);
    expect(other).toBe(still);
    expect(await new Transformer(Buffer.from(still ?? [])).metadata()).toMatchObject({ format: 'webp', width: 320, height: 240 });
    await callIn(server, 'voice', far, 'voice', voice);
    expect([await server.still('voice'), await server.still('nobody')]).toEqual([null, null]);
  });

  it('a far side that restarts ICE is met again without a new key exchange', async () => {
    await callIn(server, 'a', far, 'a', voice);
    await connected('a');
    await far.play('a', 'clip');
    const before = await server.answer('a', await far.offer('a', { ...voice, checks: true }));
    const moved = (await far.offer('a', { ...voice, checks: true })).replace(/a=ice-ufrag:\S+/g, 'a=ice-ufrag:moved-over');
    const after = await server.answer('a', moved);
    const credentials = (sdp: string) => /a=ice-ufrag:(\S+)/.exec(sdp)?.[1];
    expect(credentials(after)).not.toBe(credentials(before));
    await pause(4_800);
    // A busy machine may be late with a packet of both.
    expect(heardNear.all.filter(({ type }) => type !== 'connected' && type !== 'late')).toEqual([]);
  });

  it('a far side that is gone is told of as disconnected, and later as failed', async () => {
    await server.shut();
    server = new Studio(here, { silent: 4_000, disconnected: 3_000, failed: 5_000, connecting: 20_000 });
    heardNear = heardFrom(server);
    await callIn(server, 'a', far, 'a', voice);
    await connected('a');
    await far.shut();
    await until(() => heardNear.of('a', 'disconnected').length === 1);
    expect(heardNear.of('a', 'failed')).toEqual([]);
    await until(() => heardNear.of('a', 'failed').length === 1);
  });

  it('is not opened to somebody with another certificate than the one named', async () => {
    const offer = await far.offer('a', { ...voice, checks: true });
    const forged = offer.replace(/a=fingerprint:sha-256 ..:..:/, 'a=fingerprint:sha-256 00:00:');
    await far.accept('a', await server.answer('a', forged));
    await until(() => heardNear.of('a', 'failed').length === 1);
    expect(heardNear.of('a', 'connected')).toEqual([]);
  });

  it('goes on with the rest when one is closed while it is being made', async () => {
    const offer = await far.offer('a', { ...voice, checks: true });
    const answer = server.answer('a', offer);
    const closed = server.close('a');
    await Promise.allSettled([answer, closed]);
    await callIn(server, 'b', far, 'b', voice);
    await connected('b');
    expect(heardNear.of('a', 'connected')).toEqual([]);
  });
});

/** A phone of the simplest kind: a socket that remembers what came. */
async function openPhone(): Promise<{ socket: Socket; port: number; heard: Buffer[] }> {
  const socket = createSocket('udp4');
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  phones.push(socket);
  const heard: Buffer[] = [];
  socket.on('message', (bytes) => heard.push(bytes));
  return { socket, port: socket.address().port, heard };
}
const phoneAnswer = (...sections: string[]): string =>
  ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0', ...sections, ''].join('\r\n');

describe('plain phones', () => {
  it('a phone without ICE is offered and sent PCMU, hears the tone and is answered where it sends from', async () => {
    const { socket: phone, port: phonePort, heard } = await openPhone();
    const offer = await server.offer('p', { video: false, kind: 'rtp' });
    expect(offer).toMatch(/m=audio \d+ RTP\/AVP 111 9 0 8 110 101\r\n/);
    await server.accept('p', phoneAnswer(`m=audio ${phonePort} RTP/AVP 0 101`, 'a=rtpmap:101 telephone-event/8000'));
    await connected('p');
    await server.play('p', 'ringback');
    await until(() => heard.length > 20);
    const voices = heard.filter((bytes) => bytes[1] === 0 || bytes[1] === 0x80);
    expect(voices.length).toBeGreaterThan(15);
    expect(voices.every((bytes) => bytes.length === 172)).toBe(true);
    // 160 samples further with every packet (of a busy machine some are left out), and loud in its first second.
    expect(
      voices
        .slice(1)
        .map((bytes, at) => bytes.readUInt32BE(4) - (voices[at]?.readUInt32BE(4) ?? 0))
        .every((step) => step > 0 && step % 160 === 0),
    ).toBe(true);
    expect(new Set(voices[5]?.subarray(12)).size).toBeGreaterThan(20);
    // A key in 50 ms steps of 8 kHz, its end three times.
    const port = Number(/m=audio (\d+)/.exec(offer)?.[1]);
    for (const [at, [flags, duration]] of (
      [
        [0, 400],
        [0, 800],
        [128, 1_280],
        [128, 1_280],
        [128, 1_280],
      ] as const
    ).entries()) {
      const packet = Buffer.alloc(16);
      packet.set([0x80, 101, 0, at, 0, 0, 16, 0, 1, 2, 3, 4, 11, flags]);
      packet.writeUInt16BE(duration, 14);
      phone.send(packet, port, '127.0.0.1');
    }
    await until(() => heardNear.of('p', 'dtmf').length > 0);
    expect(heardNear.of('p', 'dtmf')).toEqual([{ type: 'dtmf', leg: 'p', digit: '#', duration: 160, unpassed: true }]);
  });

  it('keys are pressed anew where the two sides count in different clocks', async () => {
    await callIn(server, 'a', far, 'a', voice);
    const offer = await server.offer('p', { video: false, kind: 'rtp' }, 'a');
    const answer = await far.answer('p', offer.replaceAll(/a=(?:rtpmap|fmtp):110 .*\r\n/g, ''));
    await server.accept('p', answer);
    await connected('a', 'p');
    await until(() => heardFar.of('a', 'connected').length === 1);
    await server.bridge('a', 'p');
    await far.sendDtmf('a', '7', 200);
    await until(() => heardFar.of('p', 'dtmf').length === 1);
    expect(heardFar.of('p', 'dtmf')).toMatchObject([{ digit: '7', duration: 200 }]);
  });

  it('keys for a phone that knows none are told as not passed on (D46)', async () => {
    await callIn(server, 'a', far, 'a', voice);
    const offer = await server.offer('p', { video: false, kind: 'rtp' }, 'a');
    await server.accept('p', await far.answer('p', offer.replaceAll(/a=(?:rtpmap|fmtp):(?:101|110) .*\r\n/g, '')));
    await connected('a', 'p');
    await until(() => heardFar.of('a', 'connected').length === 1);
    await server.bridge('a', 'p');
    await far.sendDtmf('a', '7', 200);
    await until(() => heardNear.of('a', 'dtmf').length === 1);
    expect(heardNear.of('a', 'dtmf')).toEqual([{ type: 'dtmf', leg: 'a', digit: '7', duration: 200, unpassed: true }]);
  });

  it.each([
    ['in the same clock', /(?!)/g],
    ['in another clock', /a=(?:rtpmap|fmtp):110 .*\r\n/g],
    ['where the other knows none', /a=(?:rtpmap|fmtp):(?:101|110) .*\r\n/g],
  ])('keys of one who is not to be heard reach nobody, %s; the other’s do', async (_, leftOut) => {
    await callIn(server, 'a', far, 'a', voice);
    const offer = await server.offer('p', { video: false, kind: 'rtp' }, 'a');
    await server.accept('p', await far.answer('p', offer.replaceAll(leftOut, '')));
    await connected('a', 'p');
    await until(() => heardFar.of('a', 'connected').length === 1);
    await server.bridge('a', 'p', ['a']);
    await far.sendDtmf('a', '#', 160);
    await until(() => heardNear.of('a', 'dtmf').length === 1);
    expect(heardNear.of('a', 'dtmf')).toEqual([{ type: 'dtmf', leg: 'a', digit: '#', duration: 160 }]);
    await server.bridge('a', 'p');
    await far.sendDtmf('a', '5', 160);
    await until(() => heardNear.of('a', 'dtmf').length === 2);
    await until(() => heardNear.of('a', 'dtmf').some((event) => 'unpassed' in event) || heardFar.of('p', 'dtmf').length > 0);
    expect(heardFar.of('p', 'dtmf').filter((event) => 'digit' in event && event.digit === '#')).toEqual([]);
  });

  it('two legs that understand nothing in common are not joined', async () => {
    await callIn(server, 'a', far, 'a', voice);
    const answerOnly = (format: string, port: number) =>
      `v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio ${port} RTP/AVP ${format}\r\na=rtpmap:111 opus/48000/2\r\n`;
    await server.offer('p', { video: false, kind: 'rtp' });
    await server.accept('p', answerOnly('0', 40_000));
    await server.offer('q', { video: false, kind: 'rtp' });
    await server.accept('q', answerOnly('111', 40_002));
    await expect(server.bridge('p', 'q')).rejects.toMatchObject({ code: 'incompatible' });
    await server.bridge('a', 'q');
    await expect(server.offer('r', { video: false, kind: 'rtp' }, 'p')).resolves.toMatch(/m=audio \d+ RTP\/AVP 0 9 8 110 101\r\n/);
  });
});
