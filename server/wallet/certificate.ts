import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { WalletCertificate } from '#models/wallet.ts';
import { HttpError, invalidField } from '#server/http-error.ts';

/** What signs passes: the certificate of a pass type with its key, and that of its issuer, which phones ask for. */
export interface Signer {
  certificate: X509Certificate;
  issuer: X509Certificate;
  key: KeyObject;
}

const block = /-----BEGIN ([A-Z ]{1,40})-----[\s\S]+?-----END \1-----/g;
const most = 10;
/** Kinds of keys that passes are signed with. */
const keyKinds: readonly (string | undefined)[] = ['rsa', 'ec'];

/** One part of a distinguished name; null where there is none. */
const part = (name: string, key: string): string | null => new RegExp(`^${key}=(.+)$`, 'm').exec(name)?.[1] ?? null;

/** Reads a PEM file. @throws HttpError `corrupted_file`; `invalid_data` for what is missing in it */
export function readSigner(pem: string, passphrase?: string): Signer {
  const blocks = [...pem.matchAll(block)].map(([text, label = '']) => ({ text, label }));
  const found = blocks.filter(({ label }) => label === 'CERTIFICATE');
  const [key] = blocks.filter(({ label }) => label.endsWith('PRIVATE KEY'));
  if (found.length === 0 || found.length > most) throw new HttpError('corrupted_file');
  if (!key) throw invalidField(['certificate'], 'wallet_needs_key');
  const certificates = parsed(() => found.map(({ text }) => new X509Certificate(text)));
  const privateKey = parsed(() => createPrivateKey({ key: key.text, ...(passphrase && { passphrase }) }));
  if (!keyKinds.includes(privateKey.asymmetricKeyType)) throw invalidField(['certificate'], 'wallet_key_kind');
  const certificate = certificates.find((one) => one.checkPrivateKey(privateKey));
  if (!certificate) throw invalidField(['certificate'], 'wallet_needs_key');
  const issuer = certificates.find((one) => one !== certificate && certificate.checkIssued(one) && certificate.verify(one.publicKey));
  if (!issuer) throw invalidField(['certificate'], 'wallet_needs_issuer');
  if (!part(certificate.subject, 'UID') || !part(certificate.subject, 'OU')) throw invalidField(['certificate'], 'wallet_not_for_passes');
  return { certificate, issuer, key: privateKey };
}

function parsed<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new HttpError('corrupted_file');
  }
}

/** The file as it is kept: without a passphrase, sealed by whoever keeps it. */
export const storedPem = ({ certificate, issuer, key }: Signer): string =>
  [certificate.toString(), issuer.toString(), key.export({ type: 'pkcs8', format: 'pem' }).toString()].join('\n');

/** What is told of it. */
export function describeCertificate({ certificate }: Pick<Signer, 'certificate'>): WalletCertificate {
  const { subject, issuer } = certificate;
  return {
    subject: part(subject, 'CN') ?? subject.replaceAll('\n', ', ').slice(0, 200),
    issuer: part(issuer, 'CN') ?? issuer.replaceAll('\n', ', ').slice(0, 200),
    valid_to: new Date(certificate.validTo).toISOString(),
    fingerprint: certificate.fingerprint256,
    pass_type: part(subject, 'UID') ?? '',
    team: part(subject, 'OU') ?? '',
  };
}
