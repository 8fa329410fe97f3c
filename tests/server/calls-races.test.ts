import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isFull } from '#tests/support/extent.ts';
import { inTime } from '#tests/support/in-time.ts';
import { type CallServer, openCallServer, Phone, roleOf, settle, sipPassword, waitingFor } from './calls-support.ts';
import type { Person } from './estate.ts';
import { SipClient } from './sip-client.ts';
import { until } from './sip-support.ts';

/** Ten rounds of fewer with every run, the whole count with TESTS=full. */
const joins = isFull ? 200 : 20;
const rounds = 10;
const cancels = isFull ? 320 : 32;

let world: CallServer;
let boss: Person;
let panel: Phone;
let callee: Phone;
let operators: Phone[] = [];

beforeAll(async () => {
  world = await openCallServer({ config: { logLevel: 'info' } });
  const { groups } = world.estate;
  await world.number('700', { domainId: groups.town });
  boss = await world.person('1000', roleOf('concierge'), [groups.town]);
  await world.person('1003', roleOf('resident'), [groups.n1]);
  await world.panel('2001', groups.north);
  for (let number = 0; number < 20; number++) await world.person(String(1_100 + number), roleOf('concierge'), [groups.town]);
  panel = await world.phone('2001');
  callee = await world.phone('1003');
  const url = `ws://127.0.0.1:${world.telephony.sip.ports.ws}`;
  for (let number = 0; number < 20; number++)
    operators.push(new Phone(await SipClient.registered({ url, number: String(1_100 + number), password: sipPassword })));
});
afterEach(() => settle(world));
afterAll(async () => {
  for (const { client } of operators) client.kill();
  operators = [];
  await world.close();
});

const over = (id: string) => world.row(id, ({ status }) => status === 'destroyed');

describe('races', () => {
  it(`of ${joins} who join one waiting call at once have exactly one winner (D38)`, async () => {
    for (let round = 0; round < rounds; round++) {
      const id = randomUUID();
      const out = panel.dial('700', { 'X-Speech-Id': id });
      await world.row(id, ({ status }) => status === 'waiting');
      const asked = Array.from({ length: joins }, (_, at) => {
        const phone = operators[at % operators.length] ?? panel;
        return { phone, call: phone.dial('700', { 'X-Speech-Id': id }) };
      });
      const answers = await Promise.all(asked.map(async ({ phone, call }) => ({ phone, answer: await phone.final(call, 30_000) })));
      const won = answers.filter(({ answer }) => answer.status === 200);
      expect(won).toHaveLength(1);
      const owner = won[0]?.phone.number;
      const lost = answers.filter(({ answer }) => answer.status !== 200);
      expect(new Set(lost.map(({ answer }) => answer.status))).toEqual(new Set([486]));
      expect(lost.every(({ answer }) => answer.of('reason').includes(`answered by ${owner}`))).toBe(true);
      expect(await world.row(id, ({ status }) => status === 'answered')).toMatchObject({ answeredBy: owner });
      expect((await panel.final(out)).status).toBe(200);
      expect((await boss.client.post(`/calls/${id}/stop`)).statusCode).toBe(200);
      await over(id);
      await until(() => world.telephony.sip.load.legs === 0);
    }
  }, 300_000);

  it(`of ${cancels} callers who hang up while they are answered leave no leg behind (D20, D22)`, async () => {
    for (let round = 0; round < cancels; round++) {
      const id = randomUUID();
      const out = panel.dial('1003', { 'X-Speech-Id': id });
      const come = await callee.incoming(id);
      const answering = callee.client.answer(come).catch(() => null);
      // Sixteen moments between at once and a little later.
      if (round % 16 > 0) await pause(round % 16);
      panel.client.cancel(out);
      const final = await panel.final(out);
      if (final.status === 200) await panel.client.bye(out);
      await over(id);
      void answering;
      await until(() => world.telephony.exchange.live.length === 0);
    }
    await until(() => world.telephony.sip.load.legs === 0);
    expect(world.telephony.exchange.live).toHaveLength(0);
  }, 300_000);

  it('of callers who leave while somebody joins leave nobody alone (D37)', async () => {
    for (let round = 0; round < (isFull ? 50 : 12); round++) {
      const id = randomUUID();
      const out = panel.dial('700', { 'X-Speech-Id': id });
      await world.row(id, ({ status }) => status === 'waiting');
      const [joiner] = operators;
      if (!joiner) throw new Error('nobody is there to join');
      const join = joiner.dial('700', { 'X-Speech-Id': id });
      if (round > 0) await pause((round % 10) * 2);
      panel.client.cancel(out);
      const [final, joined] = await Promise.all([panel.final(out), joiner.final(join)]);
      if (final.status === 200) await panel.client.bye(out);
      if (joined.status === 200) await joiner.end(join);
      expect([200, 404, 410, 480, 486, 487]).toContain(joined.status);
      await over(id);
    }
  });

  it('of fifty callers at once all are listed, the oldest first (D39)', async () => {
    const begun = performance.now();
    const ids = Array.from({ length: 50 }, () => randomUUID());
    // A number has at most twenty calls: the panel and those at the desk call together.
    const callers = [panel, ...operators.slice(0, 4)];
    for (const [at, id] of ids.entries()) callers[at % 5]?.dial('700', { 'X-Speech-Id': id });
    for (const id of ids) await world.row(id, ({ status }) => status === 'waiting');
    const listed = await waitingFor(boss);
    expect(new Set(listed.map((call) => call.id))).toEqual(new Set(ids));
    expect(listed.map((call) => call.created_at)).toEqual(listed.map((call) => call.created_at).toSorted((one, other) => one - other));
    expect(performance.now() - begun).toBeLessThan(inTime(30_000));
  });
});
