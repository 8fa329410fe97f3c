import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aLawSamples, muLawSamples, toALaw, toMuLaw } from '#server/telephony/media/g711.ts';
import { G722Decoder, G722Encoder } from '#server/telephony/media/g722.ts';
import { turnOf } from '#server/telephony/media/transcode.ts';

describe('G.711', () => {
  it('has the code words of the recommendation: silence, the loudest, the tone of 1 kHz at 0 dBm0 (tables 5 and 6)', () => {
    expect([toMuLaw(0), toALaw(0), toALaw(-1)]).toEqual([0xff, 0xd5, 0x55]);
    expect([toMuLaw(32_767), toMuLaw(-32_768), toALaw(32_767), toALaw(-32_768)]).toEqual([0x80, 0x00, 0xaa, 0x2a]);
    const toneOf = (words: readonly number[], samples: Int16Array) => words.map((word) => samples[word] ?? 0);
    const aLaw = toneOf([0x34, 0x21, 0x21, 0x34, 0xb4, 0xa1, 0xa1, 0xb4], aLawSamples);
    const muLaw = toneOf([0x1e, 0x0b, 0x0b, 0x1e, 0x9e, 0x8b, 0x8b, 0x9e], muLawSamples);
    for (const tone of [aLaw, muLaw]) {
      const level = Math.sqrt(tone.reduce((sum, sample) => sum + sample ** 2, 0) / 8);
      // Full scale is +3.14 dBm0 (A-law) and +3.17 dBm0 (µ-law) of a sine.
      expect(Math.abs(20 * Math.log10((level * Math.SQRT2) / 32_768) + 3.16)).toBeLessThan(0.1);
    }
  });
  it('keeps every code word through samples, and speech levels 36 dB above its noise', () => {
    for (let byte = 0; byte < 256; byte += 1) {
      expect(toALaw(aLawSamples[byte] ?? 0)).toBe(byte);
      // µ-law has two words for nothing.
      expect(toMuLaw(muLawSamples[byte] ?? 0)).toBe(byte === 0x7f ? 0xff : byte);
    }
    for (const [encode, samples] of [
      [toALaw, aLawSamples],
      [toMuLaw, muLawSamples],
    ] as const)
      expect(noiseBelow(sine(1_020, 8_000), (tone) => tone.map((sample) => samples[encode(sample)] ?? 0))).toBeGreaterThan(36);
  });
});

const sine = (hertz: number, level: number, many = 8_000): Int16Array =>
  Int16Array.from({ length: many }, (_, at) => Math.round(level * Math.sin((2 * Math.PI * hertz * at) / 8_000)));
