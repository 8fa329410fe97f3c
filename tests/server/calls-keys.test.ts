import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { constants } from '#models/constants.ts';
import { type CallServer, holdUpClaim, openCallServer, type Phone, roleOf, settle } from './calls-support.ts';
import type { ClientCall } from './sip-compose.ts';
import { until } from './sip-support.ts';

let world: CallServer;
let anna: Phone;
let boris: Phone;

beforeAll(async () => {
  world = await openCallServer({ still: true });
  const { groups } = world.estate;
  await world.person('1001', roleOf('concierge'), [groups.town]);
  await world.person('1003', roleOf('resident'), [groups.n1]);
  anna = await world.phone('1001');
  boris = await world.phone('1003');
});
afterEach(() => settle(world));
afterAll(() => world.close());

/** The next two who are to be joined are so once what it returns is called. */
function holdUpJoining(): () => void {
  const bridge = world.media.bridge.bind(world.media);
  let join = (): void => {};
  const waits = new Promise<void>((done) => (join = done));
  vi.spyOn(world.media, 'bridge').mockImplementationOnce((...given) => {
    const joined = bridge(...given);
    return waits.then(() => joined);
  });
  return join;
}

/** Anna's call as it is once Boris has answered: both talk, but the media may not have joined them yet. `legs`: of her and of him at the media. */
async function talk(): Promise<{ id: string; out: ClientCall; legs: { anna: string; boris: string } }> {
  world.media.asked.length = 0;
  const id = randomUUID();
  const out = anna.dial('1003', { 'X-Speech-Id': id });
  await boris.client.answer(await boris.incoming());
  expect((await anna.final(out)).status).toBe(200);
  await until(() => world.media.asked.some(({ what }) => what === 'bridge'));
  const joined = world.media.asked.find(({ what }) => what === 'bridge');
  const [other] = (joined?.with ?? []) as string[];
  return { id, out, legs: { anna: String(joined?.leg), boris: String(other) } };
}
async function over({ id, out }: { id: string; out: ClientCall }): Promise<void> {
  await anna.client.bye(out);
  await world.row(id, ({ status }) => status === 'destroyed');
}
const sent = () => world.media.asked.filter(({ what }) => what === 'sendDtmf').map(({ leg, with: key }) => ({ leg, key }));
const info = async ({ out }: { out: ClientCall }, signal: string): Promise<void> => {
  anna.client.within(out, 'INFO', { body: `Signal=${signal}\r\nDuration=160\r\n`, type: 'application/dtmf-relay' });
  expect((await anna.client.response('INFO', out.callId)).status).toBe(200);
};

it('a key sent by INFO is passed on to the other side', async () => {
  const call = await talk();
  await info(call, '#');
  await until(() => sent().length === 1);
  expect(sent()).toEqual([{ leg: call.legs.boris, key: ['#', 160] }]);
  await over(call);
});

it('a key heard in the sound is passed on by INFO to a side that knows no telephone-event (D46)', async () => {
  const call = await talk();
  world.media.deaf.add(call.legs.boris);
  world.media.say({ type: 'dtmf', leg: call.legs.anna, digit: '5', duration: 200 });
  world.media.say({ type: 'dtmf', leg: call.legs.anna, digit: '#', duration: 160, unpassed: true });
  const asked = await boris.client.next(({ method }) => method === 'INFO');
  boris.client.reply(asked, 200);
  expect(asked.body).toBe('Signal=#\r\nDuration=160\r\n');
  expect(sent().map(({ key }) => key)).toEqual([['#', 160]]);
  await over(call);
});

it('keys pressed before the two are joined are passed on as soon as they are, in their order', async () => {
  const join = holdUpJoining();
  const call = await talk();
  world.media.say({ type: 'dtmf', leg: call.legs.boris, digit: '#', duration: 160, unpassed: true });
  await info(call, '7');
  world.media.say({ type: 'dtmf', leg: call.legs.boris, digit: '1', duration: 160, unpassed: true });
  expect(sent()).toEqual([]);
  join();
  await until(() => sent().length === 3);
  expect(sent()).toEqual([
    { leg: call.legs.anna, key: ['#', 160] },
    { leg: call.legs.boris, key: ['7', 160] },
    { leg: call.legs.anna, key: ['1', 160] },
  ]);
  await over(call);
});

it('keys pressed while an answer is still being decided on are passed on once it counts', async () => {
  const claim = holdUpClaim();
  world.media.asked.length = 0;
  const id = randomUUID();
  const out = anna.dial('1003', { 'X-Speech-Id': id });
  await boris.client.answer(await boris.incoming());
  await claim.asked();
  const answered = String(world.media.asked.find(({ what }) => what === 'offer')?.leg);
  world.media.say({ type: 'dtmf', leg: answered, digit: '#', duration: 160, unpassed: true });
  claim.decide();
  expect((await anna.final(out)).status).toBe(200);
  await until(() => sent().length === 1);
  expect(world.media.asked).toContainEqual({ what: 'bridge', leg: sent()[0]?.leg, with: [answered, []] });
  expect(sent().map(({ key }) => key)).toEqual([['#', 160]]);
  await over({ id, out });
});

it('a key that would come later than anybody expects is not passed on: one pressed afterwards is', async () => {
  const join = holdUpJoining();
  const call = await talk();
  world.media.say({ type: 'dtmf', leg: call.legs.boris, digit: '#', duration: 160, unpassed: true });
  world.clock?.increment(constants.dtmfTimeout);
  world.media.say({ type: 'dtmf', leg: call.legs.boris, digit: '2', duration: 160, unpassed: true });
  join();
  await until(() => sent().length > 0);
  await info(call, '3');
  await until(() => sent().length > 1);
  expect(sent().map(({ key }) => key)).toEqual([
    ['2', 160],
    ['3', 160],
  ]);
  await over(call);
});

it('of a flood of keys before the two are joined only so many are kept', async () => {
  const join = holdUpJoining();
  const call = await talk();
  for (let count = 0; count < 1_000; count += 1) world.media.say({ type: 'dtmf', leg: call.legs.boris, digit: '#', duration: 160, unpassed: true });
  join();
  await until(() => sent().length > 0);
  await info(call, '3');
  await until(() => sent().some(({ leg }) => leg === call.legs.boris));
  expect(sent().filter(({ leg }) => leg === call.legs.anna).length).toBe(32);
  await over(call);
});

it('keys before the two are joined are gone where one of them has left by then', async () => {
  const join = holdUpJoining();
  const call = await talk();
  const relay = vi.spyOn(world.media, 'sendDtmf');
  world.media.say({ type: 'dtmf', leg: call.legs.boris, digit: '#', duration: 160, unpassed: true });
  await over(call);
  join();
  const next = await talk();
  await info(next, '5');
  await until(() => relay.mock.calls.length > 0);
  expect(relay.mock.calls.map(([leg, digit]) => [leg, digit])).toEqual([[next.legs.boris, '5']]);
  await over(next);
});

it('a key of one whom nobody talks with reaches nobody', async () => {
  world.media.asked.length = 0;
  const id = randomUUID();
  const out = anna.dial('1003', { 'X-Speech-Id': id });
  const come = await boris.incoming();
  const rings = String(world.media.asked.find(({ what }) => what === 'offer')?.leg);
  world.media.say({ type: 'dtmf', leg: rings, digit: '#', duration: 160, unpassed: true });
  await boris.client.answer(come);
  expect((await anna.final(out)).status).toBe(200);
  await info({ out }, '4');
  await until(() => sent().length > 0);
  expect(sent().map(({ key }) => key)).toEqual([['4', 160]]);
  await over({ id, out });
});
