import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  forwardRules,
  groupForwardNumbers,
  groupForwardQueues,
  groupForwardRules,
  groups as groupRows,
  sipNumberForwards,
  sipNumbers,
  sipTrunkGroups,
  sipTrunks,
} from '#server/db/schema/index.ts';
import { address, type CallServer, openCallServer, type Phone, roleOf, settle, waitingFor } from './calls-support.ts';
import type { Person } from './estate.ts';

let world: CallServer;
let panel: Phone;
let mother: Phone;
let father: Phone;
let desk: Phone;
let operator: Person;

beforeAll(async () => {
  world = await openCallServer({ still: true, config: { logLevel: 'info' } });
  const { groups } = world.estate;
  // North is the house, n1 and n2 are flats in it.
  await address(world, groups.n1, '11');
  await address(world, groups.n2, '12');
  await address(world, groups.s1, '11');
  operator = await world.person('1001', roleOf('concierge'), [groups.town]);
  await world.person('3001', roleOf('resident'), [groups.n1]);
  await world.person('3002', roleOf('resident'), [groups.n1]);
  await world.person('3003', roleOf('resident'), [groups.s1]);
  await world.panel('2001', groups.north);
  panel = await world.phone('2001');
  mother = await world.phone('3001');
  father = await world.phone('3002');
  desk = await world.phone('1001');
});
beforeEach(async () => {
  await world.server.services.db.delete(groupForwardQueues);
  await world.server.services.db.delete(groupForwardRules);
  await world.server.services.db.update(groupRows).set({ forwardEnabled: false });
});
afterEach(() => settle(world));
afterAll(() => world.close());

const db = () => world.server.services.db;
const over = (id: string) => world.row(id, ({ status }) => status === 'destroyed');
/** Time passes; what comes of it needs a moment. */
async function pass(seconds: number): Promise<void> {
  await pause(30);
  world.clock?.increment(seconds * 1_000);
  await pause(60);
}
const idOf = async (number: string): Promise<string> => {
  const [row] = await db().select({ id: sipNumbers.id }).from(sipNumbers).where(eq(sipNumbers.number, number));
  if (!row) throw new Error(`no number ${number}`);
  return row.id;
};
/** The forward settings of a flat: queues of numbers, each ringing for so long. */
async function forward(
  groupId: string,
  queues: { numbers: string[]; delay: number }[],
  rule?: Partial<typeof forwardRules.$inferInsert>,
): Promise<void> {
  await db().update(groupRows).set({ forwardEnabled: true }).where(eq(groupRows.id, groupId));
  for (const [position, { numbers, delay }] of queues.entries()) {
    const [queue] = await db().insert(groupForwardQueues).values({ groupId, position, delay }).returning();
    for (const [at, number] of numbers.entries())
      await db()
        .insert(groupForwardNumbers)
        .values({ queueId: queue?.id ?? '', position: at, numberId: await idOf(number) });
  }
  if (!rule) return;
  const [made] = await db()
    .insert(forwardRules)
    .values({ projectId: world.estate.here, name: randomUUID().slice(0, 20), ...rule })
    .returning();
  await db()
    .insert(groupForwardRules)
    .values({ groupId, ruleId: made?.id ?? '' });
}
const dial = (number: string): { id: string; out: ReturnType<Phone['dial']> } => {
  const id = randomUUID();
  return { id, out: panel.dial(number, { 'X-Speech-Id': id }) };
};
const silentFor = async (phone: Phone, id: string): Promise<void> => {
  await expect(phone.incoming(id, 80)).rejects.toThrow('in vain');
};

