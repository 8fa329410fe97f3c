import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { BrokerCertificate } from '#models/broker.ts';
import { HttpError, invalidField } from '../http-error.ts';

/** What the broker shows devices and proves itself with, as PEM. */
export interface BrokerIdentity {
  /** Its own certificate, then those of its issuers. */
  cert: string;
  key: string;
}
/** The uploaded files, as text. */
interface Files {
  certificate: string;
  key?: string | undefined;
  chain?: string | undefined;
  passphrase?: string | undefined;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----[\s\S]+?-----END \1-----/g;
const mostCertificates = 10;
/** The extended key usage of a server (RFC 5280, 4.2.1.12). */
const serverUsage = '1.3.6.1.5.5.7.3.1';

const blocksOf = (text: string) => [...text.matchAll(BLOCK)].map(([whole, label = '']) => ({ whole, label }));
const isKey = ({ label }: { label: string }): boolean => label.endsWith('PRIVATE KEY');

function certificatesIn(text: string, field: 'certificate' | 'chain'): X509Certificate[] {
  const found = blocksOf(text).filter(({ label }) => label === 'CERTIFICATE');
  if (found.length === 0 || found.length > mostCertificates) throw invalidField([field], 'broker_no_certificate');
  try {
    return found.map(({ whole }) => new X509Certificate(whole));
  } catch {
    throw invalidField([field], 'broker_no_certificate');
  }
}

/** The key, of its own file or of that of the certificate. */
function keyIn({ key, certificate, passphrase }: Files): KeyObject {
  const field = key === undefined ? 'certificate' : 'key';
  const [found] = blocksOf(key ?? certificate).filter(isKey);
  if (!found) throw invalidField(['key'], 'broker_no_key');
  const isEncrypted = /ENCRYPTED/.test(found.whole);
  try {
    return createPrivateKey({ key: found.whole, ...(passphrase && { passphrase }) });
  } catch {
    if (isEncrypted) throw invalidField(['passphrase'], 'broker_passphrase');
    throw invalidField([field], 'broker_no_key');
  }
}

/** Each is issued by the one behind it. */
function requireOrder(certificates: readonly X509Certificate[]): void {
  const isBroken = certificates.some((one, at) => {
    const next = certificates[at + 1];
    return next !== undefined && !(one.checkIssued(next) && one.verify(next.publicKey));
  });
  if (isBroken) throw invalidField(['chain'], 'broker_chain');
}

function requireTimes(certificates: readonly X509Certificate[], now: Date): void {
  certificates.forEach((one, at) => {
    const field = at === 0 ? 'certificate' : 'chain';
    if (new Date(one.validTo) <= now) throw invalidField([field], 'broker_expired');
    if (new Date(one.validFrom) > now) throw invalidField([field], 'broker_not_yet');
  });
}

/** Shorter RSA keys are refused by browsers and by much that checks certificates. */
const leastRsaBits = 2_048;

/** Keys of a length that is trusted, and what TLS itself takes. */
function requireUsable(identity: BrokerIdentity, key: KeyObject): void {
  if ((key.asymmetricKeyDetails?.modulusLength ?? leastRsaBits) < leastRsaBits) throw invalidField(['certificate'], 'broker_weak');
  try {
    createSecureContext(identity);
  } catch {
    throw invalidField(['certificate'], 'broker_weak');
  }
}

const part = (name: string, key: string): string | null => new RegExp(`^${key}=(.+)$`, 'm').exec(name)?.[1] ?? null;
const shortName = (name: string): string => part(name, 'CN') ?? name.replaceAll('\n', ', ').slice(0, 200);
/** The names a certificate is good for; an older one has only that of its subject. */
function namesOf({ subjectAltName, subject }: X509Certificate): string[] {
  const names = [...(subjectAltName ?? '').matchAll(/(?:DNS|IP Address):([^,\s"]+)/g)].map(([, name = '']) => name);
  const own = part(subject, 'CN');
  return names.length > 0 ? names.slice(0, 20) : own === null ? [] : [own];
}

/**
 * Reads what was uploaded: a certificate with its key, and those of its issuers in order.
 * @throws HttpError `invalid_data` that names the file and what is wrong with it
 */
export function readBrokerCertificate(files: Files, now: Date): { identity: BrokerIdentity; summary: BrokerCertificate } {
  const certificates = [...certificatesIn(files.certificate, 'certificate'), ...(files.chain ? certificatesIn(files.chain, 'chain') : [])];
  const [own] = certificates;
  if (!own) throw new HttpError('corrupted_file');
  const key = keyIn(files);
  if (!own.checkPrivateKey(key))
    throw certificates.some((one) => one.checkPrivateKey(key))
      ? invalidField(['certificate'], 'broker_order')
      : invalidField(['key'], 'broker_mismatch');
  requireOrder(certificates);
  requireTimes(certificates, now);
  if (own.keyUsage && !own.keyUsage.includes(serverUsage)) throw invalidField(['certificate'], 'broker_not_server');
  const identity = { cert: certificates.map(String).join('\n'), key: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
  requireUsable(identity, key);
  return {
    identity,
    summary: {
      subject: shortName(own.subject),
      names: namesOf(own),
      issuer: shortName(own.issuer),
      valid_from: new Date(own.validFrom).toISOString(),
      valid_to: new Date(own.validTo).toISOString(),
      fingerprint: own.fingerprint256,
      chain: certificates.length - 1,
    },
  };
}
