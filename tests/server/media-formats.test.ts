import { createSocket, type Socket } from 'node:dgram';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aLawSamples, muLawSamples, toALaw, toMuLaw } from '#server/telephony/media/g711.ts';
import { G722Decoder } from '#server/telephony/media/g722.ts';
import { Studio } from '#server/telephony/media/studio.ts';
import { callIn, heardFrom, until } from './media-support.ts';

const here = { all: ['127.0.0.1'], first: '127.0.0.1' } as const;
let server: Studio;
let far: Studio;
let mediaHeard: ReturnType<typeof heardFrom>;
const phones: Socket[] = [];
beforeEach(() => {
  server = new Studio(here);
  far = new Studio(here);
  mediaHeard = heardFrom(server);
});
afterEach(async () => {
  for (const phone of phones.splice(0)) phone.close();
  await Promise.all([server.shut(), far.shut()]);
});

const names: Readonly<Record<number, string>> = { 0: 'PCMU', 8: 'PCMA', 9: 'G722', 18: 'G729', 111: 'opus' };
const [mu, a, wide] = [0, 8, 9];

/** A phone that knows some formats by their static numbers, and plain RTP alone. */
async function openPhone(...formats: number[]) {
  const socket = createSocket('udp4');
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  phones.push(socket);
  const heard: Buffer[] = [];
  socket.on('message', (bytes) => (bytes[1] ?? 0) < 192 && heard.push(bytes));
  const lines = formats.map((type) => `a=rtpmap:${type} ${names[type]}/8000`);
  const sdp = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    `m=audio ${socket.address().port} RTP/AVP ${formats.join(' ')}`,
    ...lines,
    '',
  ].join('\r\n');
  let to = 0;
  return {
    sdp,
    /** Takes what the server said of itself. */
    meet: (description: string) => (to = Number(/m=audio (\d+)/.exec(description)?.[1])),
    say: (type: number, frames: readonly Uint8Array[]) => {
      for (const [at, frame] of frames.entries()) {
        const header = Buffer.from([0x80, type, 0, at, 0, 0, 0, 0, 0, 0, 0, 7]);
        header.writeUInt32BE(at * 160, 4);
        socket.send(Buffer.concat([header, frame]), to, '127.0.0.1');
      }
    },
    /** What it heard of a type. */
    heard: (type: number) => heard.filter((bytes) => ((bytes[1] ?? 0) & 127) === type).map((bytes) => bytes.subarray(12)),
  };
}
type Phone = Awaited<ReturnType<typeof openPhone>>;

/** A phone that calls the server. */
async function comesIn(leg: string, phone: Phone, toward?: string): Promise<string> {
  const answer = await server.answer(leg, phone.sdp, toward);
  phone.meet(answer);
  return answer;
}
/** A phone that the server calls: it takes what it knows of what is offered. */
async function isCalled(leg: string, phone: Phone, toward: string): Promise<string> {
  const offer = await server.offer(leg, { video: false, kind: 'rtp' }, toward);
  phone.meet(offer);
  await server.accept(leg, phone.sdp);
  return offer;
}
const formatsOf = (sdp: string): string[] => (/m=audio \d+ \S+ ([\d ]+)/.exec(sdp)?.[1] ?? '').split(' ');
const tone = Int16Array.from({ length: 1_600 }, (_, at) => Math.round(8_000 * Math.sin((2 * Math.PI * 1_000 * at) / 8_000)));
const framesOf = (bytes: Uint8Array): Uint8Array[] => Array.from({ length: 10 }, (_, at) => bytes.subarray(at * 160, (at + 1) * 160));
const inALaw = framesOf(Uint8Array.from(tone, toALaw));
const inMuLaw = framesOf(Uint8Array.from(tone, toMuLaw));
/** How much of a sound is a tone of 1 kHz, 0 to 1, and how loud that is. */
function toneIn(samples: Int16Array): { share: number; level: number } {
  const at1k = [Math.cos, Math.sin].map((wave) => samples.reduce((sum, sample, at) => sum + sample * wave((Math.PI * at) / 4), 0));
  const level = (2 * Math.hypot(...at1k)) / samples.length;
  return { share: level / Math.sqrt((2 * samples.reduce((sum, sample) => sum + sample ** 2, 0)) / samples.length), level };
}

