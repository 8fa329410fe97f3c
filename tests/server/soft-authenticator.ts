import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { MadePasskey, ShownPasskey } from '#models/passkey-calls.ts';

const sha = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();
const base64url = (bytes: Buffer): string => bytes.toString('base64url');

/** CBOR (RFC 8949) of what passkeys are made of: small numbers, bytes, texts and maps. */
function cbor(value: number | Buffer | string | Map<number | string, unknown>): Buffer {
  const head = (major: number, count: number): Buffer => {
    if (count < 24) return Buffer.from([(major << 5) | count]);
    return count < 256 ? Buffer.from([(major << 5) | 24, count]) : Buffer.from([(major << 5) | 25, count >> 8, count & 0xff]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item as never)])]);
}

interface Ceremony {
  challenge: string;
  origin: string;
  rpId: string;
  /** What the authenticator says about the person: 0x01 present, 0x04 verified. */
  flags?: number;
  counter?: number;
}

/** An authenticator with one passkey (ES256), that answers whatever it is told to, also what no honest one would. */
export function softAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  const common = { id: base64url(id), rawId: base64url(id), type: 'public-key' as const, clientExtensionResults: {} };
  const client = (type: string, { challenge, origin }: Ceremony): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const data = ({ rpId, flags = 0x05, counter = 0 }: Ceremony, attested: Buffer = Buffer.alloc(0)): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha(rpId), Buffer.from([attested.length > 0 ? flags | 0x40 : flags]), count, attested]);
  };
  return {
    id: common.id,
    make(ceremony: Ceremony): MadePasskey {
      const key = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      );
      const length = Buffer.from([0, id.length]);
      const authData = data(ceremony, Buffer.concat([Buffer.alloc(16), length, id, key]));
      const attestation = cbor(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      );
      return {
        ...common,
        response: {
          clientDataJSON: base64url(client('webauthn.create', ceremony)),
          attestationObject: base64url(attestation),
          transports: ['internal'],
        },
      };
    },
    show(ceremony: Ceremony): ShownPasskey {
      const [clientData, authData] = [client('webauthn.get', ceremony), data(ceremony)];
      const signature = createSign('sha256')
        .update(Buffer.concat([authData, sha(clientData)]))
        .sign(privateKey);
      return {
        ...common,
        response: { clientDataJSON: base64url(clientData), authenticatorData: base64url(authData), signature: base64url(signature) },
      };
    },
  };
}