/** By how many dB what is done to a sound leaves the sound above its noise, its first 100 ms left out. */
function noiseBelow(sound: Int16Array, pass: (sound: Int16Array) => Int16Array): number {
  const heard = pass(sound);
  let [signal, noise] = [0, 0];
  for (let at = 800; at < sound.length; at += 1) {
    signal += (sound[at] ?? 0) ** 2;
    noise += ((sound[at] ?? 0) - (heard[at] ?? 0)) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}
const throughG722 = (sound: Int16Array): Int16Array => {
  const [coded, heard] = [new Uint8Array(sound.length), new Int16Array(sound.length)];
  new G722Encoder().encode(sound, coded);
  new G722Decoder().decode(coded, heard);
  return heard;
};

/** 75 ms of a tone of 1 kHz at a level of 8,000, coded in both bands by the implementation in the public domain that Asterisk and WebRTC use. */
const coded1k = Buffer.from(
  [
    'fa9425882191a0a060afc8c6d1def0ebee7bd4d0d3beb0ecf0fc55d194fef1adf1fdd652d6bff2eff3ffd6d497fdf2ef74fd97d496fdf2b0f37ed694',
    'd7fbb4eff4fd57d497fdf2b0f3dfd85399fdf3b1f35f58d39afdb3f1f47d5694d6fcf2f174ff96d4d5bcf2f1f35ed9d39affb4ef76bf57d597fcf4ef',
    '77fed7d697ffb5f072ded89259deb4ef78fa96d4d5dff2f375fbd7d696feb7f1f2ffd8d299def5f0f2ffd7d695dcf8ee76bf99d398d7b275f3dedcd2',
    '95dcf9f0f4fbd4d397dbfab776bfd4d092dcdef477dad6d08f9dd9f8fbd6d6ced294d9fcdfd9d0ce95d29efedcdbd5d091d89ef8fcdfd8cf9ad6fcb8',
    '779cd7d89059ba75f65ede94d1def8f27b7b9bd693fffcf176ffdc90d6dfb6f673bf5d92d7fcfbf375f5965596fffaf273feda95d6fff9eff8f5d6d6',
    '99dbf1b5729edcd39bdff6f3f8f6d3db96dff4f4f3d8dad696def6f4749c95d594ddb674f55a995196fdbb7578dfd4cedf9b78f6fedccfda90da76bf',
    '7b92d9cfd856b9fbd6ded0cfdcd3f4da5d97d3d5909dffdd5ed695d1d7badbf65adcd2d79edaf4fcfad5d5d996f79ff0fdd6dad59dfeb5f2dbfcd4d4',
    '9cfaf0b75fbbd056bbfcae7df356d7df9af3fab037d29f58dcb7f46d5b9f575c9876eefbfd5bdbd69ef071f9fbd7dc90fbf3f672defe91dab7f9ed77',
    'fc9d52fcbef4ec739b7fd5dab9f06cf8f8da95daf674eef8f7d39dd9bbf272f2dcd897fdfdf1aef879d3de99bbf1f0f05a59d898b7f4eb9d399a57ff',
    'ffebfaf1fcd75dd7acf5f2f35bfbd0fab4eff5b2fd5adbb9b46ef2b17fd8dcfff0edaf78f559dbb6b56bf9ac7a54fffbb1eff5ec5edafedfacf3f2f2',
  ].join(''),
  'hex',
);
/** SHA-256 of what the same implementation makes of `noise` below. */
const codedNoise = '9f157e309e5a02035c44548abf78dea0fdbff5f30785fffbef542b2887ab03bf';
/** Noise on a rectangle, louder every 500 samples, up to where it is clipped. */
function noise(): Int16Array {
  let random = 1;
  return Int16Array.from({ length: 4_000 }, (_, at) => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    const level = Math.floor(at / 500) * 4_000;
    return Math.trunc((((random >>> 16) - (random >>> 31) * 32_768 - 16_384) * level) / 32_768) + (at % 80 < 40 ? 1 : -1) * Math.trunc(level / 2);
  });
}

describe('G.722', () => {
  it('codes noise of all levels bit by bit as another implementation does', () => {
    const coded = new Uint8Array(4_000);
    new G722Encoder().encode(noise(), coded);
    expect(createHash('sha256').update(coded).digest('hex')).toBe(codedNoise);
  });
  it('hears a tone that another implementation coded at its pitch and level', () => {
    const heard = new Int16Array(coded1k.length);
    new G722Decoder().decode(coded1k, heard);
    const later = heard.slice(200);
    // At 8 kHz a tone of 1 kHz comes round every eight samples.
    const [cosine, sine_] = [Math.cos, Math.sin].map((wave) => later.reduce((sum, sample, at) => sum + sample * wave((Math.PI * at) / 4), 0));
    const level = (2 * Math.hypot(cosine ?? 0, sine_ ?? 0)) / later.length;
    const all = Math.sqrt((2 * later.reduce((sum, sample) => sum + sample ** 2, 0)) / later.length);
    expect(Math.abs(20 * Math.log10(level / 8_000))).toBeLessThan(0.5);
    expect(level / all).toBeGreaterThan(0.999);
  });
  it.each([300, 1_020, 2_000, 3_000])('leaves a tone of %d Hz well above its noise, loud and soft', (hertz) => {
    for (const level of [16_000, 8_000, 1_000, 200]) expect(noiseBelow(sine(hertz, level), throughG722)).toBeGreaterThan(30);
  });
  it('turns into G.711 and back without losing the tone or its level', () => {
    const tone = sine(1_020, 8_000);
    for (const law of ['pcmu', 'pcma'] as const) {
      const [encode, samples] = law === 'pcmu' ? [toMuLaw, muLawSamples] : [toALaw, aLawSamples];
      const there = turnOf(law, 'g722');
      const back = turnOf('g722', law);
      const passed = noiseBelow(tone, (sound) => {
        const turned = back?.(there?.(Uint8Array.from(sound, encode)) ?? Buffer.alloc(0)) ?? Buffer.alloc(0);
        return Int16Array.from(turned, (byte) => samples[byte] ?? 0);
      });
      expect(passed).toBeGreaterThan(30);
    }
  });
});
