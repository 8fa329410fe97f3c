import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate for wallet passes with its key and its issuer, as one PEM file, made for these subjects by an authority of the test. */
export function passCertificate(subject = '/UID=pass.org.example.door/CN=Pass Type ID/OU=TEAM123456/O=Example'): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'pass-certificate-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  try {
    openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '30', '-subj', '/CN=Test WWDR');
    openssl('req', ...key, '-keyout', 'pass.key', '-out', 'pass.csr', '-subj', subject);
    openssl('x509', '-req', '-in', 'pass.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '30', '-out', 'pass.pem');
    return Buffer.concat(['pass.pem', 'pass.key', 'ca.pem'].map((name) => readFileSync(join(folder, name))));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
