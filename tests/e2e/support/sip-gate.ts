import type { Page, WebSocketRoute } from 'playwright-core';
import { longestWait } from '#tests/support/in-time.ts';

/**
 * Messages that wait at the gate when they are held. `offer`: a call that comes in, with all that follows it; `answer`: the page takes
 * one; `join`: it goes into a call of the queue; `reoffer`: it asks for something else within a call.
 */
export type Held = 'offer' | 'answer' | 'join' | 'reoffer';

/** The SIP of a page, message by message: the test lets them through when the story says so. */
export interface SipGate {
  /** Such messages wait from now on. */
  hold: (...kinds: Held[]) => void;
  /** Such messages that wait now. */
  waiting: (kind: Held) => number;
  /** Lets those of these kinds through that wait, or the first to come; whatever comes after them waits. */
  pass: (...kinds: Held[]) => Promise<void>;
  /** Answers the request that waits in the server's place, which never hears of it. */
  refuse: (kind: 'join' | 'reoffer', status: number, reason: string) => Promise<void>;
  /** Ends the ring of the last call that was offered, as its server would. */
  endRing: () => void;
  /** The speech id of the last call that was offered. */
  speechId: () => string;
  /** The connection is lost; another cannot be had until it is mended. */
  cut: () => void;
  mend: () => void;
  /** Nothing is held any more; what the page asked meanwhile is forgotten, what it answered and was offered goes on. */
  open: () => void;
}

interface Waiting {
  kind: Held;
  text: string;
  send: () => void;
  /** Answers the page. */
  reply: (text: string) => void;
}

const header = (text: string, name: string): string => new RegExp(`^${name}: *(.*)$`, 'im').exec(text)?.[1]?.trim() ?? '';
const isInDialog = (text: string): boolean => /;tag=/.test(header(text, 'To'));
const lines = (...text: string[]): string => `${text.join('\r\n')}\r\n\r\n`;
/** What an answer and a CANCEL have in common with the request they belong to. */
const copied = (text: string, ...names: string[]): string[] => names.map((name) => `${name}: ${header(text, name)}`);

function sentKind(text: string): Held | null {
  if (text.startsWith('SIP/2.0 200') && header(text, 'CSeq').endsWith('INVITE')) return 'answer';
  if (!text.startsWith('INVITE ')) return null;
  return isInDialog(text) ? 'reoffer' : 'join';
}
const heardKind = (text: string): Held | null => (text.startsWith('INVITE ') && !isInDialog(text) ? 'offer' : null);

/** Sets a gate before the SIP of a page that is yet to be opened; open until something is held. */
export async function setSipGate(page: Page): Promise<SipGate> {
  const held = new Set<Held>();
  let queue: Waiting[] = [];
  let isCut = false;
  let socket: WebSocketRoute | undefined;
  let offered = '';

  const meet = (kind: Held | null, one: Omit<Waiting, 'kind'>): void => {
    const follows = queue.find(({ kind: first, text }) => first === 'offer' && header(text, 'Call-ID') === header(one.text, 'Call-ID'));
    const as = follows ? 'offer' : kind;
    if (as && held.has(as)) queue.push({ kind: as, ...one });
    else one.send();
  };
  await page.routeWebSocket(
    (url) => !url.pathname.startsWith('/api/'),
    (route) => {
      if (isCut) return void route.close({ code: 1012 });
      socket = route;
      const server = route.connectToServer();
      const reply = (text: string): void => route.send(text);
      route.onMessage((message) => meet(sentKind(String(message)), { text: String(message), send: () => server.send(message), reply }));
      server.onMessage((message) => {
        const text = String(message);
        if (heardKind(text)) offered = text;
        meet(heardKind(text), { text, send: () => route.send(message), reply });
      });
      return undefined;
    },
  );
  const take = async (...kinds: Held[]): Promise<Waiting[]> => {
    const isWanted = ({ kind }: Waiting): boolean => kinds.includes(kind);
    const until = performance.now() + longestWait;
    while (!queue.some(isWanted) && performance.now() < until) await page.waitForTimeout(20);
    const taken = queue.filter(isWanted);
    if (taken.length === 0) throw new Error(`no ${kinds.join(' or ')} came to the gate`);
    queue = queue.filter((one) => !isWanted(one));
    return taken;
  };
  return {
    hold: (...kinds) => kinds.forEach((kind) => held.add(kind)),
    waiting: (kind) => queue.filter((one) => one.kind === kind).length,
    pass: async (...kinds) => (await take(...kinds)).forEach(({ send }) => send()),
    refuse: async (kind, status, reason) => {
      for (const { text, reply } of await take(kind)) {
        const to = isInDialog(text) ? header(text, 'To') : `${header(text, 'To')};tag=gate`;
        reply(lines(`SIP/2.0 ${status} ${reason}`, ...copied(text, 'Via', 'From', 'Call-ID', 'CSeq'), `To: ${to}`, 'Content-Length: 0'));
      }
    },
    endRing: () => {
      const [, target = ''] = offered.split(' ');
      const number = Number.parseInt(header(offered, 'CSeq'), 10);
      const about = copied(offered, 'Via', 'From', 'To', 'Call-ID');
      socket?.send(lines(`CANCEL ${target} SIP/2.0`, ...about, `CSeq: ${number} CANCEL`, 'Max-Forwards: 70', 'Content-Length: 0'));
    },
    speechId: () => header(offered, 'X-Speech-Id'),
    cut: () => {
      isCut = true;
      void socket?.close({ code: 1012 });
    },
    mend: () => {
      isCut = false;
    },
    open: () => {
      held.clear();
      isCut = false;
      for (const { kind, send } of queue.splice(0)) if (kind === 'answer' || kind === 'offer') send();
    },
  };
}
