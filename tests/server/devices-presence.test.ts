import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { devices, groupNotify, mails, users } from '#server/db/schema/index.ts';
import { Outages } from '#server/devices/outages.ts';
import { channel } from '#server/realtime/publish.ts';
import { connectPanel, type DeviceServer, openDeviceServer, until, untilPassed } from './devices-support.ts';
import { makePerson, type Person } from './estate.ts';

let side: DeviceServer;
let url: string;
let keeper: Person;
let other: Person;
/** What the realtime channel was told of a device's state, in order. */
const announced: { id: string; online: boolean }[] = [];
let stop: () => Promise<void>;

beforeAll(async () => {
  side = await openDeviceServer();
  url = `mqtt://127.0.0.1:${side.port}`;
  const { town, north } = side.estate.groups;
  keeper = await makePerson(side.server, side.estate, { permissions: ['can_view_all_devices'], in: [town], email: 'keeper@example.org' });
  other = await makePerson(side.server, side.estate, { permissions: ['can_view_all_devices'], in: [town], email: 'other@example.org' });
  await side.server.services.db.insert(groupNotify).values([
    { groupId: town, userId: keeper.id, deviceOffline: true, deviceTaskFailed: false },
    // Named by two groups of the way up: still one mail.
    { groupId: north, userId: keeper.id, deviceOffline: true, deviceTaskFailed: false },
    { groupId: town, userId: other.id, deviceOffline: false, deviceTaskFailed: true },
  ]);
  stop = await side.server.services.listen(
    channel,
    (line) => {
      const message = JSON.parse(line) as { name?: string; payload?: { id: string; online: boolean } };
      if (message.name === 'DeviceStatus' && message.payload) announced.push(message.payload);
    },
    () => undefined,
  );
});
afterEach(async () => {
  await side.server.services.db.delete(mails);
});
afterAll(async () => {
  await stop();
  await side.close();
});

const announcedOf = (id: string): boolean[] => announced.filter((one) => one.id === id).map(({ online }) => online);
/** The database has it first, as it always does. */
async function stand(outages: Outages, { id }: { id: string }, online: boolean): Promise<void> {
  await side.server.services.db.update(devices).set({ online }).where(eq(devices.id, id));
  outages.flipped(id, online);
}
const beats = { management: { heartbeat: true, realtime_logging: false } };
const letters = () => side.server.services.db.select().from(mails);

describe('how a device stands', () => {
  it('is told once when it comes, once when it goes, and a sign of life in between tells nobody', async () => {
    const device = await side.add();
    const panel = await connectPanel(url, device.login);
    await untilPassed(
      side,
      () => announcedOf(device.id),
      (states) => states.length === 1,
    );
    for (let beat = 0; beat < 50; beat += 1) await panel.say({ type: 'heartbeat' });
    side.server.pass(1_000);
    await pause(150);
    panel.client.stream.destroy();
    await untilPassed(
      side,
      () => announcedOf(device.id),
      (states) => states.length === 2,
    );
    side.server.pass(1_000);
    await pause(150);
    expect(announcedOf(device.id)).toEqual([true, false]);
    expect((await side.device(device.id)).online).toBe(false);
  });

  it('is offline after a minute without a sign of life, however open its connection is', async () => {
    const device = await side.add(beats);
    const panel = await connectPanel(url, device.login);
    await untilPassed(
      side,
      () => side.device(device.id),
      ({ online }) => online === true,
    );
    side.server.pass(55_000);
    side.server.pass(1_000);
    await pause(150);
    expect((await side.device(device.id)).online).toBe(true);
    side.server.pass(61_000);
    await untilPassed(
      side,
      () => side.device(device.id),
      ({ online }) => online === false,
    );
    await panel.say({ type: 'heartbeat' });
    await untilPassed(
      side,
      () => side.device(device.id),
      ({ online }) => online === true,
    );
    await panel.leave();
  });

  it('may be silent for twice its keep-alive where that is more, and for as long as it likes where it need not beat', async () => {
    const settings = (keepAlive: number) => ({ mqtt: { address: null, port: 1883, is_secure: false, keep_alive: keepAlive } });
    const slow = await side.add({ ...beats, settings: settings(300) });
    const quiet = await side.add({ management: { heartbeat: false, realtime_logging: false } });
    const panels = await Promise.all([connectPanel(url, slow.login), connectPanel(url, quiet.login)]);
    for (const { id } of [slow, quiet])
      await untilPassed(
        side,
        () => side.device(id),
        ({ online }) => online === true,
      );
    side.server.pass(500_000);
    side.server.pass(1_000);
    await pause(150);
    for (const { id } of [slow, quiet]) expect((await side.device(id)).online).toBe(true);
    side.server.pass(120_000);
    await untilPassed(
      side,
      () => side.device(slow.id),
      ({ online }) => online === false,
    );
    expect((await side.device(quiet.id)).online).toBe(true);
    await Promise.all(panels.map((panel) => panel.leave()));
  });

  it('is right after 1,000 changes within seconds, and they made neither events nor mails (V19)', async () => {
    const device = await side.add({ domainId: side.estate.groups.n1 });
    const panel = await connectPanel(url, device.login);
    const begun = performance.now();
    for (let flip = 0; flip < 1_000; flip += 1) {
      await panel.say({ type: flip % 2 === 0 ? 'offline' : 'online' });
      if (flip % 20 === 0) await pause(50);
    }
    const seconds = (performance.now() - begun) / 1_000;
    await untilPassed(
      side,
      () => side.device(device.id),
      ({ online }) => online === true,
    );
    await pause(1_500);
    expect((await side.device(device.id)).online).toBe(true);
    expect(announcedOf(device.id).at(-1)).toBe(true);
    // At most one word a second, whatever happens between.
    expect(announcedOf(device.id).length).toBeLessThanOrEqual(Math.ceil(seconds) + 2);
    expect(await side.events(device.id)).toEqual([]);
    // Panels of the tests before have gone for good, and there is a mail of that once enough time has passed.
    expect((await letters()).filter(({ subject }) => subject === `${device.name} is offline`)).toEqual([]);
    await panel.leave();
  });
});

