import { randomUUID } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Notification } from '#models/notifications.ts';
import type { DialerEntry } from '#models/phone-calls.ts';
import { notifications, projectSettings } from '#server/db/schema/index.ts';
import { doorOpenedInCall } from '#server/telephony/calls/doors.ts';
import { type CallServer, openCallServer, type Phone, roleOf, settle } from './calls-support.ts';
import { dataOf, type Person } from './estate.ts';
import { type ClientCall, someSdp } from './sip-compose.ts';

let world: CallServer;
let front: Person;
let resident: Person;
let other: Person;
let panelId: string;
let [panel, desk, boris]: Phone[] = [];
const of = (phone: Phone | undefined): Phone => {
  if (!phone) throw new Error('no phone');
  return phone;
};

beforeAll(async () => {
  world = await openCallServer({ config: { logLevel: 'info' } });
  const { groups } = world.estate;
  await world.number('700', { domainId: groups.town });
  front = await world.person('1001', roleOf('concierge'), [groups.town]);
  resident = await world.person('1003', roleOf('resident'), [groups.n1]);
  other = await world.person('1004', roleOf('resident'), [groups.s1]);
  panelId = await world.panel('2001', groups.north);
  panel = await world.phone('2001');
  desk = await world.phone('1001');
  boris = await world.phone('1003');
});
beforeEach(() => world.server.services.db.delete(notifications));
afterEach(() => settle(world));
afterAll(() => world.close());

/** What somebody's bell shows of missed calls: unread ones. */
const missed = async (person: Person): Promise<Notification[]> => {
  const { latest } = dataOf<{ latest: Notification[] }>(await person.client.get('/notifications/unread'));
  return latest.filter(({ type, read_at }) => type === 'call_missed' && read_at === null);
};
const unread = () => world.server.services.db.$count(notifications, and(eq(notifications.type, 'call_missed'), isNull(notifications.readAt)));
const over = (id: string) => world.row(id, ({ status }) => status === 'destroyed');
async function ring(from: Phone, number: string, at: Phone): Promise<{ id: string; out: ClientCall; come: ClientCall }> {
  const id = randomUUID();
  const out = from.dial(number, { 'X-Speech-Id': id });
  return { id, out, come: await at.incoming(id) };
}
/** A call that rings, and whose caller gives up. */
async function inVain(from: Phone, number: string, at: Phone): Promise<string> {
  const { id, out } = await ring(from, number, at);
  from.client.cancel(out);
  await over(id);
  return id;
}
async function talked(from: Phone, number: string, at: Phone): Promise<void> {
  const { id, out, come } = await ring(from, number, at);
  await at.client.answer(come);
  await from.final(out);
  await world.row(id, ({ status }) => status === 'answered');
  await from.client.bye(out);
  await over(id);
}

