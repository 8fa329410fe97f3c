import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** One request that came in. */
export interface Got {
  path: string;
  headers: Record<string, string>;
  body: string;
}
/** A server of a test: it keeps what came in, and answers as it is told. */
export interface Receiver {
  url: string;
  port: number;
  got: Got[];
  answer: (respond: (got: Got, response: ServerResponse) => void) => void;
  close: () => Promise<void>;
}

/** Opens a server on a free port of this machine. */
export async function openReceiver(tls?: {
  key: string;
  cert: string;
  ca?: string;
  requestCert?: boolean;
  rejectUnauthorized?: boolean;
}): Promise<Receiver> {
  let respond: (got: Got, response: ServerResponse) => void = (_got, response) => response.writeHead(204).end();
  const got: Got[] = [];
  const listen = (request: IncomingMessage, response: ServerResponse): void => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers as Record<string, string>, body: Buffer.concat(parts).toString() };
      got.push(one);
      respond(one, response);
    });
  };
  const server = tls ? createTlsServer(tls, listen) : createServer(listen);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://localhost:${port}`,
    port,
    got,
    answer: (how) => {
      respond = how;
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

/** Whether an answer to a digest challenge is right (RFC 7616 with MD5, as cameras have it). */
export function isDigestRight(header: string, method: string, login: string, password: string): boolean {
  const part = (name: string): string => new RegExp(`(?:^|[ ,])${name}="?([^",]+)"?`).exec(header)?.[1] ?? '';
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
  const [one, two] = [md5(`${login}:${part('realm')}:${password}`), md5(`${method}:${part('uri')}`)];
  return part('response') === md5([one, part('nonce'), part('nc'), part('cnonce'), part('qop'), two].join(':'));
}
