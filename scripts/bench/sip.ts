import { readMessage } from '#server/telephony/sip/message.ts';
import { makeRandom, mutate } from '#tests/server/sip-mutations.ts';
import { torture } from '#tests/server/sip-messages.ts';
import { SipClient } from '#tests/server/sip-client.ts';
import { someSdp } from '#tests/server/sip-compose.ts';
import { bridgeCalls, openTestSip, type TestSip } from '#tests/server/sip-support.ts';
import { type Figure, median, percentile, timesOf } from './figures.ts';

/** BENCH_SHORT=1 looks for an order of magnitude only. */
const short = process.env['BENCH_SHORT'] !== undefined;
const mutations = short ? 2_000 : 20_000;
const rounds = short ? 50 : 500;

/** What something takes, in ms: of the processor, and by the clock on the wall. */
function costOf(run: () => unknown): { processor: number; clock: number } {
  const [begun, from] = [process.cpuUsage(), performance.now()];
  run();
  const clock = performance.now() - from;
  const { user, system } = process.cpuUsage(begun);
  return { processor: (user + system) / 1_000, clock };
}

/** How long one message takes to be read, whatever has been done to it; beside the reading of the same bytes as JSON. */
function reading(): Figure[] {
  const random = makeRandom(4475);
  const times: ReturnType<typeof costOf>[] = [];
  const baseline: ReturnType<typeof costOf>[] = [];
  for (let at = 0; at < mutations; at += 1) {
    const text = mutate(torture[at % torture.length]?.[1] ?? '', random);
    times.push(costOf(() => readMessage(text)));
    const quoted = JSON.stringify({ text });
    baseline.push(costOf(() => JSON.parse(quoted)));
  }
  return (['processor', 'clock'] as const).flatMap((by): Figure[] => {
    const [ours, bare] = [times.map((one) => one[by]), baseline.map((one) => one[by])];
    const what = `${mutations.toLocaleString('en')} spoilt messages read (${by})`;
    return [
      { what: `${what}, p50`, unit: 'ms', ours: median(ours), baseline: { what: 'JSON.parse', value: median(bare) } },
      { what: `${what}, p99`, unit: 'ms', ours: percentile(ours, 0.99), atMost: 5 },
    ];
  });
}

async function callOnce(one: SipClient, two: SipClient): Promise<void> {
  const call = one.invite(two.number);
  const incoming = await two.incoming();
  if (incoming.invite) two.reply(incoming.invite, 200, { call: incoming, body: someSdp() });
  one.acknowledge(call, await one.response('INVITE', call.callId));
  await two.next(({ method, of }) => method === 'ACK' && of('call-id') === incoming.callId);
  const bye = two.request('BYE');
  await one.bye(call);
  two.reply(await bye, 200);
}

/** Sends spoilt messages as fast as one address may, until told to stop. */
function disturb(server: TestSip): () => void {
  const random = makeRandom(5118);
  let client: SipClient | null = null;
  const timer = setInterval(() => {
    if (!client?.isOpen) return void SipClient.open(server.options('1000')).then((opened) => (client = opened));
    for (let times = 0; times < 2; times += 1) client.send(mutate(torture[Math.floor(random() * torture.length)]?.[1] ?? '', random));
  }, 10);
  return () => {
    clearInterval(timer);
    client?.kill();
  };
}

const halfAndWorst = (what: string, times: readonly number[]): Figure[] => [
  { what: `${what}, p50`, unit: 'ms', ours: median(times) },
  { what: `${what}, p99`, unit: 'ms', ours: percentile(times, 0.99) },
];

/** What SIP costs: reading messages, registering, a call from the first word to the last; and that nobody waits for who sends rubbish. */
export async function benchSip(): Promise<Figure[]> {
  const server = await openTestSip();
  bridgeCalls(server.sip);
  try {
    let [one, two] = [await server.client('1001'), await server.client('1002')];
    await callOnce(one, two);
    // Nobody may send as much as this over one socket; each takes a fresh one in time.
    const timed = async (run: () => Promise<unknown>): Promise<number[]> => {
      const times: number[] = [];
      for (let done = 0; done < rounds; done += 50) {
        [one, two] = [await server.client('1001', { instance: one.instance }), await server.client('1002', { instance: two.instance })];
        times.push(...(await timesOf(50, run)));
      }
      return times;
    };
    const registers = await timed(() => one.register());
    const calls = await timed(() => callOnce(one, two));
    const stop = disturb(server);
    const disturbed = await timed(() => one.register());
    stop();
    return [
      ...reading(),
      ...halfAndWorst('registered: challenge and proof', registers),
      {
        what: 'registered while another sends rubbish, p99',
        unit: 'ms',
        ours: percentile(disturbed, 0.99),
        baseline: { what: 'in peace', value: percentile(registers, 0.99) },
      },
      {
        what: 'so much longer it takes than in peace, p99',
        unit: 'ms',
        ours: Math.max(0, percentile(disturbed, 0.99) - percentile(registers, 0.99)),
        atMost: 5,
      },
      ...halfAndWorst('a call through the server, dialled to hung up', calls),
    ];
  } finally {
    await server.close();
  }
}