describe('an outage', () => {
  it('is told of once to each person named, in the log of events too, and its end in the log', async () => {
    const device = await side.add({ name: 'Back door', domainId: side.estate.groups.n1 });
    const outages = new Outages(side.server.services, 150);
    for (let flip = 0; flip < 40; flip += 1) {
      await stand(outages, device, flip % 2 === 1);
      await pause(5);
    }
    expect(await letters()).toEqual([]);
    await stand(outages, device, false);
    await until(letters, (all) => all.length > 0);
    // Fluttering once the outage is known is no new outage.
    await pause(400);
    const [letter, ...more] = await letters();
    expect(more).toEqual([]);
    expect(letter).toMatchObject({ recipient: 'keeper@example.org', subject: 'Back door is offline' });
    await stand(outages, device, true);
    await until(
      () => side.events(device.id),
      (events) => events.length === 2,
    );
    expect((await side.events(device.id)).map(({ type }) => type)).toEqual(['offline', 'online']);
    await stand(outages, device, false);
    await until(letters, (all) => all.length === 2);
    outages.close();
  });

  it('that began just before a restart is told of after it', async () => {
    const device = await side.add({ name: 'Garage', domainId: side.estate.groups.n1 });
    const panel = await connectPanel(url, device.login);
    await untilPassed(
      side,
      () => side.device(device.id),
      ({ online }) => online === true,
    );
    await panel.leave();
    await untilPassed(
      side,
      () => side.device(device.id),
      ({ online }) => online === false,
    );
    const outages = new Outages(side.server.services, 150);
    await outages.open();
    await until(letters, (all) => all.some(({ subject }) => subject === 'Garage is offline'));
    outages.close();
    // And once more: what was told of is not told of again.
    const again = new Outages(side.server.services, 50);
    await again.open();
    await pause(400);
    expect((await letters()).filter(({ subject }) => subject === 'Garage is offline')).toHaveLength(1);
    await stand(again, device, true);
    await until(
      () => side.events(device.id),
      (events) => events.at(-1)?.type === 'online',
    );
    again.close();
  });

  it('is written of in the language of whoever reads it', async () => {
    const device = await side.add({ name: 'Двор', domainId: side.estate.groups.town });
    await side.server.services.db.update(users).set({ locale: 'ru' }).where(eq(users.id, keeper.id));
    const outages = new Outages(side.server.services, 20);
    await stand(outages, device, false);
    expect((await until(letters, (all) => all.length > 0))[0]?.subject).toBe('Устройство «Двор» не в сети');
    outages.close();
  });
});
