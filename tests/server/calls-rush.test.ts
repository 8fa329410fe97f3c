import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '#server/db/schema/index.ts';
import { type CallServer, openCallServer, type Phone, roleOf, settle } from './calls-support.ts';
import { until } from './media-support.ts';

const many = 10;
let world: CallServer;
let boris: Phone;
let panel: Phone;
let clara: Phone;
beforeAll(async () => {
  world = await openCallServer({ still: true });
  const { groups } = world.estate;
  await world.number('700', { domainId: groups.town });
  await world.person('1001', roleOf('concierge'), [groups.town]);
  await world.person('1003', roleOf('resident'), [groups.n1]);
  await world.panel('2001', groups.north);
  [clara, boris, panel] = await Promise.all([world.phone('1001'), world.phone('1003'), world.phone('2001')]);
});
afterAll(() => world.close());

describe('many calls at once', () => {
  it('are all on record at once, and ring a few at a time; who registers, and an alarm, wait behind none of them; in the end all ring', async () => {
    const offer = world.media.offer.bind(world.media);
    const held: (() => void)[] = [];
    world.media.offer = async (...given) => {
      await new Promise<void>((go) => held.push(go));
      return offer(...given);
    };
    for (let at = 0; at < many; at += 1) panel.dial('1003', { 'X-Speech-Id': randomUUID() });
    await until(() => held.length === 3);
    // Whoever looks sees all of them, though the phones of most are still to be rung.
    const liveCalls = () => world.server.services.db.select({ id: calls.id }).from(calls).where(eq(calls.status, 'calling'));
    while ((await liveCalls()).length < many) await pause(5);
    expect(held).toHaveLength(3);
    expect((await clara.client.register()).status).toBe(200);
    // Registering took several turns of the database: who could go on would have.
    expect(held).toHaveLength(3);
    panel.dial('1003', { 'X-Speech-Id': randomUUID(), 'X-SOS-Call': '1' });
    await until(() => held.length === 4);
    world.media.offer = offer;
    for (const go of held) go();
    const rung = new Set<string>();
    while (rung.size < many) rung.add((await boris.incoming()).callId);
    await settle(world);
  });
});

describe('the embedded database', () => {
  it('gives everybody else a turn between the statements of a crowd', async () => {
    const { db } = world.server.services;
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(Array.from({ length: 40 }, (_, at) => db.execute(sql`select ${at}::int`)));
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(process.env['TEST_DATABASE_URL'] ? 1 : 35);
  });
});
