import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SimulatedClock } from 'xstate';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Quiet } from '#server/telephony/calls/quiet.ts';
import { isFull } from '#tests/support/extent.ts';
import { inTime, longestWait } from '#tests/support/in-time.ts';
import { type CallServer, openCallServer, type Phone, roleOf, settle, speechOf } from './calls-support.ts';
import type { ClientCall } from './sip-compose.ts';
import { seededRandom } from '#server/random.ts';

const random = seededRandom(4);
const rounds = isFull ? 50 : 10;

let world: CallServer;
let anna: Phone;
let boris: Phone;

beforeAll(async () => {
  world = await openCallServer({ config: { logLevel: 'info' } });
  const { groups } = world.estate;
  await world.number('700', { domainId: groups.town });
  await world.person('1001', roleOf('concierge'), [groups.town]);
  await world.person('1003', roleOf('concierge'), [groups.town]);
  await world.panel('2001', groups.north);
  anna = await world.phone('1001');
  boris = await world.phone('1003');
});
afterEach(() => settle(world));
afterAll(() => world.close());

const over = (id: string) => world.row(id, ({ status }) => status === 'destroyed');
const talks = (): number =>
  world.telephony.exchange.live.filter((call) => call.actor.getSnapshot().hasTag('talking') && call.endsOf('1001') && call.endsOf('1003')).length;

/** Both call each other within the same turn of the loop, and both are rung. */
async function crossed(): Promise<Record<'one' | 'two', { id: string; out: ClientCall; come: ClientCall }>> {
  const [one, two] = [randomUUID(), randomUUID()];
  const [out, back] = [anna.dial('1003', { 'X-Speech-Id': one }), boris.dial('1001', { 'X-Speech-Id': two })];
  const [come, returned] = await Promise.all([boris.incoming(one), anna.incoming(two)]);
  return { one: { id: one, out, come }, two: { id: two, out: back, come: returned } };
}

describe('two who call each other in the same moment', () => {
  it(`are never in two talks, whatever each of them does then: ${rounds} rounds (D17)`, async () => {
    const seen = new Set<number>();
    for (let round = 0; round < rounds; round += 1) {
      const { one, two } = await crossed();
      const most = { talks: 0 };
      const watch = setInterval(() => (most.talks = Math.max(most.talks, talks())), 1);
      // Both take the other's call and give up their own, both decline, or one does the one and one the other.
      const takes = (phone: Phone, own: ClientCall, come: ClientCall): void => {
        phone.client.cancel(own);
        void phone.client.answer(come).catch(() => null);
      };
      if (round % 3 !== 1) takes(anna, one.out, two.come);
      else anna.client.refuse(two.come, 486);
      if (round % 3 === 0) takes(boris, two.out, one.come);
      else boris.client.refuse(one.come, 486);
      const answers = await Promise.all([anna.final(one.out), boris.final(two.out)]);
      await pause(20);
      clearInterval(watch);
      expect(most.talks).toBeLessThanOrEqual(1);
      seen.add(answers.filter(({ status }) => status === 200).length);
      for (const { id } of [one, two]) world.telephony.exchange.call(id)?.stop('test');
      await Promise.all([over(one.id), over(two.id)]);
      await settle(world);
    }
    // The rounds were not all alike: there was talk in some.
    expect(seen).toContain(1);
    expect(Math.max(...seen)).toBe(1);
  });
});

const described = (direction: string): string =>
  `v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\nc=IN IP4 0.0.0.0\r\na=rtpmap:111 opus/48000/2\r\na=${direction}\r\n`;

/** One side of a talk that holds and is held as a console does: it refuses an offer that crosses its own, and asks again after a while. */
class Side {
  /** What the far side told last. */
  isHeld = false;
  #isAsking = false;
  readonly #phone: Phone;
  readonly #call: ClientCall;

  constructor(phone: Phone, call: ClientCall) {
    this.#phone = phone;
    this.#call = call;
    void this.#obey();
  }