describe('phones that know A-law or G.722', () => {
  it('a phone with A-law alone is answered and hears what is played', async () => {
    const phone = await openPhone(a);
    expect(formatsOf(await comesIn('p', phone))).toEqual(['8']);
    await server.play('p', 'ringback');
    await until(() => phone.heard(a).length > 20);
    expect(toneLevel(Buffer.concat(phone.heard(a)), aLawSamples)).toBeGreaterThan(4_000);
  });
  it('a phone with G.722 alone hears what is played', async () => {
    const phone = await openPhone(wide);
    expect(formatsOf(await comesIn('p', phone))).toEqual(['9']);
    await server.play('p', 'ringback');
    await until(() => phone.heard(wide).length > 20);
    const samples = new Int16Array(20 * 160);
    new G722Decoder().decode(Buffer.concat(phone.heard(wide).slice(0, 20)), samples);
    expect(Math.max(...samples)).toBeGreaterThan(4_000);
  });
  it('nothing is turned where both speak the same: A-law arrives byte by byte, and only that is agreed', async () => {
    const [caller, called] = [await openPhone(mu, a), await openPhone(a)];
    await server.answer('one', caller.sdp);
    expect(formatsOf(await isCalled('two', called, 'one')).slice(0, 2)).toEqual(['0', '8']);
    expect(formatsOf(await comesIn('one', caller, 'two'))).toEqual(['8']);
    expect(await server.bridge('one', 'two')).toEqual([]);
    caller.say(a, inALaw);
    await until(() => called.heard(a).length === 10);
    expect(Buffer.concat(called.heard(a))).toEqual(Buffer.concat(inALaw));
  });
  it.each([
    ['A-law to µ-law', a, mu, inALaw, inMuLaw],
    ['µ-law to A-law', mu, a, inMuLaw, inALaw],
  ])('%s is turned where the two share nothing', async (_name, from, to, said, meant) => {
    const [caller, called] = [await openPhone(from), await openPhone(to)];
    await comesIn('one', caller);
    expect(formatsOf(await isCalled('two', called, 'one'))[0]).toBe(String(from));
    expect(formatsOf(await comesIn('one', caller, 'two'))).toEqual([String(from)]);
    expect(await server.bridge('one', 'two')).toEqual([]);
    caller.say(from, said);
    await until(() => called.heard(to).length === 10);
    expect(called.heard(from)).toEqual([]);
    const samples = to === a ? aLawSamples : muLawSamples;
    const [turned, wanted] = [called.heard(to), meant].map((frames) => Int16Array.from(Buffer.concat(frames), (byte) => samples[byte] ?? 0));
    expect(toneIn(turned ?? new Int16Array()).share).toBeGreaterThan(0.99);
    expect(toneIn(turned ?? new Int16Array()).level / toneIn(wanted ?? new Int16Array()).level).toBeCloseTo(1, 1);
  });
  it('G.722 and G.711 are turned into each other, both ways', async () => {
    const [caller, called] = [await openPhone(wide), await openPhone(a)];
    await comesIn('one', caller);
    await isCalled('two', called, 'one');
    expect(await server.bridge('one', 'two')).toEqual([]);
    called.say(a, inALaw);
    await until(() => caller.heard(wide).length === 10);
    const there = new Int16Array(1_600);
    new G722Decoder().decode(Buffer.concat(caller.heard(wide)), there);
    expect(toneIn(there.slice(400)).share).toBeGreaterThan(0.99);
    caller.say(wide, caller.heard(wide));
    await until(() => called.heard(a).length === 10);
    const back = toneIn(Int16Array.from(Buffer.concat(called.heard(a)), (byte) => aLawSamples[byte] ?? 0).slice(400));
    expect(back.share).toBeGreaterThan(0.99);
    expect(Math.abs(20 * Math.log10(back.level / 8_000))).toBeLessThan(0.5);
  });
  it('a phone that knows none of ours is refused', async () => {
    const phone = await openPhone(18);
    await expect(server.answer('p', phone.sdp)).rejects.toMatchObject({ code: 'incompatible' });
  });
});
const toneLevel = (bytes: Uint8Array, samples: Int16Array): number => Math.max(...Array.from(bytes, (byte) => samples[byte] ?? 0));

describe('browsers and phones with A-law alone', () => {
  const voice = { video: false, kind: 'webrtc' } as const;

  it('a browser is called in A-law alone by such a phone', async () => {
    await comesIn('phone', await openPhone(a));
    expect(formatsOf(await server.offer('browser', voice, 'phone')).filter((type) => type !== '126')[0]).toBe('8');
  });
  it('a browser that was answered in Opus changes over when it is joined to such a phone, and stays so through its hold', async () => {
    await callIn(server, 'browser', far, 'browser', voice);
    await until(() => mediaHeard.of('browser', 'connected').length > 0);
    const phone = await openPhone(a);
    expect(formatsOf(await isCalled('phone', phone, 'browser'))).toContain('8');
    expect(await server.bridge('browser', 'phone')).toEqual(['browser']);
    const offer = await server.offer('browser', voice, 'phone');
    expect(formatsOf(offer)[0]).toBe('8');
    await server.accept('browser', await far.answer('browser', offer));
    expect(await server.bridge('browser', 'phone')).toEqual([]);
    await far.play('browser', 'clip');
    await until(() => phone.heard(a).length > 10);
    const again = await server.answer('browser', await far.offer('browser', { ...voice, checks: true }));
    expect(formatsOf(again)[0]).toBe('8');
  });
  it('a new offer that nobody is joined for says what was agreed, also after one that was refused', async () => {
    await callIn(server, 'browser', far, 'browser', voice);
    const agreed = formatsOf(await server.offer('browser', voice));
    await isCalled('phone', await openPhone(a), 'browser');
    expect(formatsOf(await server.offer('browser', voice, 'phone'))).not.toEqual(agreed);
    expect(formatsOf(await server.offer('browser', voice))).toEqual(agreed);
  });
});
