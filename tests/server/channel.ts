import { setTimeout as pause } from 'node:timers/promises';
import WebSocket, { type ClientOptions } from 'ws';
import { readServerFrame, type ServerWord } from '#models/realtime.ts';
import { longestWait } from '#tests/support/in-time.ts';

/** A client of the realtime channel, as a test has it: it keeps all it heard. */
export interface Channel {
  ws: WebSocket;
  heard: ServerWord[];
  /** The close code, once it is closed. */
  closed: Promise<number>;
  say: (frame: unknown) => void;
  /** Subscribes, and answers what the server says to that. */
  subscribe: (topic: string) => Promise<'Subscribed' | 'Refused'>;
  /** The first word of this name (about this topic) heard so far or within the timeout. */
  wait: (name: ServerWord['name'], topic?: string, timeout?: number) => Promise<ServerWord>;
  /** Everything of this name heard so far. */
  all: <N extends ServerWord['name']>(name: N) => Extract<ServerWord, { name: N }>[];
}

/** Refused before it was open: the status of the answer. */
export class HandshakeRefused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the handshake was answered ${status}`);
    this.status = status;
  }
}

/** Opens the channel of a server. @throws HandshakeRefused */
export async function openChannel(url: string, token: string | null, options: ClientOptions = {}): Promise<Channel> {
  const address = `${url.replace(/^http/, 'ws')}/api/v0/ws${token === null ? '' : `?access_token=${token}`}`;
  const ws = new WebSocket(address, options);
  const heard: ServerWord[] = [];
  ws.on('message', (data: Buffer) => {
    const word = readServerFrame(data.toString());
    if (!word) throw new Error(`the server said what no client can read: ${data.toString().slice(0, 200)}`);
    heard.push(word);
  });
  const closed = new Promise<number>((done) => ws.on('close', done));
  await new Promise<void>((done, fail) => {
    ws.once('open', () => done());
    ws.once('unexpected-response', (_request, response) => {
      response.resume();
      fail(new HandshakeRefused(response.statusCode ?? 0));
    });
    ws.once('error', fail);
  });
  ws.on('error', () => undefined);
  const wait: Channel['wait'] = async (name, topic, timeout = longestWait) => {
    const begun = performance.now();
    for (;;) {
      const word = heard.find((one) => one.name === name && (topic === undefined || one.topic === topic));
      if (word) return word;
      if (performance.now() - begun > timeout) throw new Error(`${name} was not heard; heard: ${JSON.stringify(heard).slice(0, 500)}`);
      await pause(10);
    }
  };
  const say: Channel['say'] = (frame) => ws.send(typeof frame === 'string' || frame instanceof Buffer ? frame : JSON.stringify(frame));
  return {
    ws,
    heard,
    closed,
    say,
    wait,
    all: (name) => heard.filter((word) => word.name === name) as never,
    subscribe: async (topic) => {
      const before = heard.length;
      say({ command: 'subscribe', topic });
      for (;;) {
        const answer = heard.slice(before).find((word) => word.topic === topic && (word.name === 'Subscribed' || word.name === 'Refused'));
        if (answer) return answer.name as 'Subscribed' | 'Refused';
        if (ws.readyState !== ws.OPEN) throw new Error('the channel was closed');
        await pause(5);
      }
    },
  };
}
