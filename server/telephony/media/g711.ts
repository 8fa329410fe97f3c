const [bias, clip] = [132, 32_635];

/** A sample of 16 bits as one byte of G.711 µ-law. */
export function toMuLaw(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), clip) + bias;
  const exponent = 24 - Math.clz32(magnitude);
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | ((magnitude >> (exponent + 3)) & 15)) & 255;
}
function fromMuLaw(byte: number): number {
  const code = ~byte & 255;
  const magnitude = (((code & 15) << 3) + bias) << ((code >> 4) & 7);
  return code & 0x80 ? bias - magnitude : magnitude - bias;
}
/** Every other bit of A-law is turned over on the line (G.711 section 3.1). */
const turned = 0x55;
/** A sample of 16 bits as one byte of G.711 A-law. */
export function toALaw(sample: number): number {
  // A-law has no code for nothing: below zero its steps begin at -1.
  const magnitude = sample < 0 ? ~sample : sample;
  const step = Math.min(magnitude, 32_767) >> 4;
  const exponent = Math.max(0, 28 - Math.clz32(step));
  const code = exponent === 0 ? step : (exponent << 4) | ((step >> (exponent - 1)) & 15);
  return (code | (sample < 0 ? 0 : 0x80)) ^ turned;
}
function fromALaw(byte: number): number {
  const code = byte ^ turned;
  const [exponent, step] = [(code >> 4) & 7, code & 15];
  const magnitude = exponent === 0 ? (step << 4) + 8 : ((step << 4) + 264) << (exponent - 1);
  return code & 0x80 ? magnitude : -magnitude;
}

const bytes = Array.from({ length: 256 }, (_, byte) => byte);
/** The sample of 16 bits that each byte of µ-law stands for. */
export const muLawSamples = Int16Array.from(bytes, fromMuLaw);
/** The sample of 16 bits that each byte of A-law stands for. */
export const aLawSamples = Int16Array.from(bytes, fromALaw);
/** Each byte of µ-law in A-law. */
export const muLawAsALaw = Uint8Array.from(bytes, (byte) => toALaw(muLawSamples[byte] ?? 0));
/** Each byte of A-law in µ-law. */
export const aLawAsMuLaw = Uint8Array.from(bytes, (byte) => toMuLaw(aLawSamples[byte] ?? 0));
