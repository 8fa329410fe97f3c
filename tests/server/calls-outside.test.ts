import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  groupForwardNumbers,
  groupForwardQueues,
  groups as groupRows,
  sipNumberForwards,
  sipNumbers,
  sipTrunkGroups,
  sipTrunks,
} from '#server/db/schema/index.ts';
import { seal } from '#server/devices/secrets.ts';
import { HttpError } from '#server/http-error.ts';
import { address, type CallServer, openCallServer, type Phone, roleOf, settle } from './calls-support.ts';
import { type CallOut, openProvider, plainSdp, type Provider } from './sip-provider.ts';
import { longestWait } from '#tests/support/in-time.ts';

const credentials = { login: 'house', password: 'Trunk-Secret-9' };
let world: CallServer;
let provider: Provider;
/** Sends from the provider's address, and another port. */
let stranger: Provider;
let panel: Phone;
let desk: Phone;
let flat: Phone;
let trunkId = '';

const db = () => world.server.services.db;
type TrunkColumns = Partial<typeof sipTrunks.$inferInsert>;
const usual: TrunkColumns = { incomingAuthentication: 'digest', allowPanelCalls: false, allowPanelKeys: false };
const set = (columns: TrunkColumns) => db().update(sipTrunks).set(columns).where(eq(sipTrunks.id, trunkId));
const idOf = async (number: string): Promise<string> => {
  const [row] = await db().select({ id: sipNumbers.id }).from(sipNumbers).where(eq(sipNumbers.number, number));
  return row?.id ?? '';
};
/** What a number does when nobody answers it: rings a virtual number, or one outside. */
async function divert(number: string, to: { picked: string } | { phone: string }): Promise<void> {
  const numberId = await idOf(number);
  const isPicked = 'picked' in to;
  await db()
    .update(sipNumbers)
    .set({ forwardMode: isPicked ? 'picked' : 'manual' })
    .where(eq(sipNumbers.id, numberId));
  await db()
    .insert(sipNumberForwards)
    .values({ numberId, position: 0, ...(isPicked ? { pickedId: await idOf(to.picked) } : { phone: to.phone }) });
}
const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (const begun = performance.now(); !(await holds()); await pause(5))
    if (performance.now() - begun > longestWait) throw new Error('it never came true');
};
const over = async (callee: string) => {
  await until(async () => (await world.rows()).every(({ status }) => status === 'destroyed'));
  return (await world.rows()).filter(({ calleeNumber }) => calleeNumber === callee).at(-1);
};
const asked = (what: string) => world.media.asked.filter((one) => one.what === what);
const keyBody = 'Signal=#\r\nDuration=160\r\n';
/** The keys that a phone was told by INFO until now. */
const keysAt = (phone: Phone): number => phone.client.heard.filter(({ method }) => method === 'INFO').length;
/** A key is pressed outside; what becomes of it has happened when the server has answered the next request. */
async function press(out: CallOut, answer: Parameters<CallOut['within']>[1]): Promise<void> {
  out.within('INFO', answer, keyBody);
  await provider.next((one) => one.of('call-id') === out.id && one.cseq.method === 'INFO' && one.status === 200);
}

beforeAll(async () => {
  world = await openCallServer({ still: true, config: { sipUdp: { host: '127.0.0.1', port: 0 }, integrationLoopback: true } });
  const port = () => world.telephony.sip.ports.udp ?? 0;
  provider = await openProvider(port);
  stranger = await openProvider(port);
  const { here, groups } = world.estate;
  const [trunk] = await db()
    .insert(sipTrunks)
    .values({
      projectId: here,
      name: 'Line',
      terminationUri: `sip:127.0.0.1:${provider.port}`,
      outgoingNumber: '74950000000',
      login: credentials.login,
      passwordCipher: seal(world.server.services, credentials.password),
    })
    .returning();
  trunkId = trunk?.id ?? '';
  await db().insert(sipTrunkGroups).values({ trunkId, groupId: groups.north });
  await world.person('1001', roleOf('administrator'), [groups.north]);
  await world.person('3001', roleOf('resident'), [groups.n1]);
  await world.panel('2001', groups.north);
  await world.panel('2002', groups.south);
  await world.number('700', { domainId: groups.n1 });
  await address(world, groups.n1, '11');
  panel = await world.phone('2001');
  desk = await world.phone('1001');
  flat = await world.phone('3001');
});
beforeEach(async () => {
  await set(usual);
  world.media.asked.length = 0;
});
afterEach(async () => {
  await settle(world);
  await db().delete(sipNumberForwards);
  await db().update(sipNumbers).set({ forwardMode: 'disabled' });
  await db().delete(groupForwardQueues);
  await db().update(groupRows).set({ forwardEnabled: false });
});
afterAll(async () => {
  provider.close();
  stranger.close();
  await world.close();
});

