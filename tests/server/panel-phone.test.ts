import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '#server/config.ts';
import { PanelMedia } from '#server/devices/simulator/panel-media.ts';
import { PanelPhone, type PhonePlan } from '#server/devices/simulator/panel-phone.ts';
import { Studio } from '#server/telephony/media/studio.ts';
import type { Invite, LegEvent, SipLeg } from '#server/telephony/sip/leg.ts';
import { openSip, type OpenSip } from '#server/telephony/sip/server.ts';
import { isFull } from '#tests/support/extent.ts';
import { inTime } from '#tests/support/in-time.ts';
import { heardFrom, until } from './media-support.ts';

const here = { all: ['127.0.0.1'], first: '127.0.0.1' } as const;
const quiet = { debug: () => undefined, warn: () => undefined };
let sip: OpenSip;
/** Media at the server; the phones have their own. */
const server = new Studio(here);
const heard = heardFrom(server);
const media = new PanelMedia(quiet, async () => new Studio(here));
const phones: PanelPhone[] = [];
let coming: { leg: SipLeg; invite: Invite; events: LegEvent[] }[] = [];

beforeAll(async () => {
  sip = await openSip({
    config: { ...loadConfig({}), sipPort: 0, socketsPerIp: 200 },
    log: quiet,
    now: () => new Date(),
    accountOf: async (number) => ({ number, name: `Panel ${number}`, projectId: 'p', passwords: ['Secret-1'] }),
  });
  sip.onInvite((leg, invite) => {
    const events: LegEvent[] = [];
    leg.listen((event) => events.push(event));
    coming.push({ leg, invite, events });
  });
});
afterEach(async () => {
  await Promise.all(phones.splice(0).map((phone) => phone.close()));
  coming = [];
});
afterAll(async () => {
  await sip.close();
  await Promise.all([media.shut(), server.shut()]);
});

interface OpenPhone {
  phone: PanelPhone;
  said: string[];
}
async function openPhone(number: string, more: Partial<PhonePlan> = {}): Promise<OpenPhone> {
  const said: string[] = [];
  const plan: PhonePlan = {
    url: `ws://127.0.0.1:${sip.ports.ws}`,
    number,
    password: 'Secret-1',
    name: `Panel ${number}`,
    instance: `urn:uuid:${randomUUID()}`,
    trustAll: true,
    hasCamera: true,
    answersAfter: 50,
    talkSeconds: () => 120,
    ...more,
  };
  const ears = {
    started: (to: string) => said.push(`started ${to}`),
    answered: (to: string) => said.push(`answered ${to}`),
    missed: (to: string) => said.push(`missed ${to}`),
    ended: (to: string, seconds: number) => said.push(`ended ${to} ${seconds}`),
    key: (digit: string, from: string) => said.push(`key ${digit} ${from}`),
  };
  const phone = new PanelPhone(plan, media, ears, quiet);
  phones.push(phone);
  phone.open();
  await until(() => phone.state !== 'unregistered' || plan.password !== 'Secret-1');
  return { phone, said };
}
/** The server takes the last call that came in. */
async function take(at = coming.length - 1): Promise<SipLeg> {
  const call = coming[at];
  if (!call?.invite.sdp) throw new Error('nobody calls');
  call.leg.accept(await server.answer(call.leg.id, call.invite.sdp));
  await until(() => call.leg.state === 'confirmed');
  return call.leg;
}
const arrived = (count = 1) => until(() => coming.length === count);

