import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { CertificateInfo } from '#models/integrations.ts';
import { HttpError } from '#server/http-error.ts';

/** What TLS is told: whom to trust besides those everybody trusts, and who the server is. */
export interface Trust {
  ca?: string[];
  cert?: string;
  key?: string;
}

const block = /-----BEGIN ([A-Z ]{1,40})-----[\s\S]+?-----END \1-----/g;
const most = 10;

interface Read {
  certificates: X509Certificate[];
  key: KeyObject | null;
  keyText: string | null;
}

/** The parts of a PEM file. @throws HttpError `corrupted_file` where they cannot be read, or do not belong together */
function read(pem: string): Read {
  const blocks = [...pem.matchAll(block)].map(([text, label = '']) => ({ text, label }));
  const [certificates, keys] = [blocks.filter(({ label }) => label === 'CERTIFICATE'), blocks.filter(({ label }) => label.endsWith('PRIVATE KEY'))];
  if (certificates.length === 0 || certificates.length > most || keys.length > 1) throw new HttpError('corrupted_file');
  try {
    const keyText = keys[0]?.text ?? null;
    return {
      certificates: certificates.map(({ text }) => new X509Certificate(text)),
      key: keyText === null ? null : createPrivateKey(keyText),
      keyText,
    };
  } catch {
    throw new HttpError('corrupted_file');
  }
}

const own = ({ certificates, key }: Read): X509Certificate | undefined =>
  key === null ? undefined : certificates.find((one) => one.checkPrivateKey(key));
/** The common name, or the whole of it where there is none. */
const nameIn = (text: string): string => /^CN=(.+)$/m.exec(text)?.[1] ?? text.replaceAll('\n', ', ').slice(0, 200);

/** What is told of a certificate file. @throws HttpError `corrupted_file` for what is none, or holds a key without its certificate */
export function certificateInfo(pem: string): CertificateInfo {
  const parts = read(pem);
  const shown = own(parts) ?? parts.certificates[0];
  if (!shown || (parts.key !== null && !own(parts))) throw new HttpError('corrupted_file');
  return {
    subject: nameIn(shown.subject),
    issuer: nameIn(shown.issuer),
    valid_to: new Date(shown.validTo).toISOString(),
    fingerprint: shown.fingerprint256,
    has_key: parts.key !== null,
  };
}

/** A certificate file as TLS takes it: with a key it says who the server is, and all in it are trusted. */
export function trustOf(pem: string | null): Trust {
  if (pem === null) return {};
  const parts = read(pem);
  const mine = own(parts);
  const chain = mine ? [mine, ...parts.certificates.filter((one) => one !== mine)].map(String).join('\n') : null;
  return {
    ca: [...rootCertificates, ...parts.certificates.map(String)],
    ...(chain !== null && parts.keyText !== null && { cert: chain, key: parts.keyText }),
  };
}