describe('a call in through a trunk that calls by login and password', () => {
  it('is challenged, whatever address it comes from, and rings nobody before it has proved itself', async () => {
    for (const [who, number] of [
      [provider, '1001'],
      [stranger, '2001'],
    ] as const)
      await (await who.call(number)).answered(407);
    expect([await world.rows(), asked('offer')]).toEqual([[], []]);
  });
  it('rings where login and password are right, from any port', async () => {
    await stranger.call('1001', { credentials });
    expect((await desk.incoming()).remote).toContain('84951112233');
  });
  it.each([
    ['another password', { ...credentials, password: 'guess' }],
    ['another login', { ...credentials, login: 'home' }],
    ['the password of nobody', { login: '84951112233', password: '' }],
  ])('is refused with %s', async (_, wrong) => {
    const before = await world.rows();
    const refused = await (await provider.call('1001', { credentials: wrong })).answered(403);
    expect([refused.cseq, await world.rows()]).toEqual([{ number: 2, method: 'INVITE' }, before]);
  });
  it('is refused where the trunk has no password', async () => {
    const [before] = await db().select().from(sipTrunks);
    await set({ passwordCipher: null });
    const refused = await (await provider.call('1001', { credentials: { ...credentials, password: '' } })).answered(403);
    await set({ passwordCipher: before?.passwordCipher ?? null });
    expect(refused.cseq.number).toBe(2);
  });
  it('that gives a number of ours as its own is shown without one', async () => {
    await provider.call('1001', { credentials, from: '2001', name: 'Front door' });
    const come = await desk.incoming();
    expect([come.remote.includes('2001'), come.remote.includes('Front door'), come.remote.includes('anonymous')]).toEqual([false, false, true]);
  });
});

describe('a call in through a trunk that calls by address', () => {
  beforeEach(() => set({ incomingAuthentication: 'address' }));

  it('is taken from the address and port of the provider alone', async () => {
    await (await stranger.call('1001')).answered(407);
    await provider.call('1001');
    expect((await desk.incoming()).remote).toContain('84951112233');
  });
  it('hears and says nothing before its ACK: no media are joined, no key is passed', async () => {
    const out = await provider.call('1001');
    await desk.client.answer(await desk.incoming());
    const answer = await out.answered(200);
    await press(out, answer);
    expect([asked('bridge'), asked('play'), asked('sendDtmf'), keysAt(desk)]).toEqual([[], [], [], 0]);
    out.within('ACK', answer);
    await until(() => asked('bridge').length === 1);
    await until(() => world.telephony.exchange.live[0]?.actor.getSnapshot().matches({ answered: 'talking' }) ?? false);
  });
  it('without an ACK is over', async () => {
    const out = await provider.call('1001');
    const come = await desk.incoming();
    await desk.client.answer(come);
    await out.answered(200);
    await until(() => world.telephony.exchange.live[0]?.actor.getSnapshot().matches({ answered: 'connecting' }) ?? false);
    world.clock?.increment(20_000);
    await desk.end(come);
    expect(asked('bridge')).toEqual([]);
  });
  it('that waits at a desk is given no early media', async () => {
    await world.number('701', { domainId: world.estate.groups.north });
    const out = await provider.call('701');
    await desk.incoming();
    await out.answered(180);
    await until(() => world.telephony.exchange.live[0]?.actor.getSnapshot().matches('waiting') ?? false);
    expect([provider.heard.filter((one) => one.of('call-id') === out.id && one.status === 183), asked('play')]).toEqual([[], []]);
  });
});