describe('a panel that calls', () => {
  it('rings the number with voice and picture, talks, and hangs up', async () => {
    const { phone, said } = await openPhone('2001');
    await phone.call('700', false);
    expect(phone.state).toBe('calling');
    await arrived();
    expect(coming[0]?.invite.target).toBe('700');
    expect(coming[0]?.invite.account).toBe('2001');
    expect(coming[0]?.invite.header('X-SOS-Call')).toBeNull();
    expect(coming[0]?.invite.sdp).toMatch(/m=audio[^]*opus[^]*m=video[^]*VP8/);
    const leg = await take();
    await until(() => phone.state === 'talking');
    await until(() => heard.of(leg.id, 'connected').length === 1);
    // It is heard: nothing is missed of it for as long as silence would take to be told.
    await pause(5_000);
    expect(heard.of(leg.id, 'silent')).toEqual([]);
    phone.hangUp();
    await until(() => leg.state === 'ended');
    expect(said).toEqual(['started 700', 'answered 700', expect.stringMatching(/^ended 700 [4-7]$/)]);
    expect(phone.state).toBe('ready');
  });

  it('an SOS press says so, also out of a call, which it ends', async () => {
    const { phone, said } = await openPhone('2002');
    await phone.call('700', false);
    await arrived();
    await phone.call('0', true);
    await arrived(2);
    expect(coming[1]?.invite.header('X-SOS-Call')).toBe('1');
    await until(() => coming[0]?.leg.state === 'ended');
    expect(coming[0]?.events.at(-1)).toMatchObject({ type: 'ended', end: { by: 'them', cause: 'cancelled' } });
    expect(said).toEqual(['started 700', 'missed 700', 'started 0']);
    // Pressed again without SOS nothing happens: one call at a time.
    await phone.call('700', false);
    await pause(200);
    expect(coming).toHaveLength(2);
  });

  it('tells a key that whoever talks with it presses', async () => {
    const { phone, said } = await openPhone('2003');
    await phone.call('1003', false);
    await arrived();
    const leg = await take();
    await until(() => heard.of(leg.id, 'connected').length === 1);
    expect(await server.sendDtmf(leg.id, '#', 160)).toBe(true);
    await until(() => said.includes('key # 1003'));
    expect(said.filter((one) => one.startsWith('key'))).toEqual(['key # 1003']);
  });

  it.each([486, 603, 404])('a call that is refused with %s was missed', async (status) => {
    const { phone, said } = await openPhone('2004');
    await phone.call('1003', false);
    await arrived();
    coming[0]?.leg.end({ status });
    await until(() => phone.state === 'ready');
    expect(said).toEqual(['started 1003', 'missed 1003']);
  });

  it('hangs up when its time to talk is over', async () => {
    const { phone, said } = await openPhone('2005', { talkSeconds: () => 1 });
    await phone.call('1003', false);
    await arrived();
    const leg = await take();
    await until(() => leg.state === 'ended', 3_000);
    expect(said.at(-1)).toBe('ended 1003 1');
  });

  it('a cancel that crosses the acceptance leaves no call at either end', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { phone } = await openPhone(`21${round}`);
      coming = [];
      await phone.call('700', false);
      await arrived();
      const call = coming[0];
      const accepted = server.answer(call?.leg.id ?? '', call?.invite.sdp ?? '').then((sdp) => call?.leg.accept(sdp));
      await pause(round);
      phone.hangUp();
      await accepted;
      await until(() => call?.leg.state === 'ended' && phone.state === 'ready');
      await phone.close();
    }
    expect(sip.load.legs).toBe(0);
  });
});

describe('a panel that is called', () => {
  const callIt = async (number: string, headers: Record<string, string> = {}): Promise<{ leg: SipLeg; events: LegEvent[] }> => {
    const [binding] = sip.bindings(number);
    if (!binding) throw new Error('it has not registered');
    const id = randomUUID();
    const sdp = await server.offer(id, { video: true, kind: 'webrtc' });
    const leg = sip.invite(binding, { from: { number: '1001', name: 'Concierge' }, to: { number, name: null }, sdp, headers });
    const events: LegEvent[] = [];
    leg.listen((event) => {
      events.push(event);
      if (event.type === 'answered' && event.sdp !== null) void server.accept(id, event.sdp);
    });
    return { leg, events };
  };

  it('takes the call, is heard and seen, and says 486 to whoever calls meanwhile', async () => {
    const { phone, said } = await openPhone('2010');
    const { leg } = await callIt('2010');
    await until(() => leg.state === 'confirmed' && phone.state === 'talking');
    const second = await callIt('2010');
    await until(() => second.leg.state === 'ended');
    expect(second.events.at(-1)).toMatchObject({ type: 'ended', end: { cause: 'refused', status: 486 } });
    leg.end();
    await until(() => phone.state === 'ready');
    expect(said).toEqual(['answered 1001', 'ended 1001 0']);
  });

  it('a call to the whole flat only rings at its monitor', async () => {
    const { phone } = await openPhone('2011');
    const { leg } = await callIt('2011', { 'X-Target-Callee': '2005' });
    await until(() => phone.state === 'ringing');
    await pause(300);
    expect(leg.state).toBe('ringing');
    leg.end();
    await until(() => phone.state === 'ready');
  });
});

/** Each of fifty encrypts with what a loaded processor leaves of it, and a connection that takes too long is given up. */
const many = isFull ? 50 : 12;
it(`${many} panels call at once: all are there with voice, and all have gone when they hang up (D40)`, { timeout: inTime(60_000) }, async () => {
  const all = await Promise.all(Array.from({ length: many }, (_, at) => openPhone(`5${String(at).padStart(3, '0')}`)));
  const begun = performance.now();
  await Promise.all(all.map(({ phone }) => phone.call('700', false)));
  await until(() => coming.length === many, inTime(20_000));
  const listed = performance.now() - begun;
  await Promise.all(coming.map((_, at) => take(at)));
  await until(() => coming.every(({ leg }) => heard.of(leg.id, 'connected').length === 1), inTime(20_000));
  expect(new Set(coming.map(({ invite }) => invite.account)).size).toBe(many);
  expect(listed).toBeLessThan(inTime(10_000));
  for (const { phone } of all) phone.hangUp();
  await until(() => coming.every(({ leg }) => leg.state === 'ended'));
  expect(all.every(({ phone }) => phone.state === 'ready')).toBe(true);
});
