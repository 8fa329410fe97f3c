import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { LegEvent, SipLeg } from '#server/telephony/sip/leg.ts';
import { SipAgent } from '#server/telephony/sip/agent.ts';
import { someSdp } from './sip-compose.ts';
import { bridgeCalls, openTestSip, record, sipPassword, type TestSip, until } from './sip-support.ts';

let server: TestSip;
beforeAll(async () => {
  server = await openTestSip();
});
afterAll(() => server.close());

const log = { debug: () => {}, warn: () => {} };
const instance = (number: string) => `urn:uuid:00000000-0000-4000-8000-00000000${number}`;
async function open(number: string, password = sipPassword): Promise<SipAgent> {
  const agent = new SipAgent({ url: server.url, number, name: `Panel ${number}`, password, instance: instance(number), log });
  agent.open();
  await until(() => agent.state !== 'registering' && agent.state !== 'unregistered');
  return agent;
}

describe('an agent', () => {
  const taken: { leg: SipLeg; events: LegEvent[]; header: string | null; target: string }[] = [];
  beforeEach(() => {
    taken.length = 0;
    bridgeCalls(server.sip);
  });
  const answering = (agent: SipAgent) =>
    agent.onInvite((leg, invite) => {
      taken.push({ leg, events: record(leg), header: invite.header('x-speech-id'), target: invite.target });
      leg.ring();
      leg.accept(someSdp('agent'));
    });

  it('registers under its number, and is told when its password is wrong', async () => {
    const agent = await open('1600');
    expect([agent.state, server.sip.bindings('1600').map((one) => one.instance)]).toEqual(['registered', [instance('1600')]]);
    await agent.close();
    await until(() => server.sip.bindings('1600').length === 0);
    const wrong = await open('1601', 'wrong');
    expect(wrong.state).toBe('invalid_registration');
    await wrong.close();
  });

  it('calls another, talks and hangs up', async () => {
    const [one, two] = [await open('1602'), await open('1603')];
    answering(two);
    const leg = one.invite('1603', { sdp: someSdp('panel') });
    const events = record(leg);
    await until(() => leg.state === 'confirmed' && taken[0]?.leg.state === 'confirmed');
    expect(events).toContainEqual({ type: 'answered', sdp: someSdp('agent') });
    expect(taken[0]).toMatchObject({ target: '1603' });
    expect(taken[0]?.leg.remote).toEqual({ number: '1602', name: 'Number 1602' });
    leg.end();
    await until(() => taken[0]?.leg.state === 'ended');
    expect(taken[0]?.events.at(-1)).toMatchObject({ end: { by: 'them', cause: 'bye' } });
    await Promise.all([one.close(), two.close()]);
  });

  it('hangs up what it leaves behind', async () => {
    const [one, two] = [await open('1604'), await open('1605')];
    answering(two);
    const leg = one.invite('1605', { sdp: someSdp() });
    await until(() => taken[0]?.leg.state === 'confirmed' && leg.state === 'confirmed');
    await one.close();
    await until(() => taken[0]?.leg.state === 'ended' && server.sip.load.legs === 0);
    expect(taken[0]?.events.at(-1)).toMatchObject({ end: { by: 'them', cause: 'bye' } });
    await two.close();
  });

  it('refuses to dial what is no number', async () => {
    const agent = await open('1606');
    for (const number of ['', 'alice', '1\r\nX: 1', 'sip:1000@elsewhere', '1'.repeat(40)])
      expect(() => agent.invite(number, { sdp: '' })).toThrow('no number');
    await agent.close();
  });
});

describe('JsSIP', () => {
  /** Registers once, and tells what it heard first. */
  async function registering(number: string, password: string): Promise<{ event: string; status: number | undefined; ended: () => void }> {
    Object.assign(globalThis, { WebSocket });
    // Read only now: it looks for the browser's WebSocket.
    const { default: jssip } = await import('jssip');
    const agent = new jssip.UA({
      sockets: [new jssip.WebSocketInterface(server.url)],
      uri: `sip:${number}@localhost`,
      password,
      register: true,
      user_agent: 'web-dialer',
    });
    const outcome = new Promise<{ event: string; status: number | undefined }>((resolve) => {
      agent.on('registered', ({ response }: { response: { status_code: number } }) => resolve({ event: 'registered', status: response.status_code }));
      agent.on('registrationFailed', ({ response }: { response: { status_code: number } | null }) =>
        resolve({ event: 'registrationFailed', status: response?.status_code }),
      );
    });
    agent.start();
    return { ...(await outcome), ended: () => agent.stop() };
  }

  it('registers, and unregisters when it stops', async () => {
    const { event, status, ended } = await registering('1610', sipPassword);
    expect([event, status]).toEqual(['registered', 200]);
    expect(server.sip.bindings('1610')).toMatchObject([{ kind: 'webrtc', userAgent: 'web-dialer' }]);
    ended();
    await until(() => server.sip.bindings('1610').length === 0);
  });

  it('is told 403 for a wrong password', async () => {
    const { event, status, ended } = await registering('1611', 'wrong');
    expect([event, status]).toEqual(['registrationFailed', 403]);
    ended();
  });
});