describe('a panel that calls a flat', () => {
  it('by its logical address rings the nearest one with it: all its people', async () => {
    const { id } = dial('11');
    const [one, two] = await Promise.all([mother.incoming(id), father.incoming(id)]);
    expect([one.invite?.of('x-speech-type'), two.invite?.of('x-target-callee')]).toEqual(['normal', '11']);
    expect(await world.row(id)).toMatchObject({ calleeNumber: '11', calleeName: 'n1', calleeDomainId: world.estate.groups.n1 });
  });

  it('goes on to the next queue when nobody answers, and ends when the last is through', async () => {
    await forward(world.estate.groups.n1, [
      { numbers: ['3001'], delay: 10 },
      { numbers: ['3002'], delay: 15 },
    ]);
    const { id, out } = dial('11');
    const one = await mother.incoming(id);
    await silentFor(father, id);
    await pass(9);
    expect(mother.ended.has(one.callId)).toBe(false);
    await pass(1);
    await mother.end(one);
    const two = await father.incoming(id);
    await pass(15);
    await father.end(two);
    expect((await panel.final(out)).status).toBe(408);
    expect(await over(id)).toMatchObject({ historyStatus: 'noanswer', endReason: 'no_answer' });
  });

  it('goes on at once when a queue is busy or out of reach', async () => {
    await forward(world.estate.groups.n1, [
      { numbers: ['3003'], delay: 10 },
      { numbers: ['3001'], delay: 10 },
      { numbers: ['3002'], delay: 10 },
    ]);
    const { id, out } = dial('11');
    mother.client.refuse(await mother.incoming(id), 486);
    await father.client.answer(await father.incoming(id));
    expect((await panel.final(out)).status).toBe(200);
    expect(await world.row(id, ({ status }) => status === 'answered')).toMatchObject({ answeredBy: '3002' });
  });

  it('ends at a busy one where the rule says so', async () => {
    await forward(
      world.estate.groups.n1,
      [
        { numbers: ['3001'], delay: 10 },
        { numbers: ['3002'], delay: 10 },
      ],
      { redirectIfError: false },
    );
    const { id, out } = dial('11');
    mother.client.refuse(await mother.incoming(id), 486);
    expect((await panel.final(out)).status).toBe(486);
    expect(await over(id)).toMatchObject({ historyStatus: 'busy' });
  });

  it('rings all queues at once where the rule says so', async () => {
    await forward(
      world.estate.groups.n1,
      [
        { numbers: ['3001'], delay: 10 },
        { numbers: ['3002'], delay: 10 },
      ],
      { isImmediately: true },
    );
    const { id } = dial('11');
    expect(await Promise.all([mother.incoming(id), father.incoming(id)])).toHaveLength(2);
  });

  it('waits as long as the rule says', async () => {
    await forward(
      world.estate.groups.n1,
      [
        { numbers: ['3001'], delay: 10 },
        { numbers: ['3002'], delay: 10 },
      ],
      { timeout: 25 },
    );
    const { id } = dial('11');
    await mother.incoming(id);
    await pass(24);
    await silentFor(father, id);
    await pass(1);
    expect((await father.incoming(id)).invite).not.toBeNull();
  });

  it('where nobody has a number in reach is answered 480', async () => {
    const { id, out } = dial('12');
    expect((await panel.final(out)).status).toBe(480);
    expect(await over(id)).toMatchObject({ historyStatus: 'failed', endReason: 'unreachable' });
  });
});

describe('a number that forwards', () => {
  it('rings for 10 s, then what it forwards to', async () => {
    const numberId = await idOf('3001');
    await db().update(sipNumbers).set({ forwardMode: 'picked' }).where(eq(sipNumbers.id, numberId));
    await db()
      .insert(sipNumberForwards)
      .values({ numberId, position: 0, pickedId: await idOf('3002') });
    const { id } = dial('3001');
    const one = await mother.incoming(id);
    await pass(10);
    await mother.end(one);
    expect((await father.incoming(id)).invite?.of('x-target-callee')).toBe('3001');
    await db().delete(sipNumberForwards);
    await db().update(sipNumbers).set({ forwardMode: 'disabled' }).where(eq(sipNumbers.id, numberId));
  });
});

