import { randomUUID } from 'node:crypto';
import { SimulatedClock } from 'xstate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentMedia } from '#server/telephony/media/silent.ts';
import { openTelephony, type Telephony } from '#server/telephony/telephony.ts';
import type { Services } from '#server/context.ts';
import { type CallServer, openCallServer, type Phone, roleOf, settle, waitingFor } from './calls-support.ts';
import type { Person } from './estate.ts';

// Two servers on one database: the telephony of the world, and a second one with the same tables. Whether they hold their calls is
// a matter of signs of life, whose times are those of the test.
const beat = 5_000;
let world: CallServer;
let panel: Phone;
let concierge: Person;
let clock: SimulatedClock;
/** What the second server has of its own; its `telephony` must not be the world's. */
let services: Services;

/** Time goes by, for both servers, for the one, or for the other; what it brings is written. */
async function pass(ms: number, alive: readonly SimulatedClock[]): Promise<void> {
  for (let gone = 0; gone < ms; gone += beat) {
    world.server.pass(beat);
    for (const one of alive) one.increment(beat);
    await world.rows();
    // A beat that found its rows looks for those of others in a second question.
    await world.rows();
  }
}
const openSecond = (): Promise<Telephony> => openTelephony(services, { media: silentMedia(), clock: clock as never });
const first = (): SimulatedClock => {
  if (!world.clock) throw new Error('the first server has the clock of the world');
  return world.clock;
};
async function waiting(): Promise<string> {
  const id = randomUUID();
  panel.dial('700', { 'X-Speech-Id': id });
  await world.row(id, ({ status }) => status === 'waiting');
  return id;
}

beforeAll(async () => {
  world = await openCallServer({ still: true, config: { databaseUrl: process.env['TEST_DATABASE_URL'] ?? 'postgres://shared' } });
  const { estate } = world;
  const entrance = estate.groups.town;
  await world.number('700', { domainId: entrance });
  await world.panel('2001', entrance);
  concierge = await world.person('1001', roleOf('concierge'), [entrance]);
  services = { ...world.server.services, config: { ...world.server.services.config, sipPort: 0 } };
});
beforeEach(async () => {
  clock = new SimulatedClock();
  panel = await world.phone('2001');
});
afterAll(() => world.close());

describe('two servers on one database', () => {
  it('a second one that starts leaves the calls of the first as they are, also after long', async () => {
    const id = await waiting();
    await pass(30_000, [first()]);
    const second = await openSecond();
    expect((await world.row(id)).status).toBe('waiting');
    await pass(60_000, [first(), clock]);
    expect((await world.row(id)).status).toBe('waiting');
    expect((await waitingFor(concierge)).map((call) => call.id)).toEqual([id]);
    await second.close();
    expect((await world.row(id)).status).toBe('waiting');
    await settle(world);
  });

  it('the calls of one that fell silent are closed by the other, and soon', async () => {
    const id = await waiting();
    const second = await openSecond();
    // Beats of both first: who has just begun does not judge others.
    await pass(20_000, [first(), clock]);
    await pass(30_000, [clock]);
    expect(await world.row(id, ({ status }) => status === 'destroyed')).toMatchObject({ historyStatus: 'failed', endReason: 'server_restarted' });
    await second.close();
    await settle(world);
  });

  it('a call is ended from the server that does not hold it', async () => {
    const id = await waiting();
    const second = await openSecond();
    const own = world.server.services.telephony;
    // The request comes to the second one.
    if (services.telephony) world.server.services.telephony = services.telephony;
    expect((await concierge.client.post(`/calls/${id}/stop`)).statusCode).toBe(200);
    if (own) world.server.services.telephony = own;
    expect(await world.row(id, ({ status }) => status === 'destroyed')).toMatchObject({ endReason: 'stopped' });
    await second.close();
  });
});
