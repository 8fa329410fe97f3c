import { createPrivateKey, KeyObject, randomBytes } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { lengthOf } from '#models/time.ts';

const rsa = (modulusLength: number) => ({
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength,
  publicExponent: new Uint8Array([1, 0, 1]),
});
const kinds = {
  ec: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  ed25519: { name: 'Ed25519' },
  'rsa:2048': rsa(2_048),
  'rsa:1024': rsa(1_024),
} as const;

/** A certificate with its key, as PEM; it can sign others. */
export interface Certificate {
  cert: string;
  key: string;
  subject: string;
  signWith: { key: CryptoKey; algorithm: (typeof kinds)[keyof typeof kinds] };
}
interface Wish {
  /** Who signs it; itself where nobody is named. */
  by?: Certificate;
  /** It ends after so many days. */
  days?: number;
  kind?: keyof typeof kinds;
  /** Names and addresses it is good for. */
  names?: readonly { type: 'dns' | 'ip'; value: string }[];
  usage?: 'serverAuth' | 'clientAuth';
  isAuthority?: boolean;
}

/** Makes a certificate for this subject, as `CN=…, O=…`. */
export async function certify(
  subject: string,
  { by, days = 365, kind = 'ec', names = [], usage, isAuthority = false }: Wish = {},
): Promise<Certificate> {
  const algorithm = kinds[kind];
  const { privateKey, publicKey } = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
  const signer = by?.signWith ?? { key: privateKey, algorithm };
  const made = await X509CertificateGenerator.create({
    serialNumber: `01${randomBytes(8).toString('hex')}`,
    subject,
    issuer: by?.subject ?? subject,
    notBefore: new Date(),
    notAfter: new Date(Date.now() + days * lengthOf(1, 'day')),
    publicKey,
    signingKey: signer.key,
    signingAlgorithm: signer.algorithm,
    extensions: [
      ...(isAuthority ? [new BasicConstraintsExtension(true, undefined, true)] : []),
      ...(names.length > 0 ? [new SubjectAlternativeNameExtension([...names])] : []),
      ...(usage ? [new ExtendedKeyUsageExtension([ExtendedKeyUsage[usage]])] : []),
    ],
  });
  const key = KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  return { cert: `${made.toString('pem')}\n`, key, subject, signWith: { key: privateKey, algorithm } };
}

/** A key behind a passphrase: in the form of its own kind, or that of all keys. */
export const locked = (key: string, passphrase: string, type: 'sec1' | 'pkcs8'): string =>
  createPrivateKey(key).export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase }).toString();

/** One for a server that is called this, signed by itself. */
export const selfSigned = (name: string): Promise<Certificate> => certify(`CN=${name}`, { days: 2, names: [{ type: 'dns', value: name }] });

/** The authority that signs certificates for passes of a wallet. */
export const passAuthority = (): Promise<Certificate> => certify('CN=Test WWDR', { kind: 'rsa:2048', isAuthority: true });

/** A certificate for wallet passes, with its key. */
export const passCertificate = (by: Certificate): Promise<Certificate> =>
  certify('0.9.2342.19200300.100.1.1=pass.org.example.door, CN=Pass Type ID, OU=TEAM123456, O=Example', { by, kind: 'rsa:2048', days: 3_650 });
