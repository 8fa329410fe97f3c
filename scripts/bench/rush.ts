import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { api, type RunningServer, startServer, tokenOf } from '#tests/e2e/support/server.ts';
import { SipClient } from '#tests/server/sip-client.ts';
import { type Figure, median, percentile } from './figures.ts';

const many = 50;
const callers = ['admin', 'manager', 'concierge'] as const;
const print = Array.from({ length: 32 }, (_, at) => at.toString(16).padStart(2, '0').toUpperCase()).join(':');
/** What a browser offers, in short. */
const offer = [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 9 0 8 110 126',
  'c=IN IP4 0.0.0.0',
  'a=mid:0',
  'a=sendrecv',
  'a=rtpmap:111 opus/48000/2',
  'a=rtpmap:110 telephone-event/48000',
  'a=rtpmap:126 telephone-event/8000',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuvwx',
  `a=fingerprint:sha-256 ${print}`,
  'a=setup:actpass',
  'a=rtcp-mux',
  '',
].join('\r\n');

/** The phone of somebody, registered; null for one without a number. */
async function phoneOf(server: RunningServer, login: string): Promise<SipClient | null> {
  const token = await tokenOf(server, login);
  const { body } = await api<{ data: { profile: { sip_number: { number: string; password: string } | null } } }>(server, 'GET', '/profile', {
    token,
  });
  const account = body.data.profile.sip_number;
  if (!account) return null;
  const { body: settings } = await api<{ data: { sip: { port: number } } }>(server, 'GET', '/calls/settings', { token });
  return SipClient.registered({ url: `ws://127.0.0.1:${settings.data.sip.port}`, number: account.number, password: account.password });
}
/** Does something over and over, beside whatever else happens, and notes how long it takes each time. @returns how to stop, and the times */
function beside(work: () => Promise<unknown>): () => Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await work();
      times.push(performance.now() - begun);
      await wait(10);
    }
  })();
  // A server that is gone is told by what was asked of it.
  running.catch(() => undefined);
  return async () => {
    isOver = true;
    await running;
    return times;
  };
}

/** Rings as a phone does, and notes when. */
async function ringing(phone: SipClient): Promise<number[]> {
  const rung: number[] = [];
  while (rung.length < many) {
    const call = await phone.incoming(60_000);
    rung.push(performance.now());
    phone.ring(call);
  }
  return rung;
}

/** Fifty calls in the same moment: when each rings, and what those notice who have nothing to do with it. */
export async function benchRush(): Promise<Figure[]> {
  const server = await startServer({ env: { DOORWARD_LOG: 'error' } });
  const open: SipClient[] = [];
  try {
    const [called, bystander, ...from] = [
      await phoneOf(server, 'resident'),
      await phoneOf(server, 'admin'),
      ...(await Promise.all(callers.map((login) => phoneOf(server, login)))),
    ];
    const calling = from.filter((one) => one !== null);
    open.push(...[called, bystander, ...from].filter((one) => one !== null));
    if (!called || !bystander || calling.length < 3) throw new Error('the demo has too few numbers');
    const [health, register] = [beside(() => fetch(`${server.url}/healthz`).then((answer) => answer.text())), beside(() => bystander.register())];
    await wait(500);
    const [begun, rings] = [performance.now(), ringing(called)];
    for (let at = 0; at < many; at += 1) calling[at % calling.length]?.invite(called.number, { sdp: offer });
    const times = (await rings).map((each) => each - begun);
    const [answered, registered] = [await health(), await register()];
    return [
      { what: `first ring of ${many} calls at once, the first`, unit: 'ms', ours: Math.min(...times) },
      { what: `first ring of ${many} calls at once, p50`, unit: 'ms', ours: median(times) },
      { what: `first ring of ${many} calls at once, the last`, unit: 'ms', ours: Math.max(...times) },
      { what: '/healthz meanwhile, p99', unit: 'ms', ours: percentile(answered, 0.99), atMost: 100 },
      { what: '/healthz meanwhile, longest', unit: 'ms', ours: Math.max(...answered) },
      { what: 'registering meanwhile, p99', unit: 'ms', ours: percentile(registered, 0.99), atMost: 150 },
      { what: 'registering meanwhile, longest', unit: 'ms', ours: Math.max(...registered) },
      { what: 'load of the machine (1 minute)', unit: '', ours: loadavg()[0] ?? 0 },
    ];
  } finally {
    for (const client of open) client.kill();
    await server.discard();
  }
}
