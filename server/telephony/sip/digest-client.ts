import { randomBytes } from 'node:crypto';
import { type Algorithm, readParameters, responseOf } from './digest.ts';
import type { SipResponse } from './message.ts';
import type { Header } from './write.ts';

export interface Credentials {
  login: string;
  password: string;
}

const quote = (text: string): string => `"${text.replaceAll(/[\\"]/g, (one) => `\\${one}`)}"`;

type Challenge = ReadonlyMap<string, string>;

/** The strongest of a server's challenges that we know as well; null where there is none. */
function strongestOf(challenges: readonly (Challenge | null)[]): { challenge: Challenge; algorithm: Algorithm } | null {
  for (const algorithm of ['SHA-256', 'MD5'] as const) {
    const challenge = challenges.find(
      (one) =>
        one &&
        (one.get('algorithm') ?? 'MD5').toUpperCase() === algorithm &&
        (one.get('qop') ?? '').split(',').some((kind) => kind.trim() === 'auth'),
    );
    if (challenge) return { challenge, algorithm };
  }
  return null;
}

/** Our answer to another server's challenge, the strongest that both know. @returns null where it asks for what we cannot give */
export function respondTo(
  response: Pick<SipResponse, 'status' | 'headers'>,
  { login, password }: Credentials,
  method: string,
  uri: string,
): Header | null {
  const proxy = response.status === 407;
  const strongest = strongestOf(
    (response.headers.get(proxy ? 'proxy-authenticate' : 'www-authenticate') ?? []).map((value) => readParameters(value)),
  );
  if (!strongest) return null;
  const { challenge, algorithm } = strongest;
  const of = (name: string) => challenge.get(name) ?? '';
  const shown = {
    username: login,
    realm: of('realm'),
    nonce: of('nonce'),
    uri,
    algorithm,
    qop: 'auth',
    cnonce: randomBytes(8).toString('hex'),
    nc: '00000001',
  };
  const parts = [
    `username=${quote(login)}`,
    `realm=${quote(shown.realm)}`,
    `nonce=${quote(shown.nonce)}`,
    `uri=${quote(uri)}`,
    `response="${responseOf(shown, method, password)}"`,
    `algorithm=${algorithm}`,
    'qop=auth',
    `cnonce="${shown.cnonce}"`,
    `nc=${shown.nc}`,
    ...(challenge.has('opaque') ? [`opaque=${quote(of('opaque'))}`] : []),
  ];
  return [proxy ? 'Proxy-Authorization' : 'Authorization', `Digest ${parts.join(', ')}`];
}
