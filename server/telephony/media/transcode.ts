import { aLawAsMuLaw, aLawSamples, muLawAsALaw, muLawSamples, toALaw, toMuLaw } from './g711.ts';
import { G722Decoder, G722Encoder } from './g722.ts';

/** Voice that becomes another at little cost: all of it with 8,000 steps a second on the wire, a byte a step (RFC 3551). */
const narrow = ['pcmu', 'pcma', 'g722'] as const;
type Narrow = (typeof narrow)[number];
const isNarrow = (key: string): key is Narrow => (narrow as readonly string[]).includes(key);

/** What a voice can be turned into, itself left out. */
export const convertible = (key: string): readonly Narrow[] => (isNarrow(key) ? narrow.filter((other) => other !== key) : []);

type Turn = (payload: Uint8Array) => Buffer;
const byTable =
  (table: Uint8Array): Turn =>
  (payload) => {
    const turned = Buffer.allocUnsafe(payload.length);
    for (let at = 0; at < payload.length; at += 1) turned[at] = table[payload[at] ?? 0] ?? 0;
    return turned;
  };
function toG722(samples: Int16Array): Turn {
  const encoder = new G722Encoder();
  return (payload) => {
    const turned = Buffer.allocUnsafe(payload.length);
    encoder.encode(
      Int16Array.from(payload, (byte) => samples[byte] ?? 0),
      turned,
    );
    return turned;
  };
}
function fromG722(law: (sample: number) => number): Turn {
  const decoder = new G722Decoder();
  return (payload) => {
    const samples = new Int16Array(payload.length);
    decoder.decode(payload, samples);
    return Buffer.from(Uint8Array.from(samples, law));
  };
}

/** How one stream of voice is turned into another kind; null where it is not. */
export function turnOf(from: string, to: string): Turn | null {
  switch (`${from} ${to}`) {
    case 'pcmu pcma':
      return byTable(muLawAsALaw);
    case 'pcma pcmu':
      return byTable(aLawAsMuLaw);
    case 'pcmu g722':
      return toG722(muLawSamples);
    case 'pcma g722':
      return toG722(aLawSamples);
    case 'g722 pcmu':
      return fromG722(toMuLaw);
    case 'g722 pcma':
      return fromG722(toALaw);
    default:
      return null;
  }
}