  async #obey(): Promise<void> {
    const { client } = this.#phone;
    for (;;) {
      const offer = await client
        .next((one) => one.method === 'INVITE' && one.of('call-id') === this.#call.callId && one.tag.to !== '', 600_000)
        .catch(() => null);
      if (!offer) return;
      if (this.#isAsking) client.reply(offer, 491);
      else {
        this.isHeld = /a=(?:sendonly|inactive)/.test(offer.body);
        client.reply(offer, 200, { body: described(this.isHeld ? 'recvonly' : 'sendrecv') });
      }
    }
  }

  /** Holds, or ends that. @returns how often the offers crossed */
  async hold(on: boolean): Promise<number> {
    const { client } = this.#phone;
    for (let crossings = 0; ; crossings += 1) {
      this.#isAsking = true;
      this.#call.branch = client.within(this.#call, 'INVITE', { body: described(on ? 'sendonly' : 'sendrecv') });
      const said = await client.response('INVITE', this.#call.callId);
      this.#isAsking = false;
      if (said.status === 200) {
        client.acknowledge(this.#call, said);
        return crossings;
      }
      client.acknowledgeFailure(this.#call, said);
      if (said.status !== 491) throw new Error(`an offer was refused with ${said.status}`);
      // Who made the call waits longer (RFC 3261 section 14.1).
      await pause((this.#call.invite ? 0 : 2_100) + random() * 1_900);
    }
  }
}

describe('two who hold each other in the same moment', () => {
  const holds = isFull ? 25 : 3;
  it(`converge within 5 s: both held, then both free, ${2 * holds} times (D18)`, async ({ annotate }) => {
    const id = randomUUID();
    const out = anna.dial('1003', { 'X-Speech-Id': id });
    const come = await boris.incoming(id);
    await boris.client.answer(come);
    await anna.final(out);
    await world.row(id, ({ status }) => status === 'answered');
    const [one, two] = [new Side(anna, out), new Side(boris, come)];
    const seen = { slowest: 0, crossings: 0 };
    for (let round = 0; round < 2 * holds; round += 1) {
      const on = round % 2 === 0;
      const begun = performance.now();
      const asked = [one.hold(on), pause(round % 4).then(() => two.hold(on))];
      seen.crossings += (await Promise.all(asked)).reduce((sum, crossings) => sum + crossings, 0);
      await expect.poll(() => [one.isHeld, two.isHeld], { timeout: longestWait, interval: 5 }).toEqual([on, on]);
      seen.slowest = Math.max(seen.slowest, performance.now() - begun);
    }
    await annotate(`${seen.crossings} offers crossed, the slowest round took ${Math.round(seen.slowest)} ms`);
    expect(seen.slowest).toBeLessThan(inTime(5_000));
    expect(talks()).toBe(1);
    await anna.client.bye(out);
    await over(id);
  }, 300_000);
});

describe('a page that dies while it rings', () => {
  it.each([
    ['a person calls', '1001', 'normal'],
    ['a panel calls the desk', '700', 'awaiting'],
  ] as const)('the next page of the same person is rung at once, and may answer: %s', async (_, number, type) => {
    const caller = type === 'normal' ? boris : await world.phone('2001');
    const id = randomUUID();
    const out = caller.dial(number, { 'X-Speech-Id': id });
    await anna.incoming(id);
    anna.client.kill();
    const begun = performance.now();
    anna = await world.phone('1001');
    const come = await anna.incoming(id);
    expect(performance.now() - begun).toBeLessThan(inTime(1_000));
    expect([come.invite?.of('x-speech-type'), speechOf(come.invite)]).toEqual([type, id]);
    await anna.client.answer(come);
    expect((await caller.final(out)).status).toBe(200);
    expect(await world.row(id, ({ status }) => status === 'answered')).toMatchObject({ answeredBy: '1001' });
    await caller.client.bye(out);
    await over(id);
  });

  it('a second phone that is switched on meanwhile rings too; the first rings on and is not rung twice', async () => {
    const id = randomUUID();
    const out = boris.dial('1001', { 'X-Speech-Id': id });
    const first = await anna.incoming(id);
    const second = await world.phone('1001');
    const come = await second.incoming(id);
    await second.client.answer(come);
    expect((await boris.final(out)).status).toBe(200);
    expect((await anna.end(first)).of('reason')).toContain('cause=200');
    expect(anna.client.heard.filter((one) => one.method === 'INVITE' && speechOf(one) === id)).toHaveLength(1);
    await boris.client.bye(out);
    await over(id);
    second.client.kill();
  });
});

it('a far side that is gone is given up ten seconds after its last sign, in whatever steps it is noticed (D35)', () => {
  const clock = new SimulatedClock();
  const lost: string[] = [];
  const quiet = new Quiet(clock as never, false, (why) => lost.push(why));
  quiet.signalling(false);
  clock.increment(4_000);
  quiet.media('silent');
  clock.increment(1_500);
  quiet.media('disconnected');
  quiet.media('failed');
  clock.increment(4_499);
  expect(lost).toEqual([]);
  clock.increment(1);
  expect(lost).toEqual(['gone']);
});