describe('interception', () => {
  const set = (isActive: boolean, domains: readonly string[]) => operator.client.post('/calls/interception', { is_active: isActive, domains });
  afterEach(() => set(false, []));

  it('offers calls of the panels to the operator for 10 s, then to the one called', async () => {
    expect((await set(true, [world.estate.groups.north])).statusCode).toBe(200);
    const { id } = dial('3001');
    const offer = await desk.incoming(id);
    expect([offer.invite?.of('x-speech-type'), offer.invite?.of('x-target-callee')]).toEqual(['awaiting', '3001']);
    await silentFor(mother, id);
    expect((await waitingFor(operator)).map((call) => call.id)).toEqual([id]);
    await pass(10);
    await desk.end(offer);
    expect((await mother.incoming(id)).invite?.of('x-speech-type')).toBe('normal');
  });

  it('lets the operator answer, pause and come back', async () => {
    await set(true, [world.estate.groups.town]);
    const { id, out } = dial('3001');
    const offer = await desk.incoming(id);
    await desk.client.answer(offer);
    expect((await panel.final(out)).status).toBe(200);
    expect(await world.row(id, ({ status }) => status === 'answered')).toMatchObject({ type: 'awaiting', answeredBy: '1001' });
    await desk.client.bye(offer);
    await world.row(id, ({ status }) => status === 'answered_waiting');
    expect((await desk.final(desk.dial('3001', { 'X-Speech-Id': id }))).status).toBe(200);
  });

  it('lets the operator join while it rings at the one called', async () => {
    await set(true, [world.estate.groups.north]);
    const { id, out } = dial('3001');
    await desk.incoming(id);
    await pass(10);
    const ringing = await mother.incoming(id);
    expect((await desk.final(desk.dial('3001', { 'X-Speech-Id': id }))).status).toBe(200);
    await mother.end(ringing);
    expect((await panel.final(out)).status).toBe(200);
  });

  it('takes no calls of other groups, and none once it is off', async () => {
    await set(true, [world.estate.groups.south]);
    const first = dial('3001');
    await mother.incoming(first.id);
    await silentFor(desk, first.id);
    await set(true, [world.estate.groups.north]);
    await set(false, []);
    const second = dial('3001');
    expect((await mother.incoming(second.id)).invite?.of('x-speech-type')).toBe('normal');
    await silentFor(desk, second.id);
  });

  it('goes on at once when the operator is out of reach', async () => {
    await set(true, [world.estate.groups.north]);
    await world.unplug(desk);
    const { id } = dial('3001');
    expect((await mother.incoming(id)).invite).not.toBeNull();
    desk = await world.phone('1001');
  });
});

describe('talk', () => {
  it('ends when the panel’s time is over, and says why (D48)', async () => {
    const { id, out } = dial('3001');
    const come = await mother.incoming(id);
    await mother.client.answer(come);
    await panel.final(out);
    await world.row(id, ({ status }) => status === 'answered');
    await pass(119);
    expect((await world.row(id)).status).toBe('answered');
    await pass(1);
    expect((await panel.end(out)).of('reason')).toContain('talk timeout');
    await mother.end(come);
    expect(await over(id)).toMatchObject({ historyStatus: 'answered', endReason: 'talk_timeout' });
  });

  it('of an answered leg that is never heard of again ends after 35 s (D7)', async () => {
    const { id, out } = dial('3001');
    const come = await mother.incoming(id);
    await mother.client.answer(come);
    await panel.final(out);
    await world.row(id, ({ status }) => status === 'answered');
    world.media.say({ type: 'failed', leg: world.telephony.exchange.call(id)?.endsOf('3001')?.own.id ?? '' });
    await pass(34);
    expect((await world.row(id)).status).toBe('answered');
    await pass(1);
    await Promise.all([panel.end(out), mother.end(come)]);
    expect(await over(id)).toMatchObject({ historyStatus: 'answered' });
  });
});

describe('the process of the media', () => {
  it('that ends takes its calls along, and says why', async () => {
    const { id, out } = dial('3001');
    const come = await mother.incoming(id);
    await mother.client.answer(come);
    await panel.final(out);
    await world.row(id, ({ status }) => status === 'answered');
    world.media.say({ type: 'gone', leg: world.telephony.exchange.call(id)?.endsOf('3001')?.own.id ?? '' });
    const [atPanel, atMother] = await Promise.all([panel.end(out), mother.end(come)]);
    expect([atPanel.of('reason'), atMother.of('reason')]).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('media lost')));
    expect(await over(id)).toMatchObject({ historyStatus: 'answered', endReason: 'media_lost' });
  });
});

describe('a number outside', () => {
  it('goes out through the trunk of the caller’s groups, and nowhere without one', async () => {
    const { id, out } = dial('+74951234567');
    expect((await panel.final(out)).status).toBe(404);
    expect(await over(id)).toMatchObject({ historyStatus: 'failed', endReason: 'unknown_number' });
    const [trunk] = await db()
      .insert(sipTrunks)
      .values({ projectId: world.estate.here, name: 'Line', terminationUri: 'sip:127.0.0.1:5999', outgoingNumber: '74950000000' })
      .returning();
    await db()
      .insert(sipTrunkGroups)
      .values({ trunkId: trunk?.id ?? '', groupId: world.estate.groups.south });
    expect((await panel.final(dial('+74951234567').out)).status).toBe(404);
    await db()
      .insert(sipTrunkGroups)
      .values({ trunkId: trunk?.id ?? '', groupId: world.estate.groups.town });
    // Without UDP the line leads nowhere: it is tried, and the call says so.
    const tried = dial('+74951234567');
    expect((await panel.final(tried.out)).status).toBe(480);
    expect(await over(tried.id)).toMatchObject({ trunk: 'outgoing', endReason: 'unreachable' });
  });
});
