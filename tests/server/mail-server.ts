import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail server on this machine, and what it took. */
export interface MailServer {
  port: number;
  /** Whole messages, oldest first. */
  taken: { text: string; to: string[]; user: string | null; encrypted: boolean }[];
  /** What it answers from now on instead of taking a mail; null takes it. */
  refuse: (answer: { code: number; words: string } | null) => void;
  close: () => Promise<void>;
}

const failure = ({ code, words }: { code: number; words: string }): Error => Object.assign(new Error(words), { responseCode: code });

/** Opens a mail server; `login` is what it asks for, if anything. */
export async function openMailServer({
  login,
  ...options
}: SMTPServerOptions & { login?: { user: string; pass: string } } = {}): Promise<MailServer> {
  const taken: MailServer['taken'] = [];
  let answer: { code: number; words: string } | null = null;
  const server = new SMTPServer({
    logger: false,
    authOptional: login === undefined,
    ...options,
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.pass) done(null, { user: username });
      else done(failure({ code: 535, words: 'Bad user or password' }));
    },
    onRcptTo(_address, _session, done) {
      done(answer ? failure(answer) : null);
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        taken.push({
          text: Buffer.concat(parts).toString(),
          to: session.envelope.rcptTo.map(({ address }) => address),
          user: typeof session.user === 'string' ? session.user : null,
          encrypted: session.secure,
        });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((open) => server.listen(0, '127.0.0.1', () => open()));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    taken,
    refuse: (next) => {
      answer = next;
    },
    close: () => new Promise((done) => server.close(() => done())),
  };
}