describe('whoever has missed a call', () => {
  it('is told by whom, once for each call', async () => {
    const id = await inVain(of(desk), '1003', of(boris));
    await expect.poll(async () => (await missed(resident)).length).toBe(1);
    expect((await missed(resident))[0]).toMatchObject({
      type: 'call_missed',
      data: { title: 'Person 1001 · 1001', call: { id, number: '1001' } },
      popup_action: 'open_calls',
      significance: 'normal',
    });
    expect(await unread()).toBe(1);
  });

  it('learns where the caller is, as far as they may see it', async () => {
    await inVain(of(panel), '1001', of(desk));
    await inVain(of(panel), '1003', of(boris));
    await expect.poll(async () => [(await missed(front)).length, (await missed(resident)).length]).toEqual([1, 1]);
    const titles = [(await missed(front))[0]?.data.title, (await missed(resident))[0]?.data.title];
    expect(titles).toEqual(['Panel 2001 · 2001 · town · north', 'Panel 2001 · 2001']);
  });

  it('is told also where no phone of theirs could be reached', async () => {
    const id = randomUUID();
    const out = of(desk).dial('1004', { 'X-Speech-Id': id });
    expect((await of(desk).final(out)).status).toBe(480);
    await expect.poll(async () => (await missed(other)).length).toBe(1);
  });

  it('is not told of what they declined, answered, or let in by opening the door', async () => {
    const declined = await ring(of(desk), '1003', of(boris));
    of(boris).client.refuse(declined.come, 603);
    await over(declined.id);
    await talked(of(desk), '1003', of(boris));
    const opened = await ring(of(panel), '1003', of(boris));
    await doorOpenedInCall(world.server.services, opened.id, panelId, 'Boris');
    of(panel).client.cancel(opened.out);
    await over(opened.id);
    // Told last, so that those before would have been told by then.
    await inVain(of(panel), '1003', of(boris));
    await expect.poll(unread).toBe(1);
    expect((await missed(resident)).map(({ data }) => data.call?.number)).toEqual(['2001']);
  });

  it('has nothing to read any more once they have called back or talked with the caller', async () => {
    for (const settled of [() => talked(of(boris), '1001', of(desk)), () => talked(of(desk), '1003', of(boris))]) {
      await inVain(of(desk), '1003', of(boris));
      await expect.poll(unread).toBe(1);
      await settled();
      await expect.poll(unread).toBe(0);
    }
  });
});

describe('at the desk', () => {
  it('a visitor who gave up is told, an SOS as important', async () => {
    await inVain(of(panel), '700', of(desk));
    await expect.poll(async () => (await missed(front)).length).toBe(1);
    const id = randomUUID();
    const out = of(panel).dial('700', { 'X-Speech-Id': id, 'X-SOS-Call': '1' });
    await of(desk).incoming(id);
    of(panel).client.cancel(out);
    await expect.poll(async () => (await missed(front)).length).toBe(2);
    expect((await missed(front)).map(({ significance }) => significance).toSorted()).toEqual(['important', 'normal']);
  });

  it('the history has the apartment of a resident who gave up, to write to, and none of a panel', async () => {
    const [ofResident, ofPanel] = [await inVain(of(boris), '700', of(desk)), await inVain(of(panel), '700', of(desk))];
    const rows = dataOf<DialerEntry[]>(await front.client.get('/calls/history/dialer/1001'));
    const homeOf = (id: string) => rows.find((row) => row.id === id)?.home;
    expect(homeOf(ofResident)).toMatchObject({ id: world.estate.groups.n1 });
    expect(homeOf(ofPanel)).toBeNull();
  });

  it('nothing is told of a call that was ended there for all', async () => {
    const { id } = await ring(of(panel), '700', of(desk));
    expect((await front.client.post(`/calls/${id}/stop`)).statusCode).toBe(200);
    await over(id);
    await inVain(of(panel), '700', of(desk));
    await expect.poll(unread).toBe(1);
  });
});

it('a picture of who rang is kept although the camera shows nothing to begin with', async () => {
  const { server, estate, media } = world;
  await server.services.db.insert(projectSettings).values({ projectId: estate.here, block: 'general', value: { visitor_pictures: true } });
  const still = vi.spyOn(media, 'still').mockResolvedValue(new Uint8Array([1, 2, 3]));
  for (let late = 0; late < 3; late += 1) still.mockResolvedValueOnce(null);
  const id = randomUUID();
  const video = ['m=video 9 UDP/TLS/RTP/SAVPF 96', 'c=IN IP4 0.0.0.0', 'a=rtpmap:96 VP8/90000', 'a=sendonly', ''].join('\r\n');
  const out = of(panel).dial('1003', { 'X-Speech-Id': id }, someSdp() + video);
  await of(boris).incoming(id);
  expect((await world.row(id, ({ imageFile }) => imageFile !== null)).imageFile).toEqual(expect.any(String));
  expect(still).toHaveBeenCalledTimes(4);
  of(panel).client.cancel(out);
  await over(id);
  still.mockRestore();
});