describe('a door panel', () => {
  const call = (number: string) => provider.call(number, { credentials });
  async function queues(...numbers: string[][]): Promise<void> {
    const groupId = world.estate.groups.n1;
    await db().update(groupRows).set({ forwardEnabled: true }).where(eq(groupRows.id, groupId));
    for (const [position, of] of numbers.entries()) {
      const [queue] = await db().insert(groupForwardQueues).values({ groupId, position, delay: 10 }).returning();
      for (const [at, number] of of.entries())
        await db()
          .insert(groupForwardNumbers)
          .values({ queueId: queue?.id ?? '', position: at, numberId: await idOf(number) });
    }
  }
  const rungAt = (phone: Phone): number => phone.client.heard.filter(({ method }) => method === 'INVITE').length;

  it('is not reached from outside', async () => {
    const before = rungAt(panel);
    await (await call('2001')).answered(403);
    expect([(await over('2001'))?.endReason, rungAt(panel)]).toEqual(['forbidden', before]);
  });
  it('is reached where the trunk says so, those of its groups alone', async () => {
    await set({ allowPanelCalls: true });
    await (await call('2002')).answered(403);
    await call('2001');
    expect((await panel.incoming()).remote).toContain('84951112233');
  });
  it('is not reached by forwarding of a group', async () => {
    await queues(['2001']);
    const before = rungAt(panel);
    await (await call('700')).answered(403);
    await db().delete(groupForwardQueues);
    await queues(['2001', '3001']);
    await call('700');
    await flat.incoming();
    expect(rungAt(panel)).toBe(before);
  });
  it('is not reached by a resident’s divert', async () => {
    await divert('3001', { picked: '2001' });
    const before = rungAt(panel);
    const out = await call('3001');
    await flat.end(await ringsOut());
    await out.answered(408);
    expect(rungAt(panel)).toBe(before);
    async function ringsOut() {
      const come = await flat.incoming();
      await until(() => world.telephony.exchange.live[0]?.actor.getSnapshot().context.offers.length === 1);
      world.clock?.increment(10_000);
      return come;
    }
  });

  describe('is not joined to an outside call by a transfer', () => {
    async function talk() {
      const out = await call('1001');
      const come = await desk.incoming();
      await desk.client.answer(come);
      out.within('ACK', await out.answered(200));
      await until(() => asked('bridge').length > 0);
      const [live] = world.telephony.exchange.live;
      if (!live) throw new Error('there is no call');
      return live;
    }
    it.each([
      [false, 'forbidden'],
      [true, null],
    ])('blind, with the rule %s: %s', async (allowPanelCalls, reason) => {
      await set({ allowPanelCalls });
      const live = await talk();
      const done = await world.telephony.exchange.transfer(live, '1001', { number: '2001' }).catch((error: unknown) => error);
      const rung = reason === null ? (await panel.incoming()).remote.includes('84951112233') : false;
      expect([done instanceof HttpError ? done.code : null, rung]).toEqual([reason, reason === null]);
    });
    it('attended', async () => {
      const live = await talk();
      const id = randomUUID();
      const second = desk.dial('2001', { 'X-Speech-Id': id });
      await panel.client.answer(await panel.incoming(id));
      await desk.final(second);
      await until(() => asked('bridge').length > 1);
      const done = await world.telephony.exchange.transfer(live, '1001', { speech_id: id }).catch((error: unknown) => error);
      expect([done instanceof HttpError && done.code, world.telephony.exchange.live.length]).toEqual(['forbidden', 2]);
    });
  });

  describe('whose call goes out to a resident’s mobile', () => {
    async function toMobile(): Promise<{ out: CallOut; answer: Parameters<CallOut['within']>[1]; legs: string[] }> {
      await divert('3001', { phone: '+79001112233' });
      const id = randomUUID();
      const dialled = panel.dial('3001', { 'X-Speech-Id': id });
      const come = await flat.incoming(id);
      flat.client.refuse(come, 486);
      const invite = await provider.next((one) => one.method === 'INVITE' && one.of('to').includes('79001112233'));
      provider.answer(invite, 200, plainSdp);
      await panel.final(dialled);
      await until(() => asked('bridge').length === 1);
      const [bridge] = asked('bridge');
      return { out: inside(invite), answer: invite, legs: ((bridge?.with ?? ['', []]) as [string, string[]])[1] };
    }
    /** The dialog as the provider has it: it was called, so From and To change places. */
    const inside = (invite: Parameters<CallOut['within']>[1]): CallOut => ({
      id: invite.of('call-id'),
      answered: () => Promise.reject(new Error('it was called')),
      within: (method, _, body = '') =>
        provider.send(
          [
            `${method} ${/<([^>]+)>/.exec(invite.of('contact'))?.[1]} SIP/2.0`,
            `Via: SIP/2.0/UDP 127.0.0.1:${provider.port};branch=z9hG4bK${randomUUID()}`,
            `From: ${invite.of('to')};tag=theirs`,
            `To: ${invite.of('from')}`,
            `Call-ID: ${invite.of('call-id')}`,
            `CSeq: 1 ${method}`,
            'Content-Type: application/dtmf-relay',
            `Content-Length: ${body.length}\r\n\r\n${body}`,
          ].join('\r\n'),
        ),
    });
    it.each([
      [false, 0],
      [true, 1],
    ])('hears the keys of the mobile only by the rule: %s', async (allowPanelKeys, keys) => {
      await set({ allowPanelKeys });
      const { out, answer, legs } = await toMobile();
      await press(out, answer);
      expect([asked('sendDtmf').length, legs.length]).toEqual([keys, 1 - keys]);
    });
  });
});
